// Makes a session of an exported trace: its records are checked and written to a journal of its own. It is there with all
// of them or not at all, and nothing in it is trusted: no path, no permission, no process.
import { appendFile, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RatchetError } from '../core/errors.ts';
import {
  journalFormat,
  type FolderIdentity,
  type JournalHeader,
  type NewEvent,
  type SessionEvent,
} from '../core/events.ts';
import { isPlausible, parseSideFileLine, withSafeReferences, type SideFileLine } from '../core/traceExport.ts';
import { wellFormed } from '../core/wellFormed.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { flushFolder } from '../platform/durableFiles.ts';
import { withTemporary } from '../platform/temporaryFiles.ts';
import type { ImportedTrace } from '../runner/sessionStore.ts';
import { FutureFormatError, journalStart, readJournal } from './journalReader.ts';
import { journalName } from './sessionSummary.ts';

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
  const storage = join(target.place, target.sessionId);
  const imported = await withTemporary(storage, async (temporary) => {
    await mkdir(temporary, { mode: 0o700 });
    const copied = await copyRecords(file, temporary, target);
    await flushFolder(temporary);
    crashPoint('before_import_named');
    await rename(temporary, storage);
    crashPoint('after_import_named');
    return copied;
  });
  await flushFolder(target.place);
  return imported;
}

async function copyRecords(file: string, into: string, target: ImportTarget): Promise<ImportedTrace> {
  const { sessionId, folder, now, redact } = target;
  // Sent into the new folder as it is read, a chunk at a time and without holding up the event loop: a trace of 200 MB is
  // never held whole.
  const out = await open(join(into, journalName), 'wx', 0o600);
  const sides = new SideFiles(into);
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
    let records = 0;
    let implausible = 0;
    let lastSeq = 0;
    const onEvent = (event: SessionEvent): void => {
      if (!isPlausible(event)) {
        implausible += 1;
        return;
      }
      records += 1;
      lastSeq = event.seq;
      const { seq, at } = event;
      put({ seq, at, ...redact(withSafeReferences(event)) });
    };
    const onOther = (value: unknown): boolean => {
      const line = parseSideFileLine(value);
      if (line) sides.append(line);
      return line !== undefined;
    };
    const header: JournalHeader = { ratchet: 'journal', format: journalFormat, sessionId, folder, createdAt: now };
    put(header);
    const read = await readTrace(file, onEvent, onOther, flush);
    if (!read.header) throw notATrace();
    const { unreadableLines, unknownRecords } = read.damage;
    const unreadable = unreadableLines + unknownRecords + implausible + (read.tailBytes > 0 ? 1 : 0);
    const { sessionId: from, folder: made, createdAt } = read.header;
    const imported: NewEvent = {
      type: 'session_imported',
      from: { sessionId: from, folderPath: made.path, createdAt },
      records,
      unreadable,
    };
    put({ seq: lastSeq + 1, at: now, ...redact(imported) });
    await flush();
    await out.sync();
    await sides.sync();
    return { sessionId, records, unreadable };
  } finally {
    await out.close();
  }
}

async function readTrace(
  file: string,
  onEvent: (event: SessionEvent) => void,
  onOther: (value: unknown) => boolean,
  afterChunk: () => Promise<void>,
): ReturnType<typeof readJournal> {
  try {
    return await readJournal(file, journalStart, onEvent, onOther, afterChunk);
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

/** The outputs that follow the records; pieces of one stand together. */
class SideFiles {
  readonly #into: string;
  #pending: SideFileLine[] = [];
  readonly #written = new Set<string>();

  constructor(into: string) {
    this.#into = into;
  }

  append(line: SideFileLine): void {
    this.#pending.push(line);
  }

  async flush(): Promise<void> {
    const lines = this.#pending;
    this.#pending = [];
    for (const { path, text } of lines) {
      const file = join(this.#into, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, text, { mode: 0o600 });
      this.#written.add(file);
    }
  }

  /** Makes them durable. */
  async sync(): Promise<void> {
    for (const file of this.#written) {
      const handle = await open(file, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    for (const folder of new Set([...this.#written].map((file) => dirname(file)))) await flushFolder(folder);
  }
}
