// When a failed request is sent again, and after how long: one table, and the decision over it. The only place that
// decides it; the client library does not retry. Pure: the clock and chance are passed in.

export interface FailedAttempt {
  readonly kind: 'retryable' | 'terminal' | 'stalled';
  readonly code: string;
  /** The least time to wait, in milliseconds, when the server said so. */
  readonly retryAfterMs: number | undefined;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds since the first failure in a row. */
  readonly failingForMs: number;
  /** From 0 up to 1. */
  readonly chance: number;
}

export interface RetryRule {
  /** Requests in a row, the first among them. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  /** Each delay is twice the one before, up to this; chance adds up to a quarter. */
  readonly longestDelayMs: number;
  /** No attempt begins later than this after the first failure. */
  readonly totalMs: number;
}

const seconds = 1_000;

/** By class of failure. README has the same table. */
export const retryRules = {
  /** 529, and overload in the middle of an answer. */
  overloaded: { attempts: 5, firstDelayMs: 2 * seconds, longestDelayMs: 30 * seconds, totalMs: 120 * seconds },
  /** 429. */
  rate_limited: { attempts: 5, firstDelayMs: 2 * seconds, longestDelayMs: 30 * seconds, totalMs: 180 * seconds },
  /** 409, 500 and above. */
  server_error: { attempts: 4, firstDelayMs: seconds, longestDelayMs: 15 * seconds, totalMs: 60 * seconds },
  /** Reset, broken off in the middle, or an answer that cannot be read. */
  broken: { attempts: 4, firstDelayMs: seconds, longestDelayMs: 15 * seconds, totalMs: 60 * seconds },
  /** Connection refused, or a name that cannot be resolved. */
  unreachable: { attempts: 3, firstDelayMs: seconds, longestDelayMs: 5 * seconds, totalMs: 30 * seconds },
  /** No answer within the limit, which took minutes already, or 408. */
  timeout: { attempts: 3, firstDelayMs: seconds, longestDelayMs: 5 * seconds, totalMs: 600 * seconds },
  /** Once: after the lid was closed the old connection is dead and says nothing, and a new one works. */
  stalled: { attempts: 2, firstDelayMs: seconds, longestDelayMs: seconds, totalMs: 600 * seconds },
  /** Keys, credit, certificates, unknown models, requests that are not valid: the same again fails again. */
  never: { attempts: 1, firstDelayMs: 0, longestDelayMs: 0, totalMs: 0 },
} as const satisfies Record<string, RetryRule>;
export type RetryClass = keyof typeof retryRules;

/** A wait that is longer than this is not sat out by a run: the run ends, and the session says when it can go on. */
export const longestWaitMs = 60 * seconds;

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number; readonly attempts: number }
  /** The server named a time that is too far, or comes after the last attempt. */
  | { readonly kind: 'park'; readonly afterMs: number }
  | { readonly kind: 'give_up' };

export function retryClassOf({ kind, code }: Pick<FailedAttempt, 'kind' | 'code'>): RetryClass {
  if (kind !== 'retryable') return kind === 'stalled' ? 'stalled' : 'never';
  switch (code) {
    case 'overloaded':
    case 'rate_limited':
    case 'server_error':
    case 'unreachable':
    case 'timeout':
      return code;
    default:
      return 'broken';
  }
}

/** What to do after a failed request. */
export function retryDecision(failed: FailedAttempt): RetryDecision {
  const retryClass = retryClassOf(failed);
  const rule = retryRules[retryClass];
  const askedMs = retryClass === 'never' ? 0 : (failed.retryAfterMs ?? 0);
  if (askedMs > longestWaitMs) return { kind: 'park', afterMs: askedMs };
  const backoffMs = Math.min(rule.firstDelayMs * 2 ** (failed.attempt - 1), rule.longestDelayMs);
  const delayMs = Math.max(Math.round(backoffMs * (1 + failed.chance / 4)), askedMs);
  if (failed.attempt < rule.attempts && failed.failingForMs + delayMs <= rule.totalMs)
    return { kind: 'retry', delayMs, attempts: rule.attempts };
  return askedMs > 0 ? { kind: 'park', afterMs: askedMs } : { kind: 'give_up' };
}
