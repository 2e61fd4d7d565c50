// A time limit that counts only time in which the machine was awake and the run was not waiting for the user.
import type { Clock } from './ports.ts';

const tickMs = 1_000;
/** A tick that took longer means that the machine slept or the process was frozen. */
const longestTickMs = 3_000;

export class Deadline {
  readonly #timer: NodeJS.Timeout;
  #pauses = 0;

  /** Calls `onReached` once, after `limitMs` of counted time. */
  constructor(clock: Pick<Clock, 'now'>, limitMs: number, onReached: () => void) {
    let left = limitMs;
    let last = clock.now();
    const tick = Math.min(tickMs, limitMs);
    this.#timer = setInterval(() => {
      const now = clock.now();
      const passed = Math.min(Math.max(0, now - last), longestTickMs);
      last = now;
      if (this.#pauses > 0) return;
      left -= passed;
      if (left > 0) return;
      this.dispose();
      onReached();
    }, tick);
    // The end of the process is not held up by the limit of a run.
    this.#timer.unref();
  }

  /** Does not count while the promise is pending. */
  async pauseFor<T>(wait: Promise<T>): Promise<T> {
    this.#pauses += 1;
    try {
      return await wait;
    } finally {
      this.#pauses -= 1;
    }
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
