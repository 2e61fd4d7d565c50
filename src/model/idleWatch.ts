// Notices that nothing has come for too long, without taking a machine that slept for a server that is silent.
// Owns one timer. It must never know what is watched.

/** A step of the clock longer than this was no wait: the machine slept, or the process was held up. */
const longestStepMs = 2_000;

export interface IdleMeter {
  /** Something came. */
  readonly touch: () => void;
  /** Moves the clock to `now` (milliseconds since 1970); true when nothing came for the whole limit. */
  tick(now: number): boolean;
}

/**
 * Counts idle time by clock steps. After a jump of the clock the count starts anew, so that a stream is given one
 * full period to show that it lives. It is never early, and late by at most one step.
 */
export function createIdleMeter(limitMs: number, startedAt: number): IdleMeter {
  let last = startedAt;
  let idleMs = 0;
  let touched = false;
  return {
    touch: () => {
      touched = true;
    },
    tick: (now) => {
      const step = now - last;
      const jumped = step < 0 || step > longestStepMs;
      idleMs = touched || jumped ? 0 : idleMs + step;
      last = now;
      touched = false;
      return idleMs >= limitMs;
    },
  };
}

export interface IdleWatch {
  /** Starts to count, from zero. */
  readonly start: () => void;
  readonly touch: () => void;
  /** Ends the watch for good; `onIdle` is not called any more. */
  readonly stop: () => void;
}

/** Calls `onIdle` once when nothing came for `limitMs` milliseconds after `start`. Its owner must call `stop`. */
export function createIdleWatch(limitMs: number, onIdle: () => void): IdleWatch {
  let timer: NodeJS.Timeout | undefined;
  let meter: IdleMeter | undefined;
  const stop = (): void => {
    clearInterval(timer);
    meter = undefined;
  };
  return {
    start: () => {
      stop();
      const current = createIdleMeter(limitMs, Date.now());
      meter = current;
      const stepMs = Math.min(1_000, Math.max(5, limitMs / 4));
      timer = setInterval(() => {
        if (!current.tick(Date.now())) return;
        stop();
        onIdle();
      }, stepMs);
    },
    touch: () => meter?.touch(),
    stop,
  };
}
