// Reads a journal file in pieces: lines to events, with whatever damage there is counted instead of thrown.
// It never writes; what is done about a torn tail is the writer's business.
import { open, type FileHandle } from 'node:fs/promises';
import {
  journalFormat,
  journalHeaderSchema,
  parseEvent,
  type JournalHeader,
  type SessionEvent,
} from '../core/events.ts';
import { isReadableJson } from '../core/jsonLimits.ts';
import { quickParser } from '../core/quickCheck.ts';
import { parsedJson } from '../core/parsedJson.ts';

const chunkSize = 256 * 1024;
/** A header has a few paths in it: a first line that is longer is damage. */
const headerLimit = 64 * 1024;
/** A line longer than this is skipped without being held in memory. */
export const lineLimit = 32 * 1024 * 1024;
const newline = 0x0a;

export interface JournalDamage {
  /** Lines that could not be read, and were passed over. */
  readonly unreadableLines: number;
  /** Records of a type that this version does not know. */
  readonly unknownRecords: number;
  /** Sequence numbers that are missing between the records. */
  readonly missingRecords: number;
}
export const noDamage: JournalDamage = { unreadableLines: 0, unknownRecords: 0, missingRecords: 0 };

export interface ReadPosition {
  /** Byte after the last complete line. */
  readonly offset: number;
  readonly lastSeq: number;
}
export const journalStart: ReadPosition = { offset: 0, lastSeq: 0 };

export interface ReadResult {
  /** Set when the read began at the start and the first line is a header. */
  readonly header: JournalHeader | undefined;
  readonly position: ReadPosition;
  readonly damage: JournalDamage;
  /** Bytes after the last newline: a torn line, or none. */
  readonly tailBytes: number;
}

const headerOf = quickParser(journalHeaderSchema);

/** The journal was written by a later version of the format. */
export class FutureFormatError extends Error {
  readonly format: number;
  constructor(format: number) {
    super(
      `The trace has format ${String(format)}; this version reads format ${String(journalFormat)}. Update Ratchet to open it.`,
    );
    this.name = 'FutureFormatError';
    this.format = format;
  }
}

/**
 * The header of a journal; undefined when its first line is none. Reads no more than that.
 * @throws FutureFormatError, or the error of the file system
 */
export async function readJournalHeader(file: string): Promise<JournalHeader | undefined> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(headerLimit), 0, headerLimit, 0);
    return headerIn(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The header in the first bytes of a journal. @throws FutureFormatError */
export function headerIn(start: Buffer): JournalHeader | undefined {
  const reader = new LineReader(journalStart, () => undefined);
  reader.push(start.subarray(0, start.indexOf(newline) + 1));
  return reader.result().header;
}

/**
 * Reads the complete lines of a part of a journal: for a look at its two ends without reading it whole.
 * @param start byte where to begin; a line that began before it is passed over
 * @throws FutureFormatError, or the error of the file system
 */
export async function readJournalPart(
  file: string,
  start: number,
  end: number,
  onEvent: (event: SessionEvent) => void,
): Promise<ReadResult> {
  const handle = await open(file, 'r');
  try {
    // One byte earlier, to see whether a line begins exactly at the start.
    const from = Math.max(0, start - 1);
    const buffer = Buffer.alloc(Math.max(0, end - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const bytes = buffer.subarray(0, bytesRead);
    const reader = new LineReader({ offset: from, lastSeq: 0 }, onEvent);
    const firstLine = start === 0 ? 0 : bytes.indexOf(newline) + 1;
    if (start === 0 || firstLine > 0) reader.push(bytes.subarray(firstLine));
    return reader.result();
  } finally {
    await handle.close();
  }
}

/** A file that is open already, by its path or by who closes it. */
export interface OpenJournal {
  readonly handle: FileHandle;
  /** Byte up to which it is read. */
  readonly end: number;
}

/**
 * Reads all complete lines from a position on and gives their events to `onEvent` in order. The file is read in
 * chunks, so neither its size nor a huge line is held in memory and the event loop gets its turns.
 * @param onOther is asked about a line of JSON that is no record; true when it is no damage
 * @param afterChunk is waited for after the events of each chunk: who writes them elsewhere keeps up by it
 * @throws FutureFormatError, or the error of the file system
 */
export async function readJournal(
  file: string | OpenJournal,
  from: ReadPosition,
  onEvent: (event: SessionEvent) => void,
  onOther?: (value: unknown) => boolean,
  afterChunk?: () => Promise<void>,
): Promise<ReadResult> {
  const reader = new LineReader(from, onEvent, onOther);
  const { handle, end } = typeof file === 'string' ? { handle: await open(file, 'r'), end: Infinity } : file;
  const read = (into: Buffer, at: number) => handle.read(into, 0, Math.min(chunkSize, Math.max(0, end - at)), at);
  try {
    // While one chunk is taken apart, the next one is read.
    let [chunk, spare] = [Buffer.allocUnsafe(chunkSize), Buffer.allocUnsafe(chunkSize)];
    let { bytesRead } = await read(chunk, from.offset);
    for (let at = from.offset + bytesRead; bytesRead > 0; at += bytesRead) {
      const reading = read(spare, at);
      try {
        reader.push(chunk.subarray(0, bytesRead));
        await afterChunk?.();
      } finally {
        ({ bytesRead } = await reading);
      }
      [chunk, spare] = [spare, chunk];
    }
  } finally {
    if (typeof file === 'string') await handle.close();
  }
  return reader.result();
}

class LineReader {
  readonly #onEvent: (event: SessionEvent) => void;
  readonly #onOther: ((value: unknown) => boolean) | undefined;
  readonly #atStart: boolean;
  #header: JournalHeader | undefined;
  #lineNumber = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #overlong = false;
  #offset: number;
  #lastSeq: number;
  /** The number before a jump that nothing has confirmed yet: one damaged digit must not cost what follows. */
  #beforeJump: number | undefined;
  #unreadable = 0;
  #unknown = 0;
  #missing = 0;

  constructor(from: ReadPosition, onEvent: (event: SessionEvent) => void, onOther?: (value: unknown) => boolean) {
    this.#onEvent = onEvent;
    this.#onOther = onOther;
    this.#atStart = from.offset === 0;
    this.#offset = from.offset;
    this.#lastSeq = from.lastSeq;
  }

  push(chunk: Buffer): void {
    let start = 0;
    if (this.#pendingBytes > 0) {
      const end = chunk.indexOf(newline);
      this.#hold(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) return;
      this.#endLine();
      start = end + 1;
    }
    // Nearly every line stands whole in its chunk: all of those are decoded at once, and their texts share it.
    const after = chunk.lastIndexOf(newline) + 1;
    if (after > start) {
      this.#offset += after - start;
      const text = chunk.toString('utf8', start, after);
      for (let at = 0; at < text.length;) {
        const end = text.indexOf('\n', at);
        this.#lineNumber += 1;
        this.#takeLine(text.slice(at, end));
        at = end + 1;
      }
    }
    this.#hold(chunk.subarray(Math.max(start, after)));
  }

  #hold(piece: Buffer): void {
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes > lineLimit) {
      this.#overlong = true;
      this.#pending = [];
    }
    if (piece.length > 0 && !this.#overlong) this.#pending.push(Buffer.from(piece));
  }

  #endLine(): void {
    this.#offset += this.#pendingBytes + 1;
    this.#lineNumber += 1;
    const line = this.#overlong ? undefined : Buffer.concat(this.#pending).toString('utf8');
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#overlong = false;
    this.#takeLine(line);
  }

  #takeLine(line: string | undefined): void {
    const first = this.#atStart && this.#lineNumber === 1;
    const value = line === undefined ? undefined : parseJson(first ? line.replace(/^\uFEFF/, '') : line);
    if (first && this.#takeHeader(value)) return;
    if (line?.trim() === '') return;
    const parsed = value === undefined ? undefined : parseEvent(value);
    if (!parsed || parsed.kind === 'invalid') {
      if (value === undefined || !this.#onOther?.(value)) this.#unreadable += 1;
      return;
    }
    const seq = parsed.kind === 'event' ? parsed.event.seq : parsed.seq;
    if (seq <= this.#lastSeq) {
      // The same number again is a record that somebody else wrote over the same place: the first one counts.
      if (this.#beforeJump === undefined || seq <= this.#beforeJump) {
        this.#unreadable += 1;
        return;
      }
      // The jump was wrong, not this record.
      this.#missing -= this.#lastSeq - this.#beforeJump - 1;
      this.#lastSeq = this.#beforeJump + 1 < seq ? this.#beforeJump + 1 : this.#beforeJump;
    }
    const jump = seq - this.#lastSeq - 1;
    this.#beforeJump = jump > 0 ? this.#lastSeq : undefined;
    this.#missing += jump;
    this.#lastSeq = seq;
    if (parsed.kind === 'event') this.#onEvent(parsed.event);
    else this.#unknown += 1;
  }

  #takeHeader(value: unknown): boolean {
    const header = headerOf(value);
    if (!header) return false;
    if (header.format > journalFormat) throw new FutureFormatError(header.format);
    this.#header = header;
    return true;
  }

  result(): ReadResult {
    return {
      header: this.#header,
      position: { offset: this.#offset, lastSeq: this.#lastSeq },
      damage: { unreadableLines: this.#unreadable, unknownRecords: this.#unknown, missingRecords: this.#missing },
      tailBytes: this.#pendingBytes,
    };
  }
}

function parseJson(line: string): unknown {
  // A text of a few megabytes can stand for gigabytes of arrays.
  return isReadableJson(line) ? parsedJson(line) : undefined;
}

export function addDamage(a: JournalDamage, b: JournalDamage): JournalDamage {
  return {
    unreadableLines: a.unreadableLines + b.unreadableLines,
    unknownRecords: a.unknownRecords + b.unknownRecords,
    missingRecords: a.missingRecords + b.missingRecords,
  };
}
