// The record of an answer that broke off for good: what of it was on screen stays there, and is what the model is told it
// said. It must never stop what ends the run.
import type { CutReason } from '../core/events.ts';
import type { ConversationEvent } from '../core/sessionState.ts';
import type { RunContext } from './runContext.ts';
import { RunStopped } from './runStopped.ts';

type CutContext = Pick<RunContext, 'thread' | 'newId' | 'write' | 'streamedText' | 'log'>;

/** Records what was streamed of the request, if anything. Never rejects: what ends the run is told in any case. */
export async function recordCutAnswer(run: CutContext, requestId: string, why: CutReason): Promise<void> {
  const text = run.streamedText(requestId);
  if (text.trim() === '') return;
  // A server that drops each answer would otherwise leave a beginning for each time that the session goes on by itself.
  if (why === 'failed' && endsInCutAnswer(run.thread.conversation)) return;
  try {
    await run.write({ type: 'assistant_message_cut', messageId: run.newId(), requestId, text, why });
  } catch (error) {
    run.log('The cut answer could not be recorded', error);
  }
}

/** What cut an answer, by the reason of the signal that did. */
export function cutReasonOf(reason: unknown): CutReason {
  if (!(reason instanceof RunStopped)) return 'failed';
  switch (reason.kind) {
    case 'user':
    case 'user_keep_command':
      return 'stopped';
    case 'time_limit':
      return 'time_limit';
    case 'shutdown':
      return 'closed';
  }
}

/** Whether there is a cut answer that neither the user nor the model has said anything after. */
function endsInCutAnswer(conversation: readonly ConversationEvent[]): boolean {
  const last = conversation.findLast(
    (entry) =>
      entry.type === 'assistant_message_cut' ||
      entry.type === 'assistant_message_completed' ||
      entry.type === 'user_message_added',
  );
  return last?.type === 'assistant_message_cut';
}
