// Sessions as folders: <root>/<key of the workspace folder>/<session id>/journal.jsonl and what belongs to it.
// Nothing in here is deleted because it could not be read.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicFactory } from 'ulid';
import { RatchetError, messageOf } from '../core/errors.ts';
import type { FolderIdentity, JournalHeader, NewEvent, SessionEvent } from '../core/events.ts';
import { countOf } from '../core/words.ts';
import { createFolder } from '../jobs/durableFiles.ts';
import type { ClaimedJournal, ListedSession, SessionStore, StoredSession } from '../runner/sessionStore.ts';
import {
  FutureFormatError,
  addDamage,
  journalStart,
  noDamage,
  readJournal,
  type JournalDamage,
  type ReadPosition,
} from './journalReader.ts';
import { JournalFileWriter, createJournal } from './journalWriter.ts';
import { Lease, leaseStatus } from './lease.ts';
import { journalName, readSummary } from './sessionSummary.ts';

export interface FileStoreOptions {
  /** Folder for all sessions of this window; made when needed. */
  readonly root: string;
  /** Identifies this window among the owners of sessions. */
  readonly ownerId: string;
  readonly now: () => number;
  readonly redact: (event: NewEvent) => NewEvent;
  readonly log: (message: string, error?: unknown) => void;
}

const trashName = 'trash';
const sessionIdPattern = /^[0-9A-Za-z_-]{1,64}$/;

/** The name of a workspace folder's folder: its URI may be long and hold anything. */
export function folderKey(folderUri: string): string {
  return createHash('sha256').update(folderUri).digest('hex').slice(0, 16);
}

export function createFileSessionStore(options: FileStoreOptions): SessionStore {
  const newId = monotonicFactory();
  const find = async (sessionId: string): Promise<string> => {
    if (sessionIdPattern.test(sessionId)) {
      for (const key of await namesIn(options.root)) {
        const folder = join(options.root, key, sessionId);
        if (key !== trashName && (await exists(join(folder, journalName)))) return folder;
      }
    }
    throw new RatchetError('not_found', 'This session does not exist, or its folder was removed.');
  };
  return {
    async list(folderUri) {
      const parent = join(options.root, folderKey(folderUri));
      const sessions: ListedSession[] = [];
      for (const id of await namesIn(parent)) {
        const row = await listedSession(join(parent, id), id, folderUri, options);
        if (row) sessions.push(row);
      }
      return sessions.sort((a, b) => b.updatedAt - a.updatedAt);
    },
    async create(folder) {
      const id = newId();
      const storage = join(options.root, folderKey(folder.uri), id);
      await createFolder(storage);
      const header = await createJournal(join(storage, journalName), id, folder, options.now());
      return new FileSession(storage, header, options);
    },
    async open(sessionId) {
      const storage = await find(sessionId);
      return FileSession.open(storage, options);
    },
    async moveToTrash(sessionId) {
      const storage = await find(sessionId);
      const key = storage.split(/[\\/]/).at(-2) ?? '';
      const target = join(options.root, trashName, key, sessionId);
      await mkdir(join(options.root, trashName, key), { recursive: true, mode: 0o700 });
      await rename(storage, target);
      return target;
    },
    async restoreFromTrash(sessionId) {
      for (const key of await namesIn(join(options.root, trashName))) {
        const source = join(options.root, trashName, key, sessionId);
        if (!(await exists(source))) continue;
        await rename(source, join(options.root, key, sessionId));
        return;
      }
      throw new RatchetError('not_found', 'This session is no longer in the trash.');
    },
  };
}

async function listedSession(
  folder: string,
  id: string,
  folderUri: string,
  options: FileStoreOptions,
): Promise<ListedSession | undefined> {
  const unreadable = async (problem: string): Promise<ListedSession> => {
    const at = (await stat(folder)).mtimeMs;
    const owner = { uri: folderUri, name: '', path: '' };
    return { id, folder: owner, title: '', state: 'created', hasWork: false, createdAt: at, updatedAt: at, problem };
  };
  try {
    if (!(await exists(join(folder, journalName)))) return undefined;
    const summary = await readSummary(folder);
    if (!summary) return await unreadable(`Its first line cannot be read. The trace is kept in ${folder}.`);
    const alive = summary.state === 'interrupted' && (await leaseStatus(folder, options.ownerId)) !== 'free';
    return alive ? { ...summary, state: 'running' } : summary;
  } catch (error) {
    options.log(`Session ${id} could not be listed`, error);
    return unreadable(messageOf(error));
  }
}

class FileSession implements StoredSession {
  readonly storage: string;
  readonly header: JournalHeader;
  readonly #journal: string;
  readonly #options: FileStoreOptions;
  #position: ReadPosition = journalStart;
  #damage: JournalDamage = noDamage;

  constructor(storage: string, header: JournalHeader, options: FileStoreOptions) {
    this.storage = storage;
    this.header = header;
    this.#journal = join(storage, journalName);
    this.#options = options;
  }

  static async open(storage: string, options: FileStoreOptions): Promise<FileSession> {
    try {
      const summary = await readSummary(storage);
      if (!summary) {
        throw new RatchetError('storage', `The first line of this session's trace cannot be read. It is kept in ${storage}.`);
      }
      const { id: sessionId, folder, createdAt } = summary;
      return new FileSession(storage, { ratchet: 'journal', format: 1, sessionId, folder, createdAt }, options);
    } catch (error) {
      if (error instanceof FutureFormatError) throw new RatchetError('unsupported_format', error.message, { cause: error });
      throw error;
    }
  }

  get id(): string {
    return this.header.sessionId;
  }

  get damage(): string | undefined {
    const { unreadableLines, unknownRecords } = this.#damage;
    const parts = [
      ...(unreadableLines > 0 ? [`${countOf(unreadableLines, 'line')} of the trace could not be read and ${unreadableLines === 1 ? 'was' : 'were'} passed over`] : []),
      ...(unknownRecords > 0 ? [`${countOf(unknownRecords, 'record')} of a later version ${unknownRecords === 1 ? 'is' : 'are'} not shown`] : []),
    ];
    return parts.length === 0 ? undefined : `${parts.join('; ')}. Everything else is here.`;
  }

  async catchUp(onEvent: (event: SessionEvent) => void): Promise<void> {
    const { position, damage } = await readJournal(this.#journal, this.#position, onEvent);
    this.#position = position;
    this.#damage = addDamage(this.#damage, damage);
  }

  async claim(onEvent: (event: SessionEvent) => void): Promise<ClaimedJournal | undefined> {
    const lease = await Lease.acquire(this.storage, this.#options.ownerId);
    if (!lease) return undefined;
    try {
      await this.catchUp(onEvent);
      const { now, redact } = this.#options;
      const writer = await JournalFileWriter.open(this.#journal, this.#position, {
        now,
        redact,
        assertOwner: () => {
          lease.assertOwner();
        },
      });
      return {
        append: (events) => writer.append(events),
        appendDurable: (events) => writer.appendDurable(events),
        close: async () => {
          await writer.close();
          this.#position = writer.position;
          await lease.release();
        },
      };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async isHeldElsewhere(): Promise<boolean> {
    return (await leaseStatus(this.storage, this.#options.ownerId)) === 'held';
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await namedStat(path)) !== undefined;
}

async function namedStat(path: string): Promise<true | undefined> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}
