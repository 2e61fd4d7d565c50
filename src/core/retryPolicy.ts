// When a failed request is sent again, and after how long: one table, and the decision over it. The only place that
// decides it; the client library does not retry. Pure: the clock and chance are passed in.

export interface FailedAttempt {
  readonly kind: 'retryable' | 'terminal' | 'stalled';
  readonly code: string;
  /** The least time to wait, in milliseconds, when the server said so. */
  readonly retryAfterMs: number | undefined;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds since the first failure in a row. Time in which the machine slept is none of it. */
  readonly failingForMs: number;
  /** Milliseconds for which a passing failure is tried again within a run. */
  readonly patienceMs: number;
  /** How often in a row the session was parked before. */
  readonly parks: number;
  /** From 0 up to 1. */
  readonly chance: number;
}

export interface RetryRule {
  /** Requests in a row, the first among them. Absent: as many as the patience has room for. */
  readonly attempts?: number;
  readonly firstDelayMs: number;
  /** Each delay is twice the one before, up to this; chance adds up to a quarter. */
  readonly longestDelayMs: number;
}

const seconds = 1_000;
const minutes = 60 * seconds;

/** By class of failure. README has the same table. */
export const retryRules = {
  /** 529, and overload in the middle of an answer. */
  overloaded: { firstDelayMs: 2 * seconds, longestDelayMs: 45 * seconds },
  /** 429. */
  rate_limited: { firstDelayMs: 2 * seconds, longestDelayMs: 45 * seconds },
  /** 409, 500 and above. */
  server_error: { firstDelayMs: seconds, longestDelayMs: 30 * seconds },
  /** Reset, broken off in the middle, or an answer that cannot be read. */
  broken: { firstDelayMs: seconds, longestDelayMs: 30 * seconds },
  /** Connection refused, or a name that cannot be resolved: also a machine without a network. */
  unreachable: { firstDelayMs: seconds, longestDelayMs: 30 * seconds },
  /** No answer within the limit, which took minutes already, or 408. */
  timeout: { firstDelayMs: seconds, longestDelayMs: 30 * seconds },
  /** After the lid was closed the old connection is dead and says nothing, and a new one works. */
  stalled: { firstDelayMs: seconds, longestDelayMs: 30 * seconds },
  /** A whole answer that is of no use, and what a provider says in words of its own: each costs, and the next may be the same. */
  unusable: { attempts: 4, firstDelayMs: seconds, longestDelayMs: 15 * seconds },
  /** Keys, credit, certificates, unknown models, requests that are not valid: the same again fails again. */
  never: { attempts: 1, firstDelayMs: 0, longestDelayMs: 0 },
} as const satisfies Record<string, RetryRule>;
export type RetryClass = keyof typeof retryRules;

/** A wait that is longer than this is not sat out by a run: the run ends, and the session says when it can go on. */
export const longestWaitMs = 60 * seconds;

/** How long a session is parked when a run has lost its patience: longer each time in a row. */
export const parkMs = [10 * minutes, 20 * minutes, 30 * minutes, 60 * minutes] as const;

export type RetryDecision =
  /** `attempts`: how many there are at most, where they are counted. */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly attempts?: number }
  /** The server named a time that is too far, or comes after the last attempt; `isOwn`: the time is ours. */
  | { readonly kind: 'park'; readonly afterMs: number; readonly isOwn: boolean }
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
    case 'malformed_tool_input':
    case 'empty_answer':
    case 'editor_model':
      return 'unusable';
    default:
      return 'broken';
  }
}

/** What to do after a failed request. */
export function retryDecision(failed: FailedAttempt): RetryDecision {
  const retryClass = retryClassOf(failed);
  const rule: RetryRule = retryRules[retryClass];
  const askedMs = retryClass === 'never' ? 0 : (failed.retryAfterMs ?? 0);
  if (askedMs > longestWaitMs) return { kind: 'park', afterMs: askedMs, isOwn: false };
  const backoffMs = Math.min(rule.firstDelayMs * 2 ** (failed.attempt - 1), rule.longestDelayMs);
  const delayMs = Math.max(Math.round(backoffMs * (1 + failed.chance / 4)), askedMs);
  if (rule.attempts !== undefined) {
    if (failed.attempt < rule.attempts) return { kind: 'retry', delayMs, attempts: rule.attempts };
    return askedMs > 0 ? { kind: 'park', afterMs: askedMs, isOwn: false } : { kind: 'give_up' };
  }
  const leftMs = failed.patienceMs - failed.failingForMs;
  // The last attempt is made when the patience ends, not one delay before.
  if (leftMs > 0) return { kind: 'retry', delayMs: Math.max(Math.min(delayMs, leftMs), askedMs) };
  const ownMs = parkMs[Math.min(failed.parks, parkMs.length - 1)] ?? 0;
  return { kind: 'park', afterMs: Math.max(ownMs, askedMs), isOwn: true };
}
