// The messages that wait for the next turn of a run, as the sessions change them: each change is on disk before it is
// acknowledged, and takes its turn with the delivery, so that none is acknowledged that came too late.
import { assertQueued, deliveries } from '../core/messageQueue.ts';
import type { NewEvent, SessionEvent } from '../core/events.ts';
import { RatchetError } from '../core/errors.ts';
import { recordedExtras, type MessageExtras } from '../core/userInput.ts';
import type { LiveSession } from './liveSession.ts';

/**
 * Queues a message for the run that goes on here; one that is recorded already is left as it is.
 * @returns false when there is none any more
 * @throws RatchetError `bad_attachment`
 */
export function enqueue(
  session: LiveSession,
  messageId: string,
  text: string,
  extras: MessageExtras = {},
): Promise<boolean> {
  return session.exclusively(async () => {
    // What is compacted on its own asks for no next turn.
    if (!session.run || session.run.id !== session.ownRunId) return false;
    if (session.state.messageIds.has(messageId)) return true;
    const recorded = recordedExtras(extras, session.state);
    await session.write(session.run.claim, [{ type: 'message_queued', messageId, text, ...recorded }], true);
    return true;
  });
}

type QueueChange = Extract<NewEvent, { type: 'queued_message_edited' | 'queued_message_removed' }>;

/** Changes or removes a message that waits. @throws RatchetError `not_found` when it does not wait any more */
export function changeQueued(session: LiveSession, change: QueueChange): Promise<void> {
  return session.exclusively(async () => {
    assertQueued(session.state.queue, change.messageId);
    if (session.run) {
      await session.write(session.run.claim, [change], true);
      return;
    }
    const claim = await session.stored.claim(session.take);
    if (!claim) throw new RatchetError('already_running', 'Another window runs this session. Change it there.');
    try {
      // Another window may have run it meanwhile.
      assertQueued(session.state.queue, change.messageId);
      await session.write(claim, [change], true);
    } finally {
      await claim.close();
    }
  });
}

/** Delivers all that waits. @param write the run's own, which waits while the disk is full */
export function deliverQueue(
  session: LiveSession,
  write: (...events: NewEvent[]) => Promise<readonly SessionEvent[]>,
): Promise<void> {
  return session.exclusively(async () => {
    if (session.state.queue.length > 0) await write(...deliveries(session.state.queue));
  });
}
