// Makes a session of an exported trace: its records are checked, stripped of what could act here, numbered anew and written
// to a journal of its own. It is there with all of them or not at all, and what it is of foreign origin is said for good.
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { RatchetError } from '../core/errors.ts';
import {
  journalFormat,
  type FolderIdentity,
  type JournalHeader,
  type NewEvent,
  type SessionEvent,
} from '../core/events.ts';
import { createExportRedactor } from '../core/exportRedaction.ts';
import { foreignRecord } from '../core/foreignRecords.ts';
import { isPlausible } from '../core/plausible.ts';
import { renumbered, SeqNumbers } from '../core/seqNumbers.ts';
import { parseSideFileLine } from '../core/traceExport.ts';
import { ellipsis, wellFormed } from '../core/wellFormed.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { flushFolder } from '../platform/durableFiles.ts';
import { withTemporary } from '../platform/temporaryFiles.ts';
import type { ImportedTrace } from '../runner/sessionStore.ts';
import { ImportedSideFiles } from './importedSideFiles.ts';
import { FutureFormatError, journalStart, readJournal } from './journalReader.ts';
import { OpenEnds } from './openEnds.ts';
import { journalName } from './sessionSummary.ts';
import { openTrace, type TraceFile } from './traceFile.ts';

export interface ImportTarget {
  /** The folder in the store where sessions of this workspace folder are. */
  readonly place: string;
  readonly sessionId: string;
  readonly folder: FolderIdentity;
  readonly now: number;
  readonly redact: (event: NewEvent) => NewEvent;
}

/** Durable when it resolves. @throws RatchetError `not_a_trace` or `unsupported_format`, or the error of the file system */
export async function importTrace(file: string, target: ImportTarget): Promise<ImportedTrace> {
  const trace = await openTrace(file);
  try {
    const storage = join(target.place, target.sessionId);
    const imported = await withTemporary(storage, async (temporary) => {
      await mkdir(temporary, { mode: 0o700 });
      const copied = await copyRecords(trace, temporary, target);
      await flushFolder(temporary);
      crashPoint('before_import_named');
      await rename(temporary, storage);
      crashPoint('after_import_named');
      return copied;
    });
    await flushFolder(target.place);
    return imported;
  } finally {
    await trace.handle.close();
  }
}

/** Of a path or an id in the header, in UTF-16 units: it is shown and nothing else. */
const longestShown = 1_000;
/** Room for the number of the last record, which the header has and only the end of the file tells. */
const numberRoom = 16;

async function copyRecords(trace: TraceFile, into: string, target: ImportTarget): Promise<ImportedTrace> {
  const { sessionId, now, redact } = target;
  // Sent into the new folder as it is read, a chunk at a time and without holding up the event loop: a trace of 200 MB is
  // never held whole.
  const out = await open(join(into, journalName), 'wx', 0o600);
  const redactor = createExportRedactor([]);
  const sides = new ImportedSideFiles(into, (text) => redactor.text(text));
  try {
    let pending = '';
    const put = (line: unknown): void => {
      pending += `${JSON.stringify(wellFormed(line))}\n`;
    };
    const flush = async (): Promise<void> => {
      if (pending !== '') await out.appendFile(pending);
      pending = '';
      await sides.flush();
    };
    const counts = { records: 0, implausible: 0, leftOut: 0 };
    const numbers = new SeqNumbers();
    const ends = new OpenEnds();
    const onEvent = (event: SessionEvent): void => {
      if (!isPlausible(event)) {
        counts.implausible += 1;
        return;
      }
      const kept = foreignRecord(event);
      const record = kept && renumbered(kept, numbers);
      if (!record) {
        counts.leftOut += 1;
        return;
      }
      counts.records += 1;
      ends.apply(record);
      const { seq, at } = record;
      put({ seq, at, ...redact(redactor.event(record)) });
    };
    const onOther = (value: unknown): boolean => {
      const line = parseSideFileLine(value);
      if (line) sides.append(line);
      return line !== undefined;
    };
    const head = headerLine(target, 0);
    pending = head;
    const read = await readTrace(trace, onEvent, onOther, flush);
    if (!read.header) throw notATrace();
    for (const event of ends.missing()) put({ seq: numbers.add(), at: now, ...event });
    const { unreadableLines, unknownRecords } = read.damage;
    const unreadable = unreadableLines + unknownRecords + counts.implausible + (read.tailBytes > 0 ? 1 : 0);
    const { records, leftOut } = counts;
    put({ seq: numbers.add(), at: now, ...redact(markerOf(read.header, records, unreadable, leftOut)) });
    await flush();
    await out.write(headerLine(target, numbers.count), 0, 'utf8');
    await out.sync();
    await sides.sync();
    return { sessionId, records, unreadable, leftOut };
  } finally {
    await out.close();
  }
}

/** Always of the same length, so that it can be put in its place when the number is known. */
function headerLine({ sessionId, folder, now }: ImportTarget, uptoSeq: number): string {
  const origin = { kind: 'imported', uptoSeq } as const;
  const header: JournalHeader = {
    ratchet: 'journal',
    format: journalFormat,
    sessionId,
    folder,
    createdAt: now,
    origin,
  };
  const text = JSON.stringify(wellFormed(header));
  // Blanks before the last two braces mean nothing in JSON.
  return `${text.slice(0, -2)}${' '.repeat(numberRoom - String(uptoSeq).length)}}}\n`;
}

function markerOf(from: JournalHeader, records: number, unreadable: number, leftOut: number): NewEvent {
  const { sessionId, folder, createdAt } = from;
  return {
    type: 'session_imported',
    from: {
      sessionId: ellipsis(sessionId, longestShown),
      folderPath: ellipsis(folder.path, longestShown),
      createdAt: Number.isSafeInteger(createdAt) ? createdAt : 0,
    },
    records,
    unreadable,
    ...(leftOut > 0 && { leftOut }),
  };
}

async function readTrace(
  { handle, size }: TraceFile,
  onEvent: (event: SessionEvent) => void,
  onOther: (value: unknown) => boolean,
  afterChunk: () => Promise<void>,
): ReturnType<typeof readJournal> {
  try {
    return await readJournal({ handle, end: size }, journalStart, onEvent, onOther, afterChunk);
  } catch (error) {
    if (error instanceof FutureFormatError)
      throw new RatchetError('unsupported_format', error.message, { cause: error });
    throw error;
  }
}

function notATrace(): RatchetError {
  return new RatchetError(
    'not_a_trace',
    'This file is not a trace: its first line is not the header of one. Choose a .jsonl file that Export Trace made.',
  );
}
