// Takes a session back to before a message: the files that steps changed since, then the conversation, by records. What
// is about to be done is on disk first, so that a revert that is cut can be finished, and one that ended can be undone.
import { RatchetError } from '../core/errors.ts';
import type { NewEvent } from '../core/events.ts';
import type { LeftFile, RevertFile } from '../core/recordedFiles.ts';
import {
  cutBefore,
  filesTouchedSince,
  hasUnrecordedFiles,
  verdictOn,
  type RevertPlan,
  type TakenBack,
} from '../core/revertPlan.ts';
import { ellipsis } from '../core/wellFormed.ts';
import { runningCommands } from './inspect.ts';
import type { LiveSession } from './liveSession.ts';
import type { RevertPlace } from './ports.ts';
import type { ClaimedJournal } from './sessionStore.ts';
import type { SessionPorts } from './sessionPorts.ts';

/** The beginning of a message, in characters, as far as lines and titles have room. */
const shownText = 60;

/** @throws RatchetError `not_found`, `already_running`, `revert_unfinished` */
export async function planRevert(ports: SessionPorts, session: LiveSession, messageId: string): Promise<RevertPlan> {
  assertIdle(session);
  assertNoCutRevert(session);
  return lookedUp(ports, session, messageId);
}

async function lookedUp(ports: SessionPorts, session: LiveSession, messageId: string): Promise<RevertPlan> {
  const { state } = session;
  const cut = cutBefore(state, messageId);
  if (!cut)
    throw new RatchetError('not_found', 'This message is not in the conversation any more. Nothing was changed.');
  const { lastSeq } = state;
  const touched = filesTouchedSince(state, cut.toSeq);
  const looks = await ports.revertFiles.look(placeOf(session), touched);
  const files: RevertFile[] = [];
  const left: LeftFile[] = [];
  const otherNames = new Map<string, string>();
  for (const [index, file] of touched.entries()) {
    const look = looks[index];
    const verdict = look && verdictOn(file, look);
    if (look?.otherName !== undefined) otherNames.set(file.path, look.otherName);
    if (verdict?.kind === 'put') files.push(verdict.file);
    else if (verdict?.kind === 'left') left.push(verdict.file);
  }
  const running = await runningCommands(ports, session);
  return { ...cut, lastSeq, files, left, otherNames, hasUnrecorded: hasUnrecordedFiles(state, cut.toSeq), running };
}

/**
 * Reverts by a plan that the user has seen. @returns the message, to be changed and sent again
 * @throws RatchetError `cannot_revert` when the session went on since, and those of `planRevert`
 */
export async function revertSession(
  ports: SessionPorts,
  session: LiveSession,
  messageId: string,
  lastSeq: number,
): Promise<TakenBack> {
  return owning(ports, session, async (claim) => {
    assertNoCutRevert(session);
    if (session.state.lastSeq !== lastSeq) {
      throw new RatchetError('cannot_revert', 'The session went on meanwhile. Nothing was changed; revert it again.');
    }
    const { toSeq, text, images, files, left } = await lookedUp(ports, session, messageId);
    await begin(session, claim, { revertId: ports.newId(), toSeq, messageId, files: [...files], left: [...left] });
    await carryOut(ports, session, claim);
    return { text, images };
  });
}

/** Finishes a revert, or the undo of one, that was cut. @throws RatchetError `cannot_revert` when there is none */
export async function finishRevert(ports: SessionPorts, session: LiveSession): Promise<TakenBack | undefined> {
  return owning(ports, session, async (claim) => {
    const { open } = session.state.reverts;
    if (!open) throw new RatchetError('cannot_revert', 'No revert was cut here. There is nothing to finish.');
    const cut = open.undoes === undefined ? cutBefore(session.state, open.messageId) : undefined;
    await carryOut(ports, session, claim);
    return cut && { text: cut.text, images: cut.images };
  });
}

/** Brings back what the last revert took away, as far as nobody changed it since. @throws RatchetError `cannot_revert` */
export async function undoRevert(ports: SessionPorts, session: LiveSession): Promise<void> {
  return owning(ports, session, async (claim) => {
    assertNoCutRevert(session);
    const { last } = session.state.reverts;
    if (!last)
      throw new RatchetError(
        'cannot_revert',
        'There is no revert to undo: the session has gone on since, or had none.',
      );
    const restored = new Set(last.record.restored);
    const files = (last.start?.files ?? []).filter(({ path }) => restored.has(path)).map(undone);
    const { revertId: undoes, toSeq } = last.record;
    const messageId = last.start?.messageId ?? '';
    await begin(session, claim, { revertId: ports.newId(), toSeq, messageId, undoes, files, left: [] });
    await carryOut(ports, session, claim);
  });
}

function undone({ path, fromSha256, toSha256, fromExecutable, toExecutable }: RevertFile): RevertFile {
  return {
    path,
    fromSha256: toSha256,
    toSha256: fromSha256,
    ...(toExecutable && { fromExecutable: true }),
    ...(fromExecutable && { toExecutable: true }),
  };
}

type Start = Omit<Extract<NewEvent, { type: 'revert_started' }>, 'type'>;

async function begin(session: LiveSession, claim: ClaimedJournal, start: Start): Promise<void> {
  await session.write(claim, [{ type: 'revert_started', ...start }], true);
}

/** Does what the open record says, and records what came of it. Files that are done already stay as they are. */
async function carryOut(ports: SessionPorts, session: LiveSession, claim: ClaimedJournal): Promise<void> {
  const { open } = session.state.reverts;
  if (!open) return;
  const { revertId, toSeq, undoes } = open;
  const place = placeOf(session);
  const restored: string[] = [];
  const left: LeftFile[] = [...open.left];
  for (const file of open.files) {
    const done = await ports.revertFiles.put(place, revertId, file);
    if (done === 'done') restored.push(file.path);
    else left.push({ path: file.path, why: done });
  }
  const text = ellipsis(cutBefore(session.state, open.messageId)?.text.trim().split('\n', 1)[0] ?? '', shownText);
  const end: NewEvent =
    undoes === undefined
      ? { type: 'history_reverted', revertId, restored, left, toSeq, text }
      : { type: 'revert_undone', revertId, restored, left, undoes };
  await session.write(claim, [end], true);
}

/** Owns the session while files and records change, as a run does. */
async function owning<T>(
  ports: SessionPorts,
  session: LiveSession,
  work: (claim: ClaimedJournal) => Promise<T>,
): Promise<T> {
  assertIdle(session);
  ports.assertMayRun(session.folder);
  session.launching = true;
  session.changed();
  try {
    return await session.exclusively(async () => {
      const claim = await session.stored.claim(session.take);
      session.heldElsewhere = !claim;
      if (!claim) throw runningElsewhere();
      try {
        return await work(claim);
      } finally {
        await claim.close().catch((error: unknown) => {
          ports.log(`The journal of session ${session.id} could not be closed`, error);
        });
      }
    });
  } finally {
    session.launching = false;
    if (!session.heldElsewhere) session.showCut();
    session.changed();
  }
}

function placeOf({ folder, stored, state }: LiveSession): RevertPlace {
  return { folder: folder.path, storage: stored.storage, steps: [...state.steps.values()] };
}

function assertIdle(session: LiveSession): void {
  if (session.hasRun())
    throw new RatchetError('already_running', 'This session is running. Stop it first, then revert it.');
  if (session.heldElsewhere) throw runningElsewhere();
}

function runningElsewhere(): RatchetError {
  return new RatchetError('already_running', 'Another window is running this session. It can be reverted there.');
}

/** @throws RatchetError `revert_unfinished` */
export function assertNoCutRevert({ state: { reverts } }: Pick<LiveSession, 'state'>): void {
  if (!reverts.open) return;
  const what = reverts.open.undoes === undefined ? 'A revert' : 'The undo of a revert';
  throw new RatchetError('revert_unfinished', `${what} was cut in the middle. Finish it first, in the chat.`);
}
