// Synchronous looks at many files, without holding up the event loop: done in short turns, at a tenth of the cost of
// asynchronous calls. Whoever asks does without them where they turn out to be slow.
import { setImmediate } from 'node:timers/promises';

/** Of one turn of the event loop, in milliseconds. */
const turnMs = 8;
const looksToJudge = 64;

export interface LookLimits {
  /** Looks in one turn at most: some two milliseconds' worth. */
  readonly inTurn: number;
  /** A look that takes longer on average, in milliseconds, comes over a network or from a busy disk. */
  readonly slowMs: number;
}

/** The turns of one piece of work. */
export class ShortTurns {
  readonly #limits: LookLimits;
  #taken = 0;
  #spentMs = 0;
  #turnMs = 0;
  #inTurn = 0;

  constructor(limits: LookLimits) {
    this.#limits = limits;
  }

  /** So far looks took too long to be made like this. */
  get isSlow(): boolean {
    return this.#taken >= looksToJudge && this.#spentMs > this.#taken * this.#limits.slowMs;
  }

  /** Does some looks at once, and then lets others have their turn when this one was long enough. */
  async take<T>(looks: number, work: () => T): Promise<T> {
    const began = performance.now();
    const result = work();
    const ms = performance.now() - began;
    this.#taken += looks;
    this.#spentMs += ms;
    this.#turnMs += ms;
    this.#inTurn += looks;
    if (this.#inTurn >= this.#limits.inTurn || this.#turnMs >= turnMs) {
      this.#turnMs = 0;
      this.#inTurn = 0;
      await setImmediate();
    }
    return result;
  }
}
