// Times of work that is done several times beside its baseline: medians, spreads and ratios.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { systemErrorCode } from '../src/platform/systemError.ts';

/** Several values of one thing. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

export interface Comparison {
  /** Milliseconds. */
  readonly measured: Spread;
  /** Milliseconds. */
  readonly baseline: Spread;
  /** Measured by baseline, taken from each pair: both halves of a pair had the same load around them. */
  readonly ratio: Spread;
}

/** @throws RangeError when there are no values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => {
    const value = sorted[index];
    if (value === undefined) throw new RangeError('There is nothing to take a median of.');
    return value;
  };
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1), count: sorted.length };
}

/** Milliseconds that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Does work and baseline in turn, each first in every other pair. Each gives the milliseconds that count. */
export async function compare(
  pairs: number,
  work: () => Promise<number>,
  baseline: () => Promise<number>,
  beforePair: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Comparison> {
  const measured: number[] = [];
  const base: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    await beforePair();
    if (pair % 2 === 0) measured.push(await work());
    base.push(await baseline());
    if (pair % 2 === 1) measured.push(await work());
  }
  const ratios = measured.map((ms, index) => ms / (base[index] ?? Number.NaN));
  return { measured: spreadOf(measured), baseline: spreadOf(base), ratio: spreadOf(ratios) };
}

/**
 * How long the event loop was not free, at the longest, while the work was done; in milliseconds. Time in which this
 * process was ready and others had the cores is not counted, where the kernel tells it.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let lastWaited = waitedForCore();
  const look = (): void => {
    const [now, waited] = [performance.now(), waitedForCore()];
    longest = Math.max(longest, now - last - (waited - lastWaited) - 1);
    [last, lastWaited] = [now, waited];
  };
  const ticker = setInterval(look, 1);
  try {
    // The ticker's first turn begins before the work does.
    await setImmediate();
    look();
    longest = 0;
    await work();
    look();
  } finally {
    clearInterval(ticker);
  }
  return longest;
}

/** Milliseconds that the main thread has waited for a core since it began; 0 where that is not known. */
function waitedForCore(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return 0;
  }
}
