// Opens one golden journal as the product does, and says in plain data what it makes of it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RatchetError } from '../../../src/core/errors.ts';
import type { SessionEvent } from '../../../src/core/events.ts';
import { buildMessages } from '../../../src/core/requestBuilder.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { stateName, type SessionState } from '../../../src/core/sessionState.ts';
import { offeredAction } from '../../../src/core/launchPlan.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';
import { folderKey } from '../../../src/store/sessionPlaces.ts';
import { journalStart, readJournal } from '../../../src/store/journalReader.ts';

/** The session and the folder that all golden journals are of. */
export const goldenId = '01GOLDEN';
const folderUri = 'file:///home/me/api';

export interface GoldenStore {
  readonly store: SessionStore;
  readonly journal: string;
  readonly storage: string;
  dispose(): Promise<void>;
}

/** A store in a temporary folder that holds one session with this journal. */
export async function openGoldenStore(bytes: Uint8Array): Promise<GoldenStore> {
  const root = await mkdtemp(join(tmpdir(), 'ratchet-golden-'));
  const storage = join(root, folderKey(folderUri), goldenId);
  await mkdir(storage, { recursive: true });
  const journal = join(storage, 'journal.jsonl');
  await writeFile(journal, bytes);
  const store = createFileSessionStore({
    root,
    ownerId: 'golden',
    now: () => 1_795_900_000_000,
    redact: (event) => event,
    log: () => undefined,
  });
  return { store, journal, storage, dispose: () => rm(root, { recursive: true, force: true }) };
}

/** What the list says, what the session holds, and what its next request would say. No words that are only shown. */
export async function readGolden({ store, journal }: GoldenStore): Promise<unknown> {
  const [row] = await store.list(folderUri);
  const listed = row && {
    title: row.title,
    state: row.state,
    hasWork: row.hasWork,
    readable: row.problem === undefined,
  };
  try {
    const session = await store.open(goldenId);
    const events: SessionEvent[] = [];
    await session.catchUp((event) => events.push(event));
    const state = foldEvents(session.header, events);
    const { damage, tailBytes } = await readJournal(journal, journalStart, () => undefined);
    if ((session.damage !== undefined) !== Object.values(damage).some((count) => count > 0))
      throw new Error(`damage is not told as it is: ${session.damage ?? 'none'}`);
    return { listed, opened: { ...describeState(state), damage, tailBytes }, messages: messagesOf(state) };
  } catch (error) {
    if (!(error instanceof RatchetError)) throw error;
    return { listed, refused: error.code };
  }
}

function describeState(state: SessionState): object {
  const name = stateName(state, false);
  return {
    title: state.title,
    state: name,
    offered: offeredAction(name) ?? 'nothing',
    runs: state.runs.map(({ id, cause, end }) => ({ id, cause, outcome: end?.outcome ?? 'open' })),
    steps: [...state.steps.values()].map((step) => ({
      id: step.id,
      tool: step.tool,
      status: step.status,
      ...(step.status === 'finished' && { outcome: step.result.outcome }),
    })),
    tasks: state.tasks,
    artifacts: [...state.artifacts.values()].map(({ path, change, stepId }) => ({ path, change, stepId })),
    lastSeq: state.lastSeq,
    ...laterFacts(state),
  };
}

/** What the first journals had nothing of: absent where there is none, so that what was expected of them stays. */
function laterFacts({ reverts: { open, last }, chosenModel, runs, autoResumes, approvalMode }: SessionState): object {
  const efforts = runs.flatMap(({ id, effort }) => (effort ? [{ id, effort }] : []));
  return {
    ...(open && { unfinishedRevert: { id: open.revertId, undoes: open.undoes ?? 'nothing', files: open.files } }),
    ...(last && { undoable: { id: last.record.revertId, cut: last.cut.map(({ seq }) => seq) } }),
    ...(chosenModel && { chosenModel }),
    ...(efforts.length > 0 && { efforts }),
    ...(autoResumes.isImported && { isImported: true, approvalMode: approvalMode ?? 'not set' }),
  };
}

function messagesOf(state: SessionState): unknown {
  const model = state.runs.at(-1)?.model ?? 'claude-opus-4-8';
  return buildMessages(state.conversation, { model, takesSystemMessages: model === 'claude-opus-4-8' });
}
