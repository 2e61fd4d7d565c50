// When a failed request is sent again by the run itself. The client library retries what fails before an answer begins;
// this is about answers that broke off in the middle.

export interface FailedAttempt {
  readonly kind: 'retryable' | 'terminal' | 'stalled';
  /** HTTP status, when the server refused before an answer began; those retries are used up already. */
  readonly status: number | undefined;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  /** 1 for the first. */
  readonly attempt: number;
}

const attempts = 3;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** Already tried several times by the client library. */
const exhausted: ReadonlySet<string> = new Set(['unreachable', 'timeout']);

/** Milliseconds to wait before the same request is sent again, or undefined when it must not be. */
export function retryDelay(failed: FailedAttempt): number | undefined {
  // Once: after the lid was closed the old connection is dead and says nothing, and a new one works.
  if (failed.kind === 'stalled') return failed.attempt === 1 ? firstDelayMs : undefined;
  if (failed.kind !== 'retryable' || failed.status !== undefined || exhausted.has(failed.code)) return undefined;
  if (failed.attempt >= attempts) return undefined;
  const delay = firstDelayMs * 2 ** (failed.attempt - 1);
  if (failed.retryAfterMs !== undefined && failed.retryAfterMs > longestDelayMs) return undefined;
  return Math.max(delay, failed.retryAfterMs ?? 0);
}
