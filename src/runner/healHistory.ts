// What is done about a history that the server refuses: thinking that it does not take back is left out, then the very
// part that it names. Each is a record, written before the request is sent again. It must never repeat one.
import { healsInOneRun, namedParts } from '../core/heal.ts';
import { historyEdits } from '../core/historyEdits.ts';
import { buildWithSources } from '../core/requestBuilder.ts';
import type { ConversationEvent } from '../core/sessionState.ts';
import { messageOf } from '../core/errors.ts';
import type { NewEvent, RunError } from '../core/events.ts';
import { headOf } from '../core/wellFormed.ts';
import type { CompactionContext } from './compactHistory.ts';
import { ModelError } from './ports.ts';

/** What was tried for one request. */
export interface Healing {
  thinkingDropped: boolean;
}

/**
 * Leaves out what the server refused, if it can be told what that is and it was not left out before.
 * @param sent what the refused request was built from
 * @returns whether the request may be built and sent again
 */
export async function healHistory(
  run: CompactionContext,
  error: ModelError,
  requestId: string,
  sent: readonly ConversationEvent[],
  healing: Healing,
): Promise<boolean> {
  const failed: NewEvent = { type: 'request_failed', requestId, error: recordedError(error) };
  if (error.code === 'thinking_refused' && !healing.thinkingDropped) {
    healing.thinkingDropped = true;
    await run.write(failed, { type: 'thinking_dropped', requestId });
    return true;
  }
  if (error.code !== 'invalid_request' && error.code !== 'thinking_refused') return false;
  const named = error.said === undefined ? undefined : namedParts(error.said, buildWithSources(sent, run.settings));
  if (!named) return false;
  const edits = historyEdits(run.thread.conversation);
  // Refused again although it is left out: then it is something else.
  const parts = named.parts.filter(({ seq, block }) => edits.healed(seq, block) === undefined);
  if (parts.length === 0 || healsSinceStart(run) + parts.length > healsInOneRun) return false;
  const { reason } = named;
  await run.write(
    failed,
    ...parts.map(({ seq, block }): NewEvent => ({
      type: 'history_healed',
      requestId,
      partSeq: seq,
      partBlock: block,
      reason,
    })),
  );
  return true;
}

function healsSinceStart({ state, thread }: CompactionContext): number {
  const since = state.runs.at(-1)?.startedAt ?? 0;
  return thread.conversation.filter(({ type, at }) => type === 'history_healed' && at >= since).length;
}

/** What is recorded of a failed request: the words for people, and the server's own. */
export function recordedError(error: ModelError): RunError {
  return {
    code: error.code,
    message: error.message,
    ...(error.cause !== undefined && { detail: headOf(messageOf(error.cause), 2_000) }),
  };
}
