// Lets messages be queued, edited, removed and delivered in a made-up history, at the places where the runner does it.
// It must never know what is checked about them.
import fc from 'fast-check';
import type { NewEvent } from '../../src/core/events.ts';
import { deliveries, foldQueue, type QueuedMessage } from '../../src/core/messageQueue.ts';

/** What the user does after each answer and each step that begins: nothing, mostly. */
export const userDoings = fc.array(fc.constantFrom('nothing', 'queue', 'queue', 'edit', 'remove'), {
  minLength: 10,
  maxLength: 30,
  size: 'max',
});
type Doing = 'nothing' | 'queue' | 'edit' | 'remove';

export function withQueue(events: readonly NewEvent[], doings: readonly Doing[]): readonly NewEvent[] {
  const out: NewEvent[] = [];
  let queue: readonly QueuedMessage[] = [];
  let done = 0;
  const push = (...more: readonly NewEvent[]): void => {
    for (const event of more) {
      out.push(event);
      queue = foldQueue(queue, { seq: out.length, at: 0, ...event });
    }
  };
  for (const event of events) {
    const isTurn =
      event.type === 'relaunch_prepared' ||
      (event.type === 'request_started' && event.attempt === 1) ||
      (event.type === 'user_message_added' && event.origin === 'user');
    if (isTurn) push(...deliveries(queue));
    push(event);
    if (event.type !== 'assistant_message_completed' && event.type !== 'step_started') continue;
    const doing = doings[done++] ?? 'nothing';
    const last = queue.at(-1)?.messageId ?? 'none that waits';
    switch (doing) {
      case 'queue':
        push({ type: 'message_queued', messageId: `queued${String(done)}`, text: `Said ${String(done)}.` });
        break;
      case 'edit':
        push({ type: 'queued_message_edited', messageId: last, text: `Better ${String(done)}.` });
        break;
      case 'remove':
        push({ type: 'queued_message_removed', messageId: last });
        break;
      case 'nothing':
        break;
    }
  }
  return out;
}
