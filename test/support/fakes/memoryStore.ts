// Journals in memory, shared by several windows that can be killed. Lines are kept as text, as in a file, so that nothing
// is shared by reference. It must hold the same contract as the store on disk.
import { RatchetError } from '../../../src/core/errors.ts';
import {
  parseEvent,
  type FolderIdentity,
  type JournalHeader,
  type NewEvent,
  type SessionEvent,
} from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { hasWork, stateName } from '../../../src/core/sessionState.ts';
import type { UserStop } from '../../../src/runner/runStopped.ts';
import type { ClaimedJournal, ListedSession, SessionStore, StoredSession } from '../../../src/runner/sessionStore.ts';

interface StoredJournal {
  readonly header: JournalHeader;
  readonly lines: string[];
  owner: string | undefined;
  /** What its owner is told when another window wants its run to end. */
  onStopAsked?: ((kind: UserStop) => void) | undefined;
}

export interface MemoryDisk {
  readonly journals: Map<string, StoredJournal>;
  readonly dead: Set<string>;
  /** Windows that live and answer nothing. */
  readonly hung: Set<string>;
  /** Asked before each write; throws to let it fail. */
  beforeWrite: (events: readonly NewEvent[], durable: boolean) => void;
  /** The sessions of one window. */
  window(ownerId: string, now: () => number): SessionStore;
  /** The process of a window ends at this instruction: its writes never come back, and it owns nothing any more. */
  kill(ownerId: string): void;
  events(sessionId: string): readonly SessionEvent[];
  /** Puts events into a session as an earlier process would have left them. */
  seed(header: JournalHeader, events: readonly NewEvent[]): void;
}

export function createMemoryDisk(): MemoryDisk {
  const disk: MemoryDisk = {
    journals: new Map(),
    dead: new Set(),
    hung: new Set(),
    beforeWrite: () => undefined,
    window: (ownerId, now) => createStore(disk, ownerId, now),
    kill: (ownerId) => {
      disk.dead.add(ownerId);
      for (const journal of disk.journals.values()) if (journal.owner === ownerId) journal.owner = undefined;
    },
    events: (sessionId) => (disk.journals.get(sessionId)?.lines ?? []).map(readLine),
    seed: (header, events) => {
      const lines = events.map((event, index) =>
        JSON.stringify({ seq: index + 1, at: header.createdAt + index + 1, ...event }),
      );
      disk.journals.set(header.sessionId, { header, lines, owner: undefined });
    },
  };
  return disk;
}

function readLine(line: string): SessionEvent {
  const parsed = parseEvent(JSON.parse(line));
  if (parsed.kind !== 'event') throw new Error(`not an event: ${line}`);
  return parsed.event;
}

function createStore(disk: MemoryDisk, ownerId: string, now: () => number): SessionStore {
  const find = (sessionId: string): StoredJournal => {
    const journal = disk.journals.get(sessionId);
    if (!journal) throw new RatchetError('not_found', 'No such session.');
    return journal;
  };
  const trash = new Map<string, StoredJournal>();
  return {
    list: (folderUri) =>
      Promise.resolve(
        [...disk.journals.values()]
          .filter(({ header }) => header.folder.uri === folderUri)
          .map((journal) => listed(journal)),
      ),
    create: (folder: FolderIdentity, sessionId = `session-${String(disk.journals.size + 1)}`) => {
      const header: JournalHeader = { ratchet: 'journal', format: 1, sessionId, folder, createdAt: now() };
      const journal: StoredJournal = { header, lines: [], owner: undefined };
      disk.journals.set(sessionId, journal);
      return Promise.resolve(storedSession(disk, journal, ownerId, now));
    },
    fork: (from, contentAt) => {
      const sessionId = `session-${String(disk.journals.size + 1)}`;
      const { events, origin } = contentAt(now());
      const header: JournalHeader = {
        ratchet: 'journal',
        format: 1,
        sessionId,
        folder: from.folder,
        createdAt: now(),
        ...(origin && { origin }),
      };
      const lines = events.map((event) => JSON.stringify(event));
      const journal: StoredJournal = { header, lines, owner: undefined };
      disk.journals.set(sessionId, journal);
      return Promise.resolve(storedSession(disk, journal, ownerId, now));
    },
    // There are no files in memory.
    importTrace: () => Promise.reject(new RatchetError('not_a_trace', 'Not a trace.')),
    open: async (sessionId) => storedSession(disk, find(sessionId), ownerId, now),
    moveToTrash: async (sessionId) => {
      trash.set(sessionId, find(sessionId));
      disk.journals.delete(sessionId);
      return `trash/${sessionId}`;
    },
    restoreFromTrash: async (sessionId) => {
      const journal = trash.get(sessionId);
      if (!journal) throw new RatchetError('not_found', 'Not in the trash.');
      disk.journals.set(sessionId, journal);
    },
    // No folder ever moves in memory.
    adoptable: () => Promise.resolve([]),
    adopt: () => Promise.resolve(),
  };
}

function listed({ header, lines, owner }: StoredJournal): ListedSession {
  const state = foldEvents(header, lines.map(readLine));
  const { title, lastAt } = state;
  const name = stateName(state, owner !== undefined);
  return {
    id: header.sessionId,
    folder: header.folder,
    title,
    state: name,
    hasWork: hasWork(state),
    createdAt: header.createdAt,
    updatedAt: lastAt,
  };
}

function storedSession(disk: MemoryDisk, journal: StoredJournal, ownerId: string, now: () => number): StoredSession {
  let read = 0;
  let writing = false;
  const catchUp = (onEvent: (event: SessionEvent) => void): void => {
    if (writing) return;
    for (; read < journal.lines.length; read++) onEvent(readLine(journal.lines[read] ?? ''));
  };
  const write = async (events: readonly NewEvent[], durable: boolean): Promise<readonly SessionEvent[]> => {
    // Later, as a real write is.
    await Promise.resolve();
    if (disk.dead.has(ownerId)) return new Promise(() => undefined);
    disk.beforeWrite(events, durable);
    if (journal.owner !== ownerId) throw new RatchetError('already_running', 'Taken over.');
    return events.map((event) => {
      const line = JSON.stringify({ seq: journal.lines.length + 1, at: now(), ...event });
      journal.lines.push(line);
      return readLine(line);
    });
  };
  const claimed = (): ClaimedJournal => {
    let closed = false;
    const open = (events: readonly NewEvent[], durable: boolean): Promise<readonly SessionEvent[]> =>
      closed ? Promise.reject(new RatchetError('storage', 'The trace is closed.')) : write(events, durable);
    return {
      append: (events) => open(events, false),
      appendDurable: (events) => open(events, true),
      close: async () => {
        if (disk.dead.has(ownerId)) return new Promise(() => undefined);
        closed = true;
        // Giving the lease free takes a moment on a real disk.
        await new Promise((resolve) => setImmediate(resolve));
        writing = false;
        read = journal.lines.length;
        if (journal.owner === ownerId) journal.owner = undefined;
      },
    };
  };
  return {
    id: journal.header.sessionId,
    header: journal.header,
    folder: journal.header.folder,
    storage: `/storage/${journal.header.sessionId}`,
    damage: undefined,
    catchUp: async (onEvent) => catchUp(onEvent),
    claim: async (onEvent, onStopAsked) => {
      if (disk.dead.has(ownerId)) return new Promise(() => undefined);
      if (journal.owner !== undefined) return undefined;
      journal.owner = ownerId;
      journal.onStopAsked = onStopAsked;
      catchUp(onEvent);
      writing = true;
      return claimed();
    },
    askToStop: async (kind) => {
      const { owner } = journal;
      if (owner === undefined || owner === ownerId) return undefined;
      const takes = !disk.hung.has(owner);
      if (takes) setImmediate(() => journal.onStopAsked?.(kind));
      return {
        look: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          const status = journal.owner === owner ? (takes ? 'taken' : 'waiting') : 'over';
          return { status, silentMs: takes ? 0 : 20_000 };
        },
      };
    },
    isHeldElsewhere: async () => journal.owner !== undefined && journal.owner !== ownerId,
  };
}
