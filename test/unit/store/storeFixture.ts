// Folders, stores and journals for the tests of one block; everything is removed after each test.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FolderIdentity, JournalHeader, NewEvent, SessionEvent } from '../../../src/core/events.ts';
import type { SessionStore, StoredSession } from '../../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';
import { folderKey } from '../../../src/store/sessionPlaces.ts';

export const folder: FolderIdentity = { uri: 'file:///home/ada/job', name: 'job', path: '/home/ada/job' };

export interface StoreFixture {
  /** Where the sessions of all windows of the test are. */
  readonly root: string;
  readonly logged: { readonly message: string; readonly error: unknown }[];
  window(ownerId: string, redact?: (event: NewEvent) => NewEvent): SessionStore;
  /** The folder of a session. */
  storage(sessionId: string): string;
  journal(sessionId: string): string;
  /** Makes a session whose journal has exactly these bytes. */
  seed(sessionId: string, bytes: string | Buffer): Promise<void>;
}

export function useStore(): () => StoreFixture {
  let fixture: StoreFixture | undefined;
  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'ratchet-store-'));
    const logged: StoreFixture['logged'] = [];
    const storage = (sessionId: string): string => join(root, folderKey(folder.uri), sessionId);
    fixture = {
      root,
      logged,
      storage,
      journal: (sessionId) => join(storage(sessionId), 'journal.jsonl'),
      window: (ownerId, redact = (event) => event) =>
        createFileSessionStore({
          root,
          ownerId,
          now: Date.now,
          redact,
          log: (message, error) => logged.push({ message, error }),
        }),
      seed: async (sessionId, bytes) => {
        await mkdir(storage(sessionId), { recursive: true, mode: 0o700 });
        await writeFile(join(storage(sessionId), 'journal.jsonl'), bytes);
      },
    };
  });
  afterEach(async () => {
    if (fixture) await rm(fixture.root, { recursive: true });
  });
  return () => {
    if (!fixture) throw new Error('only inside of a test');
    return fixture;
  };
}

export function headerLine(sessionId: string, more: Partial<Record<keyof JournalHeader, unknown>> = {}): string {
  return `${JSON.stringify({ ratchet: 'journal', format: 1, sessionId, folder, createdAt: 1_000, ...more })}\n`;
}

export function lines(events: readonly NewEvent[], firstSeq = 1): string {
  return events
    .map((event, index) => `${JSON.stringify({ seq: firstSeq + index, at: 2_000 + index, ...event })}\n`)
    .join('');
}

export function note(text: string): NewEvent {
  return { type: 'note_added', level: 'info', text };
}

export const runStarted: NewEvent = {
  type: 'run_started',
  runId: 'r1',
  cause: 'message',
  model: 'm',
  thinking: 'off',
  maxTokens: 10,
};
export const userMessage: NewEvent = { type: 'user_message_added', messageId: 'm1', text: 'Go.', origin: 'user' };

export async function eventsOf(session: StoredSession): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  await session.catchUp((event) => events.push(event));
  return events;
}

export async function linesIn(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').slice(0, -1);
}
