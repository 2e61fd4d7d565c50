// An exported trace: the header and the records of a journal, a line each, then the outputs that records refer to, in
// pieces. docs/journal.md describes it. It must never know where the lines come from.
import { z } from 'zod';
import type { SessionEvent } from './events.ts';

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
const safeJobKey = /^[A-Za-z0-9_-][\w.-]{0,127}$/;

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

/** Records of a session never come near it; what is behind it could not be numbered on. */
const largestSeq = 2 ** 40;

/** Whether others can follow it: a number at the end of what can be counted would make the next record invalid. */
export function isPlausible({ seq }: SessionEvent): boolean {
  return seq <= largestSeq;
}

/** The event without a reference to a file outside of the session's folder, or to a job that can't be one. */
export function withSafeReferences(event: SessionEvent): SessionEvent {
  if (event.type === 'step_started' && event.intent?.kind === 'job' && !safeJobKey.test(event.intent.key)) {
    const { intent: _intent, ...rest } = event;
    return rest;
  }
  if (event.type !== 'step_finished' || !event.output || isSafeSidePath(event.output.file)) return event;
  const { output: _output, ...rest } = event;
  return rest;
}
