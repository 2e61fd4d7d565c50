// The words for how a run went, on the line that closes it and while it waits to try again.
import type { EventOf, ResumeMode, RunError } from '../core/events.ts';
import { countOf, durationText } from '../core/words.ts';

export function runEndText(event: EventOf<'run_ended'>): string {
  switch (event.outcome) {
    case 'done':
      return 'done';
    case 'cancelled':
      return 'stopped by you';
    case 'timed_out':
      return event.error?.message ?? 'time limit reached';
    case 'failed':
      return event.error?.message ?? 'The run failed. Show the log for details.';
  }
}

export function retryText(error: RunError, retryInMs: number): string {
  return `${error.message} Trying again in ${durationText(retryInMs)}.`;
}

export const thinkingDroppedText =
  'The model did not take its earlier thinking back. It is left out of what is sent from here on; the trace keeps it.';

export function resumedText(mode: ResumeMode, stepsKept: number, auto: true | undefined): string {
  return `${mode === 'retry' ? 'retried' : 'resumed'} ·${auto ? ' by itself ·' : ''} ${countOf(stepsKept, 'step')} kept`;
}

export function importedText({ from, records, unreadable }: EventOf<'session_imported'>): string {
  const lost = unreadable === 0 ? '' : `, ${countOf(unreadable, 'line')} could not be read`;
  return `imported · ${countOf(records, 'record')} from ${from.folderPath}${lost}`;
}
