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
  /** For how long it was tried, in milliseconds, when nobody but us named the time. */
  readonly triedMs: number | undefined;
  /** @param retryAt milliseconds since 1970 */
  constructor(cause: ModelError, retryAt: number, triedMs?: number) {
    super(cause.message, { cause });
    this.name = 'RequestParked';
    this.cause = cause;
    this.retryAt = retryAt;
    this.triedMs = triedMs;
  }
}

/** A request that took longer was no attempt all that time: the machine slept, or an answer came for long before it broke off. */
const longestAttemptMs = 240_000;

/** How long requests have failed in a row. Each part counts for what it may take at most, so that sleep is not counted. */
export class FailingTime {
  readonly #clock: Pick<Clock, 'now'>;
  #ms = 0;
  #attemptAt: number;
  #hasFailed = false;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#attemptAt = clock.now();
  }

  attemptBegins(): void {
    this.#attemptAt = this.#clock.now();
  }

  /** @returns milliseconds since the first failure */
  attemptFailed(): number {
    if (this.#hasFailed) this.#add(this.#clock.now() - this.#attemptAt, longestAttemptMs);
    this.#hasFailed = true;
    return this.#ms;
  }

  /** @param asked what was to be waited, in milliseconds */
  waited(ms: number, asked: number): void {
    this.#add(ms, asked);
  }

  #add(ms: number, most: number): void {
    this.#ms += Math.min(Math.max(0, ms), most);
  }
}

export interface FailedRequest {
  readonly requestId: string;
  readonly error: ModelError;
  readonly recorded: RunError;
  /** 1 for the first. */
  readonly attempt: number;
  readonly failing: FailingTime;
  /** Records what there is to say before the failure when it is not made again. */
  readonly onGivenUp?: () => Promise<void>;
}

type WaitingContext = Pick<
  RunContext,
  'state' | 'clock' | 'chance' | 'patienceMs' | 'write' | 'note' | 'waitShown' | 'signal'
>;

/**
 * Records the failure and waits for the next attempt.
 * @throws the failure, or RequestParked, when there is none now; the signal's reason
 */
export async function waitForRetry(run: WaitingContext, failed: FailedRequest): Promise<void> {
  const { requestId, error, recorded, attempt, failing, onGivenUp = () => Promise.resolve() } = failed;
  const failingForMs = failing.attemptFailed();
  const now = run.clock.now();
  const decision = retryDecision({
    kind: error.kind,
    code: error.code,
    retryAfterMs: error.retryAfterMs,
    attempt,
    failingForMs,
    patienceMs: run.patienceMs,
    parks: run.state.autoResumes.parks ?? 0,
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
        ...(decision.attempts !== undefined && { attempts: decision.attempts }),
      });
      await run.waitShown(decision.delayMs, run.signal);
      failing.waited(run.clock.now() - now, decision.delayMs);
      return;
    case 'park': {
      const at = now + decision.afterMs;
      await onGivenUp();
      await run.note({
        type: 'request_failed',
        requestId,
        error: recorded,
        ...(decision.isOwn ? asked : { notBefore: at }),
      });
      throw new RequestParked(error, at, decision.isOwn ? failingForMs : undefined);
    }
    case 'give_up':
      await onGivenUp();
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
