// Messages that were sent while a run went on and wait for its next turn: queued, edited, removed, delivered. Their
// delivery is the ordinary record of a user's message with the same id.
import { RatchetError } from './errors.ts';
import type { Attachment } from './attachments.ts';
import type { NewEvent, SessionEvent } from './events.ts';
import type { MessageImage } from './images.ts';

export interface QueuedMessage {
  readonly messageId: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  readonly images?: readonly MessageImage[];
}

/** The queue after one event, oldest message first. The same list when the event is none of its own. */
export function foldQueue(queue: readonly QueuedMessage[], event: SessionEvent): readonly QueuedMessage[] {
  switch (event.type) {
    case 'message_queued': {
      const { messageId, text, attachments, images } = event;
      const queued = { messageId, text, ...(attachments && { attachments }), ...(images && { images }) };
      return queue.some((each) => each.messageId === messageId) ? queue : [...queue, queued];
    }
    case 'queued_message_edited':
      return queue.map((each) => (each.messageId === event.messageId ? { ...each, text: event.text } : each));
    case 'queued_message_removed':
    case 'user_message_added':
      return queue.some((each) => each.messageId === event.messageId)
        ? queue.filter((each) => each.messageId !== event.messageId)
        : queue;
    default:
      return queue;
  }
}

/** The records that deliver all of the queue, in order. */
export function deliveries(queue: readonly QueuedMessage[]): readonly NewEvent[] {
  return queue.map(({ messageId, text, attachments, images }) => ({
    ...{ type: 'user_message_added', messageId, text, origin: 'user' },
    ...(attachments && { attachments: [...attachments] }),
    ...(images && { images: [...images] }),
  }));
}

/** @throws RatchetError `not_found` when the message does not wait any more */
export function assertQueued(queue: readonly QueuedMessage[], messageId: string): void {
  if (queue.some((each) => each.messageId === messageId)) return;
  throw new RatchetError(
    'not_found',
    'This message does not wait any more: it was sent, or removed. Send another one to correct it.',
  );
}
