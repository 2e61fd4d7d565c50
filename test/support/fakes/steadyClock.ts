// A clock that moves only when it is told to. A delay passes at once and moves it on, unless it is held.
import type { Clock } from '../../../src/runner/ports.ts';

export interface SteadyClock extends Clock {
  /** The delays that were asked for, in milliseconds. */
  readonly delays: readonly number[];
  advance(ms: number): void;
  /** From now on delays do not pass by themselves; they end only with their signal. */
  holdDelays(): void;
}

export const clockStart = Date.UTC(2026, 0, 5, 9, 0, 0);

export function createSteadyClock(): SteadyClock {
  let now = clockStart;
  let held = false;
  const delays: number[] = [];
  return {
    delays,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    holdDelays: () => {
      held = true;
    },
    delay: (ms, signal) => {
      delays.push(ms);
      if (held) {
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      }
      now += ms;
      signal.throwIfAborted();
      return Promise.resolve();
    },
  };
}
