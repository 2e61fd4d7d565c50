// How long a job has run, without the time the machine slept or the process was stopped. Pure: the caller brings the clock.

export interface RunningTime {
  /** Takes a reading of a monotonic clock, in milliseconds; returns the running time counted so far. */
  tick(now: number): number;
}

/** Counts from the first tick on. Of a step longer than `longestStepMs` only that much is counted: the rest was sleep. */
export function createRunningTime(longestStepMs: number): RunningTime {
  let last: number | undefined;
  let counted = 0;
  return {
    tick(now) {
      if (last !== undefined) counted += Math.min(Math.max(now - last, 0), longestStepMs);
      last = now;
      return counted;
    },
  };
}
