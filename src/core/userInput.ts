// What a user sends at once: words, what the words mention, and images. It must never know where any of it came from.
import type { Attachment } from './attachments.ts';
import type { NewEvent } from './events.ts';
import { historyEdits } from './historyEdits.ts';
import { checkedImages, type MessageImage } from './images.ts';
import type { ConversationEvent, SessionState } from './sessionState.ts';

/** What goes along with the words of a message. */
export interface MessageExtras {
  readonly attachments?: readonly Attachment[];
  readonly images?: readonly MessageImage[];
}

/** A message of images alone says enough. */
export function saysNothing(text: string, { images = [] }: MessageExtras): boolean {
  return text.trim() === '' && images.length === 0;
}

/** The fields of the record; none for a message of words alone. @throws RatchetError `bad_attachment` */
export function recordedExtras(
  { attachments = [], images = [] }: MessageExtras,
  { conversation, queue }: Pick<SessionState, 'conversation' | 'queue'>,
): Pick<Extract<NewEvent, { type: 'user_message_added' }>, 'attachments' | 'images'> {
  const checked = checkedImages(images, [...imagesOf(conversation), ...queue.flatMap((queued) => queued.images ?? [])]);
  return {
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(checked.length > 0 && { images: [...checked] }),
  };
}

/** All images that each request carries again: not those that a summary stands for. */
function imagesOf(conversation: readonly ConversationEvent[]): readonly MessageImage[] {
  return historyEdits(conversation).entries.flatMap((entry) =>
    entry.type === 'user_message_added' ? (entry.images ?? []) : [],
  );
}

/** What a session is called by when its first message has no words. */
export function titleText(text: string, images: readonly MessageImage[] = []): string {
  return text.trim() === '' && images.length > 0 ? (images[0]?.name ?? 'Image') : text;
}
