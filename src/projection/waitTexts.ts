// The words for a session that waits: for its next attempt, for the server, or for nobody. Times travel as numbers; the
// panel says them in the reader's own clock.
import { autoResumeGuard, type AutoResumeMode, type AutoResumes } from '../core/autoResume.ts';
import type { RunError, SessionStateName } from '../core/events.ts';
import type { PendingRetry } from '../core/pendingRetry.ts';
import type { SessionState } from '../core/sessionState.ts';
import { countOf, firstSentence } from '../core/words.ts';
import type { Banner, WaitView } from '../protocol/view.ts';
import { remedyFor } from './remedies.ts';

/** The line of a run that waits to make a request again. */
export function waitView(retry: PendingRetry | undefined, model: string): WaitView | undefined {
  if (!retry) return undefined;
  const { error, at, attempt, attempts } = retry;
  const remedy = remedyFor(error, model, false);
  return {
    text: `${firstSentence(error.message)}.`,
    until: at,
    ...(remedy && 'command' in remedy && { remedy }),
    ...(attempt !== undefined && {
      attempt: `attempt ${String(attempt)}${attempts === undefined ? '' : ` of ${String(attempts)}`}`,
    }),
  };
}

/**
 * What differs in the banner of a run that ended because the server asked to come back later, or since it tried for long
 * enough. A time of ours that nothing happens at is no time: then it has failed.
 */
export function parkedBanner(
  error: RunError | undefined,
  resumes: AutoResumes,
  mode: AutoResumeMode,
): Pick<Banner, 'title' | 'detail' | 'action' | 'retryAt' | 'isOwnTime'> | undefined {
  if (error?.retryAt === undefined) return undefined;
  const title = error.code === 'rate_limited' ? 'Rate limit' : firstSentence(error.message);
  const parked = { title, action: 'resume', retryAt: error.retryAt } as const;
  if (error.triedMs === undefined) return parked;
  const goesOn = mode === 'ask' || (mode === 'always' && autoResumeGuard(resumes) === undefined);
  return goesOn ? { ...parked, isOwnTime: true, ...triedText(error.triedMs) } : undefined;
}

function triedText(triedMs: number): { readonly detail?: string } {
  const minutes = Math.round(triedMs / 60_000);
  return minutes === 0 ? {} : { detail: `Tried for ${String(minutes)} min.` };
}

/** What happens by itself in an idle session, or why it does not; nothing when that is no question. */
export function autoText(state: SessionState, name: SessionStateName, mode: AutoResumeMode): string | undefined {
  const isParked = name === 'failed' && state.runs.at(-1)?.end?.error?.retryAt !== undefined;
  if (!isParked && name !== 'interrupted') return undefined;
  if (mode === 'always')
    return autoResumeGuard(state.autoResumes) ?? (isParked ? 'Goes on by itself then.' : undefined);
  return isParked && mode === 'ask' ? 'You are asked then.' : undefined;
}

/** "possible again in 12 min", for a time span in milliseconds. */
export function parkedText(leftMs: number): string {
  if (leftMs <= 0) return 'can go on';
  const minutes = Math.ceil(leftMs / 60_000);
  if (minutes < 60) return `possible again in ${String(minutes)} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48
    ? `possible again in ${String(hours)} h`
    : `possible again in ${countOf(Math.ceil(hours / 24), 'day')}`;
}
