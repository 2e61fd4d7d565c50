// The one writer of a journal file: queued appends, durable barriers, nothing half-written left behind.
// Who may write is the lease's business; what the events mean is nobody's here.
import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import {
  journalFormat,
  type FolderIdentity,
  type JournalHeader,
  type NewEvent,
  type SessionEvent,
} from '../core/events.ts';
import { RatchetError } from '../core/errors.ts';
import { wellFormed } from '../core/wellFormed.ts';
import type { JournalWriter } from '../runner/ports.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { publishOnce } from '../platform/durableFiles.ts';
import { storageRefusal } from './inStorage.ts';
import type { ReadPosition } from './journalReader.ts';

export interface WriterOptions {
  readonly now: () => number;
  /** Takes known secrets out of an event before it is written. */
  readonly redact: (event: NewEvent) => NewEvent;
  /** Called before each write; throws when this process is no longer the owner. */
  readonly assertOwner: () => void;
}

/** Makes the journal of a new session: the header, on disk in whole or not at all. Never replaces one that is there. */
export async function createJournal(
  file: string,
  sessionId: string,
  folder: FolderIdentity,
  now: number,
): Promise<JournalHeader> {
  const header: JournalHeader = { ratchet: 'journal', format: journalFormat, sessionId, folder, createdAt: now };
  await publishOnce(file, `${JSON.stringify(wellFormed(header))}\n`);
  return header;
}

interface Batch {
  readonly events: readonly NewEvent[];
  readonly durable: boolean;
  resolve(events: readonly SessionEvent[]): void;
  reject(error: unknown): void;
}

export class JournalFileWriter implements JournalWriter {
  readonly #handle: FileHandle;
  readonly #options: WriterOptions;
  #size: number;
  #lastSeq: number;
  #queue: Batch[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;
  /** A failed write may have left something behind the last complete line. */
  #hasRemains = false;
  #closing: Promise<void> | undefined;

  private constructor(handle: FileHandle, position: ReadPosition, options: WriterOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#size = position.offset;
    this.#lastSeq = position.lastSeq;
  }

  /**
   * Opens a journal for writing after its last complete line. Bytes behind that line (a torn one) are copied to a file
   * beside the journal and cut off, since an append to them would cost two records.
   * @throws the error of the file system
   */
  static async open(file: string, position: ReadPosition, options: WriterOptions): Promise<JournalFileWriter> {
    await keepTornTail(file, position.offset);
    const handle = await open(file, constants.O_WRONLY | constants.O_APPEND);
    return new JournalFileWriter(handle, position, options);
  }

  get position(): ReadPosition {
    return { offset: this.#size, lastSeq: this.#lastSeq };
  }

  append(events: readonly NewEvent[]): Promise<readonly SessionEvent[]> {
    return this.#enqueue(events, false);
  }

  appendDurable(events: readonly NewEvent[]): Promise<readonly SessionEvent[]> {
    return this.#enqueue(events, true);
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#closing ??= Promise.resolve(this.#draining).then(() => this.#handle.close());
    return this.#closing;
  }

  #enqueue(events: readonly NewEvent[], durable: boolean): Promise<readonly SessionEvent[]> {
    if (this.#closed) return Promise.reject(new RatchetError('storage', 'The trace of this session is closed.'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ events, durable, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batches = this.#queue;
      this.#queue = [];
      await this.#write(batches);
    }
    this.#draining = undefined;
  }

  /** One write and at most one barrier for everything that waited. All of it is acknowledged, or none. */
  async #write(batches: readonly Batch[]): Promise<void> {
    const before = this.position;
    try {
      this.#options.assertOwner();
      if (this.#hasRemains) await this.#cutRemains(before.offset);
      const written = batches.map((batch) => batch.events.map((event) => this.#stamp(event)));
      const bytes = Buffer.from(
        written
          .flat()
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(''),
        'utf8',
      );
      crashPoint('before_journal_write');
      await this.#writeAll(bytes);
      crashPoint('after_journal_write');
      if (batches.some((batch) => batch.durable)) {
        await this.#handle.datasync();
        crashPoint('after_journal_barrier');
      }
      this.#size += bytes.length;
      batches.forEach((batch, index) => {
        batch.resolve(written[index] ?? []);
      });
    } catch (error) {
      this.#lastSeq = before.lastSeq;
      const failure = await this.#undo(before.offset, error);
      for (const batch of batches) batch.reject(failure);
    }
  }

  #stamp(event: NewEvent): SessionEvent {
    this.#lastSeq += 1;
    // `seq` and `at` stand first, so that a journal reads well; the rest is checked by the event's own type.
    return wellFormed({ seq: this.#lastSeq, at: this.#options.now(), ...this.#options.redact(event) });
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done);
      done += bytesWritten;
    }
  }

  /** Takes back what a failed write left, so that no later record fuses with half a line. */
  async #undo(size: number, cause: unknown): Promise<Error> {
    if (cause instanceof RatchetError) return cause;
    this.#hasRemains = true;
    // Where that fails too, it is tried again before the next write: nothing is written behind half a line.
    await this.#cutRemains(size).catch(() => undefined);
    return storageRefusal('The trace', cause);
  }

  async #cutRemains(size: number): Promise<void> {
    await this.#handle.truncate(size);
    this.#hasRemains = false;
  }
}

/** Moves what stands after the last complete line to a file of its own beside the journal, byte for byte. */
async function keepTornTail(file: string, offset: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    if (size <= offset) return;
    crashPoint('before_torn_tail_kept');
    const { path, kept } = await openUnused(`${file}.torn-${String(offset)}`);
    try {
      const buffer = Buffer.allocUnsafe(256 * 1024);
      for (let at = offset; at < size;) {
        const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - at), at);
        if (bytesRead === 0) break;
        await kept.writeFile(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
      await kept.sync();
    } catch (error) {
      // The next attempt copies it again.
      await rm(path, { force: true });
      throw error;
    } finally {
      await kept.close();
    }
    crashPoint('after_torn_tail_kept');
    await handle.truncate(offset);
    await handle.datasync();
    crashPoint('after_torn_tail_cut');
  } finally {
    await handle.close();
  }
}

/** A new file for writing: the journal may have been torn at the same place before. */
async function openUnused(first: string): Promise<{ readonly path: string; readonly kept: FileHandle }> {
  for (let attempt = 1; ; attempt++) {
    const path = attempt === 1 ? first : `${first}-${String(attempt)}`;
    try {
      return { path, kept: await open(path, 'wx', 0o600) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
