// Sessions as folders: <root>/<key of the workspace folder>/<session id>/journal.jsonl and what belongs to it.
// Nothing in here is deleted because it could not be read.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicFactory } from 'ulid';
import { RatchetError, messageOf } from '../core/errors.ts';
import type { JournalHeader, NewEvent, SessionEvent } from '../core/events.ts';
import { countOf } from '../core/words.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { createFolder } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
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
      crashPoint('after_session_folder');
      const header = await createJournal(join(storage, journalName), id, folder, options.now());
      crashPoint('after_journal_created');
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
      const keys = sessionIdPattern.test(sessionId) ? await namesIn(join(options.root, trashName)) : [];
      for (const key of keys) {
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
    const at = (await stat(folder).catch(ignoreMissing))?.mtimeMs ?? 0;
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
  #reading: Promise<void> = Promise.resolve();
  #writing = false;
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
        throw new RatchetError(
          'storage',
          `The first line of this session's trace cannot be read. It is kept in ${storage}.`,
        );
      }
      const { id: sessionId, folder, createdAt } = summary;
      return new FileSession(storage, { ratchet: 'journal', format: 1, sessionId, folder, createdAt }, options);
    } catch (error) {
      throw storageError(error);
    }
  }

  get id(): string {
    return this.header.sessionId;
  }

  get damage(): string | undefined {
    const { unreadableLines, unknownRecords, missingRecords } = this.#damage;
    // A line that cannot be read leaves a hole of one record behind.
    const lost = missingRecords - unreadableLines;
    const parts = [
      ...(unreadableLines > 0
        ? [
            `${countOf(unreadableLines, 'line')} of the trace could not be read and ${unreadableLines === 1 ? 'was' : 'were'} passed over`,
          ]
        : []),
      ...(unknownRecords > 0
        ? [`${countOf(unknownRecords, 'record')} of a later version ${unknownRecords === 1 ? 'is' : 'are'} not shown`]
        : []),
      ...(lost > 0 ? [`${countOf(lost, 'record')} of the trace ${lost === 1 ? 'is' : 'are'} missing`] : []),
    ];
    return parts.length === 0 ? undefined : `${parts.join('; ')}. Everything else is here.`;
  }

  catchUp(onEvent: (event: SessionEvent) => void): Promise<void> {
    // One read at a time, each from where the last one ended: an event is given out once.
    const reading = this.#reading.then(() => this.#read(onEvent));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(onEvent: (event: SessionEvent) => void): Promise<void> {
    // What is written from here is not news, and its position is the writer's.
    if (this.#writing) return;
    try {
      const { position, damage } = await readJournal(this.#journal, this.#position, onEvent);
      this.#position = position;
      this.#damage = addDamage(this.#damage, damage);
    } catch (error) {
      throw storageError(error);
    }
  }

  async claim(onEvent: (event: SessionEvent) => void): Promise<ClaimedJournal | undefined> {
    let lease: Lease | undefined;
    try {
      lease = await Lease.acquire(this.storage, this.#options.ownerId);
      if (!lease) return undefined;
      await this.catchUp(onEvent);
      this.#writing = true;
      return await this.#openJournal(lease);
    } catch (error) {
      if (lease) this.#writing = false;
      await this.#release(lease);
      throw storageError(error);
    }
  }

  async #openJournal(lease: Lease): Promise<ClaimedJournal> {
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
        try {
          await writer.close();
        } finally {
          this.#position = writer.position;
          this.#writing = false;
          await this.#release(lease);
        }
      },
    };
  }

  /** A release that cannot be written (the disk is full, the folder is gone) keeps nothing back here, and others until this process ends. */
  async #release(lease: Lease | undefined): Promise<void> {
    try {
      await lease?.release();
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      this.#options.log(`Session ${this.id} could not be given free`, error);
    }
  }

  async isHeldElsewhere(): Promise<boolean> {
    try {
      return (await leaseStatus(this.storage, this.#options.ownerId)) === 'held';
    } catch (error) {
      throw storageError(error);
    }
  }
}

/** What a failure of the file system means to whoever asked for the session; anything else passes as it is. */
function storageError(error: unknown): unknown {
  if (error instanceof FutureFormatError)
    return new RatchetError('unsupported_format', error.message, { cause: error });
  const code = systemErrorCode(error);
  if (code === undefined || error instanceof RatchetError) return error;
  if (code === 'ENOENT')
    return new RatchetError('not_found', 'The trace of this session is not there any more.', { cause: error });
  const text = `The trace of this session cannot be read or written: ${messageOf(error)}. Check the disk and the permissions of its folder.`;
  return new RatchetError('storage', text, { cause: error });
}

function ignoreMissing(error: unknown): undefined {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
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
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
