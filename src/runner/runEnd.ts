// How a run ends: what the thing that ended it means, and the record of it. Every failure of a background run is here.
import { RatchetError, messageOf } from '../core/errors.ts';
import type { RunError, RunOutcome } from '../core/events.ts';
import { durationText } from '../core/words.ts';
import { recordedError } from './healHistory.ts';
import type { LiveSession } from './liveSession.ts';
import { ModelError } from './ports.ts';
import { RequestParked } from './retryWait.ts';
import type { RunContext } from './runContext.ts';
import { RunFailed } from './runFailed.ts';
import { RunStopped } from './runStopped.ts';
import type { ClaimedJournal } from './sessionStore.ts';
import type { SessionPorts } from './sessionPorts.ts';

export type RunEnd =
  | { readonly outcome: RunOutcome; readonly error?: RunError; readonly cause?: unknown }
  | { readonly outcome: 'unrecorded' };

/** What the thing that ended a run means. */
export function endOf(error: unknown, limitMs: number): RunEnd {
  if (error instanceof RunStopped) {
    switch (error.kind) {
      case 'user':
      case 'user_keep_command':
        return { outcome: 'cancelled' };
      case 'time_limit':
        return {
          outcome: 'timed_out',
          error: {
            code: 'time_limit',
            message: `The time limit of ${durationText(limitMs)} for one run was reached. Resume to go on.`,
          },
        };
      case 'shutdown':
        return { outcome: 'unrecorded' };
    }
  }
  if (error instanceof RequestParked) {
    const { cause, retryAt, triedMs } = error;
    const tried = triedMs !== undefined && { triedMs };
    return { outcome: 'failed', error: { ...recordedError(cause), retryAt, ...tried }, cause };
  }
  if (error instanceof ModelError) {
    const outcome = error.kind === 'stalled' ? 'timed_out' : 'failed';
    return { outcome, error: recordedError(error), cause: error };
  }
  if (error instanceof RunFailed || error instanceof RatchetError) {
    return { outcome: 'failed', error: { code: error.code, message: error.message }, cause: error };
  }
  return {
    outcome: 'failed',
    error: {
      code: 'internal',
      message: `Something went wrong inside Ratchet: ${messageOf(error)}. The log has the details; Retry goes on from here.`,
    },
    cause: error,
  };
}

/** The last thing a run does. Never rejects: an end that cannot be written is logged and shown. */
export async function recordEnd(
  ports: SessionPorts,
  session: LiveSession,
  run: RunContext,
  claim: ClaimedJournal,
  end: RunEnd,
): Promise<void> {
  try {
    if (end.outcome === 'unrecorded') {
      await claim.close();
      return;
    }
    if (end.cause !== undefined)
      ports.log(`Run ${run.runId} of session ${session.id} ended: ${end.outcome}`, end.cause);
    await run.write({
      type: 'run_ended',
      runId: run.runId,
      outcome: end.outcome,
      ...(end.error && { error: end.error }),
    });
    await claim.close();
  } catch (error) {
    ports.log(`The end of run ${run.runId} could not be recorded`, error);
    session.problem = end.outcome !== 'unrecorded' && end.error ? end.error.message : messageOf(error);
    await claim.close().catch((closeError: unknown) => {
      ports.log(`The journal of session ${session.id} could not be closed`, closeError);
    });
  } finally {
    session.run = undefined;
    session.live.clear();
    session.dropStreaming();
    session.changed();
  }
}
