// Compacts a session because the user wants it: before the next request of its run, or at once when none goes on. Outside
// of a run it owns the session like one, can be stopped, and leaves the session's state as it was.
import { openCompaction } from '../core/compaction.ts';
import { planContext } from '../core/contextBudget.ts';
import { RatchetError, messageOf } from '../core/errors.ts';
import type { CompactionContext } from './compactHistory.ts';
import { keepInWindow } from './keepInWindow.ts';
import { assertMayAnswer, modelChoice } from './modelChoice.ts';
import type { ActiveRun, LiveSession } from './liveSession.ts';
import { writePatiently } from './patientWrite.ts';
import { waitShown } from './retryWait.ts';
import { assertNoCutRevert } from './revertSession.ts';
import { RunStopped } from './runStopped.ts';
import type { ClaimedJournal } from './sessionStore.ts';
import type { PreparedModel, SessionPorts } from './sessionPorts.ts';

/** `queued`: a run goes on, and does it before its next request. */
export type CompactionAnswer = 'started' | 'queued';

/** The window of a model that nothing is known of, in tokens: it only decides how much of the end is kept. */
const usualWindow = 200_000;

/**
 * Accepts the wish or refuses it; what came of it is in the transcript.
 * @throws RatchetError `nothing_to_compact`, `already_running` (another window), `no_model` and those of the store
 */
export async function compactSession(ports: SessionPorts, session: LiveSession): Promise<CompactionAnswer> {
  if (session.hasRun()) {
    queue(ports, session);
    return 'queued';
  }
  assertCompactable(session);
  ports.assertMayRun(session.folder);
  session.launching = true;
  session.changed();
  try {
    await session.exclusively(() => begin(ports, session));
  } finally {
    session.launching = false;
    session.changed();
  }
  return 'started';
}

/** A run that ends before it asks the model again leaves the wish: then it is done at once. */
function queue(ports: SessionPorts, session: LiveSession): void {
  const isNew = !session.compactionWanted;
  session.compactionWanted = true;
  if (!isNew || !session.run) return;
  const left = async (): Promise<void> => {
    if (!session.takeCompactionWish() || session.hasRun()) return;
    await compactSession(ports, session);
  };
  session.run.ended.then(left).catch((error: unknown) => {
    ports.log(`Session ${session.id} was not compacted`, error);
  });
}

function assertCompactable(session: LiveSession): void {
  assertNoCutRevert(session);
  const { state } = session;
  const limits = { window: usualWindow, maxTokens: 0 };
  const { conversation, prompt } = state;
  if (prompt && planContext(conversation, prompt, 0, limits, 'user').kind === 'compact') return;
  throw new RatchetError('nothing_to_compact', 'There is nothing to compact yet: the conversation is short.');
}

async function begin(ports: SessionPorts, session: LiveSession): Promise<void> {
  const model = await ports.prepareModel(modelChoice(session.state, { cause: 'resume' }), session.state.answers);
  session.stopAsked = undefined;
  const claim = await session.stored.claim(session.take, session.obeyStop);
  session.heldElsewhere = !claim;
  if (!claim)
    throw new RatchetError('already_running', 'Another window is running this session. It can be compacted there.');
  try {
    assertCompactable(session);
    assertMayAnswer(model, session.state);
    session.problem = undefined;
    session.run = start(ports, session, model, claim);
    session.obeyEarlierStop();
  } catch (error) {
    await close(ports, session, claim);
    throw error;
  }
}

function start(ports: SessionPorts, session: LiveSession, model: PreparedModel, claim: ClaimedJournal): ActiveRun {
  const controller = new AbortController();
  const write = (durable: boolean): CompactionContext['write'] => {
    return (...events) => writePatiently(ports, session, controller, () => session.write(claim, events, durable));
  };
  const context: CompactionContext = {
    state: session.state,
    thread: session.state,
    model: model.port,
    ...(model.connection && { connection: model.connection }),
    settings: { ...model.settings, contextWindow: model.settings.contextWindow ?? usualWindow },
    signal: controller.signal,
    clock: ports.clock,
    patienceMs: ports.patience(),
    chance: ports.chance,
    waitShown: (ms, signal) => waitShown(ports, session, ms, signal),
    newId: ports.newId,
    write: write(true),
    note: write(false),
    log: ports.log,
  };
  // Begins in a later turn, so that the caller has it before its first step.
  const ended = Promise.resolve()
    .then(async () => {
      const { prompt } = session.state;
      if (prompt) await keepInWindow(context, prompt, { trigger: 'user' });
    })
    .catch(async (error: unknown) => {
      if (error instanceof RunStopped) {
        // Who stopped it does not want it done again by the next run; the end of the host is no such wish.
        if (error.kind !== 'shutdown') await recordStop(context);
        return;
      }
      ports.log(`Session ${session.id} was not compacted`, error);
      session.setProblem(`The session was not compacted: ${messageOf(error)}`);
    })
    .catch((error: unknown) => {
      ports.log(`The end of a compaction of session ${session.id} could not be recorded`, error);
    })
    .then(() => session.exclusively(() => end(ports, session, claim)));
  return { id: ports.newId(), controller, claim, ended };
}

async function recordStop({ state, write }: CompactionContext): Promise<void> {
  const open = openCompaction(state.conversation);
  if (!open) return;
  const error = { code: 'stopped', message: 'Stopped by you. The conversation is as it was.' };
  await write({ type: 'compaction_failed', compactionId: open.compactionId, error });
}

async function end(ports: SessionPorts, session: LiveSession, claim: ClaimedJournal): Promise<void> {
  await close(ports, session, claim);
  session.run = undefined;
  session.showCut();
  session.changed();
}

async function close(ports: SessionPorts, session: LiveSession, claim: ClaimedJournal): Promise<void> {
  await claim.close().catch((error: unknown) => {
    ports.log(`The journal of session ${session.id} could not be closed`, error);
  });
}
