// Writes the trace of a session to a file, record by record: what a record becomes is passed in. The journal is read in
// pieces and never held whole; it is not changed.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalHeader, SessionEvent } from '../core/events.ts';
import type { ExportRedactor } from '../core/exportRedaction.ts';
import { isSafeSidePath, sideFileLine } from '../core/traceExport.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { journalStart, readJournal, type JournalDamage } from './journalReader.ts';
import { journalName } from './sessionSummary.ts';

/** What is written at once. */
const pieceBytes = 256 * 1024;
/** A piece that cannot be cut, such as one line or a private key without an end, goes on for at most this long. */
const longestPiece = 4 * pieceBytes;
/** What of a piece is looked at with the next one too: longer than any secret and what tells it, in UTF-16 units. */
const overlap = 8_192;

interface ShownOutput {
  readonly text: string;
  /** Of all of it. */
  readonly bytes: number;
  readonly isPart: boolean;
}

export interface TraceFormat {
  readonly start: string;
  event(event: SessionEvent, output: ShownOutput | undefined): string;
  /** How much of an output `event` is given, in bytes; 0 for none. */
  readonly outputBytes: number;
  /** A piece of an output, after all events; absent where outputs do not follow. */
  readonly sidePiece?: (path: string, text: string) => string;
  /** The last place up to `wanted` at which an output can be cut; `wanted` where it is absent. */
  readonly cutPlace?: (text: string, wanted: number) => number;
  end(damage: JournalDamage): string;
}

/**
 * @param storage the session's folder
 * @param file is made, 0600; it must not be there
 * @throws FutureFormatError, or the error of the file system
 */
export async function exportTrace(storage: string, file: string, format: TraceFormat): Promise<JournalDamage> {
  const out = openSync(file, 'wx', 0o600);
  try {
    let pending = format.start;
    const flush = (): void => {
      if (pending !== '') writeSync(out, pending);
      pending = '';
    };
    const put = (text: string): void => {
      pending += text;
      if (pending.length > pieceBytes) flush();
    };
    const outputs = new Set<string>();
    const { damage } = await readJournal(join(storage, journalName), journalStart, (event) => {
      const output = event.type === 'step_finished' ? event.output : undefined;
      const path = output && isSafeSidePath(output.file) ? output.file : undefined;
      if (path !== undefined) outputs.add(path);
      const shown =
        output && path !== undefined && format.outputBytes > 0
          ? shownOutput(join(storage, path), output.bytes, format)
          : undefined;
      put(format.event(event, shown));
    });
    if (format.sidePiece) {
      for (const path of outputs) {
        for await (const piece of piecesOf(join(storage, path), format.cutPlace)) put(format.sidePiece(path, piece));
      }
    }
    put(format.end(damage));
    flush();
    return damage;
  } finally {
    closeSync(out);
  }
}

/** In step with the events, which come without a pause: small, and from the file's beginning. */
function shownOutput(path: string, bytes: number, format: TraceFormat): ShownOutput | undefined {
  const limit = format.outputBytes;
  try {
    const file = openSync(path, 'r');
    try {
      const isPart = bytes > limit;
      const buffer = Buffer.alloc(limit + (isPart ? overlap : 0));
      const length = readSync(file, buffer, 0, buffer.length, 0);
      const text = buffer.toString('utf8', 0, length);
      if (!isPart) return { text, bytes, isPart };
      // Half a line may hold half a secret, which nothing would know for one.
      const end = buffer.toString('utf8', 0, Math.min(limit, length)).lastIndexOf('\n') + 1;
      return { text: text.slice(0, format.cutPlace?.(text, end) ?? end), bytes, isPart };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    ignoreMissing(error);
    return;
  }
}

/** A text file in pieces that end with a line where lines are not too long, none inside of what is taken out. */
async function* piecesOf(path: string, cutPlace: TraceFormat['cutPlace']): AsyncGenerator<string> {
  const handle = await open(path, 'r').catch(ignoreMissing);
  if (!handle) return;
  try {
    let held = '';
    for await (const chunk of handle.createReadStream({
      encoding: 'utf8',
      highWaterMark: pieceBytes,
      autoClose: false,
    })) {
      held += String(chunk);
      const most = held.length - overlap;
      if (most <= 0) continue;
      const line = held.lastIndexOf('\n', most - 1) + 1;
      let length = line === 0 ? 0 : (cutPlace?.(held, line) ?? line);
      if (length === 0 && held.length < longestPiece) continue;
      // One line, or one secret, that is too long for a piece.
      if (length === 0) length = cutPlace?.(held, most) ?? most;
      if (length === 0) length = most;
      // Not between the halves of one character.
      if (/[\uD800-\uDBFF]/.test(held.charAt(length - 1))) length -= 1;
      yield held.slice(0, length);
      held = held.slice(length);
    }
    if (held !== '') yield held;
  } finally {
    await handle.close();
  }
}

/** An output may have been deleted: the record of it stays. */
function ignoreMissing(error: unknown): undefined {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
}

/** The records as lines that can be imported again, each without what the redactor takes out. */
export function linesFormat(header: JournalHeader, redactor: ExportRedactor): TraceFormat {
  return {
    start: `${JSON.stringify(header)}\n`,
    event: (event) => `${JSON.stringify(redactor.event(event))}\n`,
    outputBytes: 0,
    sidePiece: (path, text) => sideFileLine(path, redactor.text(text)),
    cutPlace: redactor.cutPlace,
    end: () => '',
  };
}
