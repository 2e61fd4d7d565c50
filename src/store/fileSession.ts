// One session in its folder: reading what is new in its journal, owning it, and what its damage means in words.
import { join } from 'node:path';
import { RatchetError } from '../core/errors.ts';
import type { FolderIdentity, JournalHeader, NewEvent, SessionEvent } from '../core/events.ts';
import { countOf } from '../core/words.ts';
import { systemErrorAdvice, systemErrorCode, systemErrorWords } from '../platform/systemError.ts';
import { clearTemporaries } from '../platform/temporaryFiles.ts';
import type { UserStop } from '../runner/runStopped.ts';
import type { ClaimedJournal, StopRequest, StoredSession } from '../runner/sessionStore.ts';
import { clearHalfMade } from '../tools/halfMade.ts';
import {
  FutureFormatError,
  addDamage,
  journalStart,
  noDamage,
  readJournal,
  readJournalHeader,
  type JournalDamage,
  type ReadPosition,
} from './journalReader.ts';
import { JournalFileWriter } from './journalWriter.ts';
import { Lease, leaseStatus, ownerElsewhere } from './lease.ts';
import { journalName } from './sessionSummary.ts';
import { isStopRequested, leaveStopRequest } from './stopRequest.ts';

export interface FileSessionOptions {
  /** Identifies this window among the owners of sessions. */
  readonly ownerId: string;
  readonly now: () => number;
  readonly redact: (event: NewEvent) => NewEvent;
  readonly log: (message: string, error?: unknown) => void;
}

export class FileSession implements StoredSession {
  readonly storage: string;
  readonly header: JournalHeader;
  readonly folder: FolderIdentity;
  readonly #journal: string;
  readonly #options: FileSessionOptions;
  #position: ReadPosition = journalStart;
  #reading: Promise<void> = Promise.resolve();
  #writing = false;
  #damage: JournalDamage = noDamage;

  /** @param folder the open folder that the session belongs to now; that of its header where there is none */
  constructor(storage: string, header: JournalHeader, folder: FolderIdentity | undefined, options: FileSessionOptions) {
    this.storage = storage;
    this.header = header;
    this.folder = folder ?? header.folder;
    this.#journal = join(storage, journalName);
    this.#options = options;
  }

  /** @param folderOf the open folder that the sessions of a storage folder belong to now */
  static async open(
    storage: string,
    folderOf: (storage: string) => Promise<FolderIdentity | undefined>,
    options: FileSessionOptions,
  ): Promise<FileSession> {
    try {
      const [header, folder] = await Promise.all([readJournalHeader(join(storage, journalName)), folderOf(storage)]);
      if (!header) {
        throw new RatchetError(
          'storage',
          `The first line of this session's trace cannot be read. It is kept in ${storage}.`,
        );
      }
      return new FileSession(storage, header, folder, options);
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

  async claim(
    onEvent: (event: SessionEvent) => void,
    onStopAsked?: (kind: UserStop) => void,
  ): Promise<ClaimedJournal | undefined> {
    let lease: Lease | undefined;
    try {
      lease = await Lease.acquire(this.storage, this.#options.ownerId);
      if (!lease) return undefined;
      if (onStopAsked) lease.onStopAsked(onStopAsked);
      const cleared = Promise.all([clearTemporaries(this.storage), clearHalfMade(this.storage)]);
      // The lease is not given back while what is cleared could be the next owner's.
      await Promise.all([cleared, this.catchUp(onEvent).finally(() => cleared)]);
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

  /** A release that cannot be made (the disk is read-only, the folder is gone) keeps nothing back here, and others until this process ends. */
  async #release(lease: Lease | undefined): Promise<void> {
    try {
      await lease?.release();
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      this.#options.log(`Session ${this.id} could not be given free`, error);
    }
  }

  async askToStop(kind: UserStop): Promise<StopRequest | undefined> {
    const { storage } = this;
    const { ownerId } = this.#options;
    try {
      const owner = await ownerElsewhere(storage, ownerId);
      if (!owner) return undefined;
      const { generation } = owner;
      await leaveStopRequest(storage, generation, kind);
      return { look: () => lookAtStop(storage, ownerId, generation) };
    } catch (error) {
      throw storageError(error);
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

async function lookAtStop(
  storage: string,
  ownerId: string,
  generation: number,
): Promise<Awaited<ReturnType<StopRequest['look']>>> {
  try {
    const owner = await ownerElsewhere(storage, ownerId);
    if (owner?.generation !== generation) return { status: 'over', silentMs: 0 };
    const status = (await isStopRequested(storage, generation)) ? 'waiting' : 'taken';
    return { status, silentMs: owner.silentMs };
  } catch (error) {
    // Its file was taken away between two looks: the next one tells.
    if (systemErrorCode(error) === 'ENOENT') return { status: 'over', silentMs: 0 };
    throw storageError(error);
  }
}

/** What a failure of the file system means to whoever asked for the session; anything else passes as it is. */
export function storageError(error: unknown): unknown {
  if (error instanceof FutureFormatError)
    return new RatchetError('unsupported_format', error.message, { cause: error });
  const code = systemErrorCode(error);
  if (code === undefined || error instanceof RatchetError) return error;
  if (code === 'ENOENT')
    return new RatchetError('not_found', 'The trace of this session is not there any more.', { cause: error });
  const text = `The trace of this session cannot be read or written: ${systemErrorWords(error)}. ${systemErrorAdvice(error)}`;
  return new RatchetError('storage', text, { cause: error });
}
