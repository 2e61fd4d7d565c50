// Which session was open last in a window: a small file that is written before the call returns. What the editor keeps for
// an extension is written by it some time later, and a reload or a kill may come before.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../platform/systemError.ts';

const noteSchema = z.object({
  /** Null where the list of sessions was shown. */
  sessionId: z.string().nullable(),
  /** When it was opened, in milliseconds since 1970. */
  at: z.number(),
});
export type OpenSessionNote = Readonly<z.infer<typeof noteSchema>>;

/** Survives the end of this process from here on. @throws the error of the file system */
export function writeOpenSessionNote(file: string, note: OpenSessionNote): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A window has one writer: what a killed one left there is written over.
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, JSON.stringify(note), { mode: 0o600 });
  renameSync(temporary, file);
}

/** Undefined when there is none that can be read. @throws the error of the file system */
export function readOpenSessionNote(file: string): OpenSessionNote | undefined {
  try {
    return parseOpenSessionNote(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    // After a power cut it may be empty.
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A note as it was kept by others; undefined when it is none. */
export function parseOpenSessionNote(value: unknown): OpenSessionNote | undefined {
  const parsed = noteSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The one that was written last. */
export function newerNote(a: OpenSessionNote | undefined, b: OpenSessionNote | undefined): OpenSessionNote | undefined {
  return a && b && b.at > a.at ? b : (a ?? b);
}
