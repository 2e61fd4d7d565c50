// An exported trace: the header and the records of a journal, a line each, then the outputs that records refer to, in
// pieces. docs/journal.md describes it. It must never know where the lines come from.
import { z } from 'zod';

const sideFileLineSchema = z.object({
  ratchet: z.literal('side_file'),
  path: z.string(),
  /** The next piece of the file. */
  text: z.string(),
});
export type SideFileLine = Readonly<z.infer<typeof sideFileLineSchema>>;

/**
 * Outputs and nothing else: a job's other files name processes, which are ended on request, and a trace may come from
 * anybody.
 */
const safePath = /^(?:jobs\/[A-Za-z0-9_-][\w.-]*\/output\.log|outputs\/[\w-]+\.txt)$/;

export function isSafeSidePath(path: string): boolean {
  return safePath.test(path);
}

export function sideFileLine(path: string, text: string): string {
  const line: SideFileLine = { ratchet: 'side_file', path, text };
  return `${JSON.stringify(line)}\n`;
}

/** A piece of a side file, when the line is one with a path that may be written. */
export function parseSideFileLine(value: unknown): SideFileLine | undefined {
  const parsed = sideFileLineSchema.safeParse(value);
  return parsed.success && isSafeSidePath(parsed.data.path) ? parsed.data : undefined;
}

/** Whether it names a kept content, and not a way to some other file. */
export function isContentHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
