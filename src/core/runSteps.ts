// How far the last run of a session got, counted in steps.
import type { SessionState } from './sessionState.ts';

/** Steps that the last run began or went on with, those of its agents among them. 0 without a run. */
export function stepsOfLastRun({ runs, steps }: SessionState): number {
  const runId = runs.at(-1)?.id;
  let count = 0;
  if (runId !== undefined) for (const step of steps.values()) if (step.runId === runId) count += 1;
  return count;
}
