// The decision whether a session may be launched, as design section 3 has it. One function, no effects.
import { RatchetError, unreachable } from './errors.ts';
import type { SessionStateName } from './events.ts';

export type LaunchCause = 'message' | 'resume' | 'retry';

/**
 * Refuses what must not be launched; returns when it may.
 * @param hasWork whether the session's trace holds anything to go on with
 * @throws RatchetError `already_running` or `nothing_to_resume`
 */
export function assertCanLaunch(cause: LaunchCause, state: SessionStateName, hasWork: boolean): void {
  switch (state) {
    case 'running':
      throw new RatchetError('already_running', 'This session is already running. Wait for it, or stop it first.');
    case 'created':
      if (cause !== 'message') throw nothingToResume();
      return;
    case 'done':
    case 'failed':
    case 'cancelled':
    case 'timed_out':
    case 'interrupted':
      if (cause !== 'message' && !hasWork) throw nothingToResume();
      return;
    default:
      unreachable(state);
  }
}

function nothingToResume(): RatchetError {
  return new RatchetError('nothing_to_resume', 'There is nothing to resume in this session yet. Send a message first.');
}

/** What the banner of an idle session offers; nothing for one that ended well or never began. */
export function offeredAction(state: SessionStateName): 'resume' | 'retry' | undefined {
  switch (state) {
    case 'failed':
      return 'retry';
    case 'cancelled':
    case 'timed_out':
    case 'interrupted':
      return 'resume';
    case 'created':
    case 'running':
    case 'done':
      return undefined;
    default:
      return unreachable(state);
  }
}
