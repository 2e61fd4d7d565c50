// The wait before a failed request is made again: recorded first, shown while it lasts, ended by Stop or cut short by the
// user. How long it is, is decided in core/retryPolicy.ts.
import type { RunError } from '../core/events.ts';
import { restOfWait } from '../core/pendingRetry.ts';
import { retryDecision } from '../core/retryPolicy.ts';
import type { Clock, ModelError } from './ports.ts';
import type { RunContext } from './runContext.ts';

/** The server takes requests again at a time that is too far for a run to wait. */
export class RequestParked extends Error {
  readonly retryAt: number;
  override readonly cause: ModelError;
  /** @param retryAt milliseconds since 1970 */
  constructor(cause: ModelError, retryAt: number) {
    super(cause.message, { cause });
    this.name = 'RequestParked';
    this.cause = cause;
    this.retryAt = retryAt;
  }
}

export interface FailedRequest {
  readonly requestId: string;
  readonly error: ModelError;
  readonly recorded: RunError;
  /** 1 for the first. */
  readonly attempt: number;
  /** Of the first failure in a row, in milliseconds since 1970. */
  readonly failingSince: number;
}

/**
 * Records the failure and waits for the next attempt.
 * @throws the failure, or RequestParked, when there is none now; the signal's reason
 */
export async function waitForRetry(run: RunContext, failed: FailedRequest): Promise<void> {
  const { requestId, error, recorded, attempt } = failed;
  const now = run.clock.now();
  const decision = retryDecision({
    kind: error.kind,
    code: error.code,
    retryAfterMs: error.retryAfterMs,
    attempt,
    failingForMs: now - failed.failingSince,
    chance: run.chance(),
  });
  const asked = error.retryAfterMs !== undefined && { notBefore: now + error.retryAfterMs };
  switch (decision.kind) {
    case 'retry':
      // Durable: what the server asked for holds for the run that comes after a crash too.
      await run.write({
        type: 'request_failed',
        requestId,
        error: recorded,
        retryInMs: decision.delayMs,
        retryAt: now + decision.delayMs,
        ...asked,
        nextAttempt: attempt + 1,
        attempts: decision.attempts,
      });
      await run.waitShown(decision.delayMs, run.signal);
      return;
    case 'park':
      await run.note({ type: 'request_failed', requestId, error: recorded, notBefore: now + decision.afterMs });
      throw new RequestParked(error, now + decision.afterMs);
    case 'give_up':
      await run.note({ type: 'request_failed', requestId, error: recorded });
      throw error;
  }
}

/** What is left of a wait that the server asked for when the run before was cut. Another model has limits of its own. */
export async function waitOutRest(run: RunContext): Promise<void> {
  const before = run.state.runs.at(-2);
  const rest = restOfWait(run.state.retry, run.clock.now());
  if (rest > 0 && before?.model === run.settings.model) await run.waitShown(rest, run.signal);
}

export interface ShownWait {
  /** Ends the wait now. */
  readonly skip: () => void;
}

/** Waits until the time is over or the wait is skipped, and shows it on the session meanwhile. @throws the signal's reason */
export async function waitShown(
  { clock }: { readonly clock: Clock },
  session: { readonly setWait: (wait: ShownWait | undefined, before: ShownWait | undefined) => void },
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const skipped = new AbortController();
  const either = AbortSignal.any([signal, skipped.signal]);
  const wait: ShownWait = {
    skip: () => {
      skipped.abort();
    },
  };
  session.setWait(wait, undefined);
  try {
    await clock.delay(ms, either);
  } catch (error) {
    signal.throwIfAborted();
    if (!skipped.signal.aborted) throw error;
  } finally {
    session.setWait(undefined, wait);
  }
}
