// What a benchmark has to say: one line of the table, and how numbers are written in it.
import type { Comparison, Spread } from './measure.ts';

export interface Result {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly target: string;
  /** Undefined where there is no target. */
  readonly met: boolean | undefined;
}

export interface BenchContext {
  /** Only whether everything runs; the numbers mean nothing. */
  readonly quick: boolean;
  /** An empty folder on a disk, for whatever is written. */
  readonly scratch: string;
}

export type Benchmark = (context: BenchContext) => Promise<readonly Result[]>;

/** "12.3 ms (11.8 to 15.0, 20 times)" */
export function msText({ median, min, max, count }: Spread): string {
  if (count === 1) return `${shortNumber(median)} ms`;
  return `${shortNumber(median)} ms (${shortNumber(min)} to ${shortNumber(max)}, ${count} times)`;
}

/** "1.12 (1.05 to 1.30)" */
export function ratioText({ median, min, max, count }: Spread): string {
  if (count === 1) return median.toFixed(2);
  return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
}

/** A line whose target is a ratio to its baseline. */
export function ratioResult(what: string, { measured, baseline, ratio }: Comparison, most: number): Result {
  return {
    what,
    measured: msText(measured),
    baseline: msText(baseline),
    ratio: ratioText(ratio),
    target: `at most ${most} times`,
    met: ratio.median <= most,
  };
}

/** A line whose target is a time. */
export function timeResult(what: string, { measured, baseline, ratio }: Comparison, mostMs: number): Result {
  return {
    what,
    measured: msText(measured),
    baseline: msText(baseline),
    ratio: ratioText(ratio),
    target: `under ${mostMs} ms`,
    met: measured.median < mostMs,
  };
}

/** "4.2 MB" */
export function megabytes(bytes: number): string {
  return `${shortNumber(bytes / 1024 / 1024)} MB`;
}

export function shortNumber(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toFixed(value >= 10 ? 1 : 2);
}
