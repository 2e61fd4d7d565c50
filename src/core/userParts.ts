// What a message of the user is sent as, part by part: images, the text, what its mentions stood for, what was around.
// A part keeps its place for ever: a record that leaves one out names it by it.
import type { EventOf } from './events.ts';
import { imageBlock, type ImageBlock } from './images.ts';

const lostImage = '(An image that was sent here is damaged in the trace.)';
/** The service counts a token for about so many pixels. */
const pixelsPerToken = 750;

export type UserPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `text` is what stands for the image where it cannot be sent. */
  | { readonly kind: 'image'; readonly block: ImageBlock; readonly text: string };

/** Nothing for a message that says nothing. */
export function userParts(event: EventOf<'user_message_added'>): readonly UserPart[] {
  const { images = [] } = event;
  if (isBlank(event.text) && images.length === 0) return [];
  return [
    ...images.map((image): UserPart => {
      const block = imageBlock(image);
      return block ? { kind: 'image', block, text: lostImage } : { kind: 'text', text: lostImage };
    }),
    ...userTexts(event).map((text): UserPart => ({ kind: 'text', text })),
  ];
}

/** The texts among the parts. */
export function userTexts({ text, attachments = [], surroundings }: EventOf<'user_message_added'>): readonly string[] {
  return [
    text,
    ...attachments.map((attachment) => attachment.text),
    ...(surroundings === undefined ? [] : [`<surroundings>\n${surroundings}\n</surroundings>`]),
  ].filter((each) => !isBlank(each));
}

/** Tokens that the images of a message count for, rather too many than too few. */
export function imageTokens({ images = [] }: EventOf<'user_message_added'>): number {
  return images.reduce((sum, { width, height }) => sum + Math.ceil((width * height) / pixelsPerToken) + 1, 0);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
