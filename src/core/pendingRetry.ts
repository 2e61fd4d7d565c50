// A failed request that is to be sent again: when, and from when on the server takes it. Survives the process, since it
// is folded from the journal.
import type { RunError, SessionEvent } from './events.ts';
import { longestWaitMs } from './retryPolicy.ts';

export interface PendingRetry {
  readonly error: RunError;
  /** When the next attempt is made, in milliseconds since 1970. */
  readonly at: number;
  /** The server's own word, of the same kind: it takes nothing before. */
  readonly notBefore?: number;
  /** Number of the next attempt, and of all where they are counted. Absent when another run makes it. */
  readonly attempt?: number;
  readonly attempts?: number;
}

export function foldRetry(pending: PendingRetry | undefined, event: SessionEvent): PendingRetry | undefined {
  switch (event.type) {
    case 'request_failed': {
      const { error, retryAt, notBefore, nextAttempt, attempts } = event;
      const at = retryAt ?? notBefore;
      if (at === undefined) return undefined;
      return {
        error,
        at,
        ...(notBefore !== undefined && { notBefore }),
        ...(nextAttempt !== undefined && { attempt: nextAttempt }),
        ...(attempts !== undefined && { attempts }),
      };
    }
    case 'request_started':
    case 'assistant_message_completed':
      return undefined;
    case 'run_started':
    case 'run_ended':
      // A delay of our own ends with its run; what the server asked for holds for the next one too.
      return pending?.notBefore === undefined
        ? undefined
        : { error: pending.error, at: pending.notBefore, notBefore: pending.notBefore };
    default:
      return pending;
  }
}

/**
 * How long a resumed run still has to wait before its first request, in milliseconds; 0 when it need not. A time that is
 * too far to be sat out is on screen: who resumes nevertheless wants it tried.
 */
export function restOfWait(pending: PendingRetry | undefined, now: number): number {
  const rest = (pending?.notBefore ?? 0) - now;
  return rest > 0 && rest <= longestWaitMs ? rest : 0;
}
