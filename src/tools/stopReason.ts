// What a stop means for a call: whether running work is ended or left alone.
import { unreachable } from '../core/errors.ts';
import type { ToolResult } from '../runner/ports.ts';
import { RunStopped } from '../runner/runStopped.ts';

/**
 * The result of a call that was stopped while it had no lasting effect.
 * @param words what the model is told, such as "Stopped before anything was written."
 * @throws the signal's reason on a shutdown (and on a reason that is not known here): the step stays open.
 */
export function stoppedWithoutEffect(
  signal: AbortSignal,
  outcome: 'not_started' | 'cancelled',
  words: string,
): ToolResult {
  const reason: unknown = signal.reason;
  if (!(reason instanceof RunStopped)) throw reason;
  switch (reason.kind) {
    case 'shutdown':
      throw reason;
    case 'user':
    case 'user_keep_command':
      return { outcome, content: words };
    case 'time_limit':
      return {
        outcome: outcome === 'cancelled' ? 'timed_out' : outcome,
        content: `${words} The run reached its time limit.`,
      };
    default:
      return unreachable(reason.kind);
  }
}

/** Whether the run was stopped by now; asked again after each wait. */
export function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}
