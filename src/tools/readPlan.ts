// What all tools without an effect share: run, give text, and run again after an interruption.
import { ToolInputError, type Recovery, type ToolContext, type ToolPlan, type ToolResult } from '../runner/ports.ts';
import { isStopped, stoppedWithoutEffect } from './stopReason.ts';

export type LookResult = Pick<ToolResult, 'content' | 'seen'>;

/**
 * The plan of a call that only looks.
 * @param look gives the result's text, with the files that it shows where it does; a ToolInputError it throws becomes a failed result
 */
export function readPlan(preview: string, context: ToolContext, look: () => Promise<string | LookResult>): ToolPlan {
  const { signal } = context;
  return {
    preview,
    async execute() {
      if (isStopped(signal)) return stoppedWithoutEffect(signal, 'not_started', 'Stopped before it began.');
      try {
        const found = await look();
        return { outcome: 'succeeded', ...(typeof found === 'string' ? { content: found } : found) };
      } catch (error) {
        // An aborted search ends with an error of its own.
        if (isStopped(signal)) return stoppedWithoutEffect(signal, 'cancelled', 'Stopped before it was done.');
        if (error instanceof ToolInputError) return { outcome: 'failed', content: error.message };
        throw error;
      }
    },
  };
}

/** The rule for a cut call without an effect. */
export function rerun(): Promise<Recovery> {
  return Promise.resolve({ kind: 'rerun' });
}
