// The files of a forked session: those of the other session that its records name first, its journal last, whole. A fork
// that was cut before that is no session: nothing lists it.
import { copyFile, link, mkdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { JournalHeader, SessionEvent } from '../core/events.ts';
import { isContentHash } from '../core/traceExport.ts';
import { wellFormed } from '../core/wellFormed.ts';
import { publishOnce } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { ForkContent } from '../runner/sessionStore.ts';

/** Links what is never changed; copies it where the file system has no links. What is not there (any more) is passed over. */
export async function takeSideFiles(from: string, to: string, { outputs, contents }: ForkContent): Promise<void> {
  const files = [...outputs, ...[...contents].filter(isContentHash).map((sha256) => join('kept', sha256))];
  for (const file of files) {
    // A record is data: it must not lead out of the session's own folder.
    if (normalize(file).startsWith('..')) continue;
    await take(join(from, file), join(to, file));
  }
}

async function take(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await link(source, target);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'EEXIST') return;
    await copyFile(source, target);
  }
}

/** The journal with all of its records, on disk in whole or not at all. */
export async function publishJournal(
  file: string,
  header: JournalHeader,
  events: readonly SessionEvent[],
): Promise<JournalHeader> {
  await publishOnce(file, linesOf(header, events));
  return header;
}

function* linesOf(header: JournalHeader, events: readonly SessionEvent[]): Generator<string> {
  yield `${JSON.stringify(wellFormed(header))}\n`;
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}
