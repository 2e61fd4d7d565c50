// The words for how a run went, on the line that closes it and while it waits to try again.
import type { EventOf, ResumeMode, RunError, SessionEvent } from '../core/events.ts';
import type { Usage } from '../core/messages.ts';
import type { SessionState } from '../core/sessionState.ts';
import { costText, lessThanACent, type PriceOf } from '../core/spending.ts';
import { countOf, durationText, firstSentence, grouped } from '../core/words.ts';

/** What a run used until its end, in words. */
export interface RunSpent {
  readonly usage: string;
  /** Where it is known and a cent or more. */
  readonly cost?: string;
}

/** What the run used that ends by this event; undefined for any other event, and when it used nothing. */
export function spentBy(state: SessionState, event: SessionEvent, priceOf: PriceOf): RunSpent | undefined {
  if (event.type !== 'run_ended') return undefined;
  const run = state.runs.findLast(({ id }) => id === event.runId);
  if (!run || run.spending.size === 0) return undefined;
  const cost = costText(run.spending, priceOf);
  return { usage: usageText(run.usage, cost), ...(cost !== undefined && cost !== lessThanACent && { cost }) };
}

/** "12,304 tokens in, 2,101 out, 91 % from cache · $0.42". */
export function usageText(usage: Usage, cost: string | undefined): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  const cached = input === 0 ? 0 : Math.round((cacheReadTokens / input) * 100);
  const tokens = `${grouped(input)} tokens in, ${grouped(outputTokens)} out, ${String(cached)} % from cache`;
  return cost === undefined ? tokens : `${tokens} · ${cost}`;
}

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

/** Said for each attempt: what to do about it is said once, in the banner. */
export function retryText(error: RunError, retryInMs: number, nextAttempt?: number): string {
  const which = nextAttempt === undefined || nextAttempt === 2 ? '' : ` (attempt ${String(nextAttempt)})`;
  return `${firstSentence(error.message)}. Trying again in ${durationText(retryInMs)}${which}.`;
}

export const thinkingDroppedText =
  'The model did not take its earlier thinking back. It is left out of what is sent from here on; the trace keeps it.';

export function resumedText(mode: ResumeMode, stepsKept: number, auto: true | undefined): string {
  return `${mode === 'retry' ? 'retried' : 'resumed'} ·${auto ? ' by itself ·' : ''} ${keptText(stepsKept)}`;
}

function keptText(steps: number): string {
  return steps === 0 ? 'nothing was finished yet' : `${countOf(steps, 'step')} kept`;
}

export function importedText({ from, records, unreadable }: EventOf<'session_imported'>): string {
  const lost = unreadable === 0 ? '' : `, ${countOf(unreadable, 'line')} could not be read`;
  return `imported · ${countOf(records, 'record')} from ${from.folderPath}${lost} · its permissions were left out`;
}
