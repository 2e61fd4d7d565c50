// The transcript's item of a user's message: its words, and what goes along by name only. Contents, megabytes of them,
// are asked for one by one.
import type { EventOf } from '../core/events.ts';
import type { UserItem } from '../protocol/view.ts';

export function userItem(event: EventOf<'user_message_added'>): UserItem {
  const { attachments = [], images = [] } = event;
  return {
    kind: 'user',
    id: event.messageId,
    at: event.at,
    text: event.text,
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ kind, label, problem }) => ({ kind, label, ...(problem && { problem }) })),
    }),
    ...(images.length > 0 && {
      images: images.map(({ width, height, name }, index) => ({
        name: name ?? `Image ${String(index + 1)}`,
        width,
        height,
      })),
    }),
  };
}
