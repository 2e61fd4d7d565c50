// Images of a message: their recorded form, the limits that keep every later request valid, and the block that is sent.
// It must never know how one is scaled or drawn.
import { z } from 'zod';
import { RatchetError } from './errors.ts';
import { imageFacts, imageHeadBytes, imageTypes } from './imageFacts.ts';
import { imageLimits } from './imageLimits.ts';
import { grouped, sizeText } from './words.ts';

export const imageSchema = z.object({
  mediaType: z.enum(imageTypes),
  /** Base64. */
  data: z.string(),
  /** Pixels. */
  width: z.number(),
  height: z.number(),
  /** Of the file, when it had one. */
  name: z.string().optional(),
  /** A thumbnail for the panel, as a data URL. Never sent to the model. */
  preview: z.string().optional(),
});
export type MessageImage = Readonly<z.infer<typeof imageSchema>>;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const previewUrl = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * The images as they are recorded: kind and size as their bytes have it, a preview that is too much left out.
 * @param earlier the images that the session holds already
 * @throws RatchetError `bad_attachment` when one of them would make a request invalid
 */
export function checkedImages(
  images: readonly MessageImage[],
  earlier: readonly MessageImage[],
): readonly MessageImage[] {
  if (images.length === 0) return images;
  if (images.length > imageLimits.perMessage)
    throw refused(`A message takes ${String(imageLimits.perMessage)} images at most. Remove some of them.`);
  const all = [...earlier, ...images];
  const size = all.reduce((sum, { data }) => sum + data.length, 0);
  if (all.length > imageLimits.sessionCount || size > imageLimits.sessionData)
    throw refused('This session holds as many images as the model takes at once. Remove some, or begin a new session.');
  return images.map(checkedImage);
}

function checkedImage(image: MessageImage): MessageImage {
  const name = image.name ?? 'The image';
  if (image.data.length > imageLimits.data)
    throw refused(`${name} is too large: ${sizeText(image.data.length * 0.75)}. Send a smaller one.`);
  const facts = isBase64(image.data) ? imageFacts(headBytes(image.data)) : undefined;
  if (!facts) throw refused(`${name} is not an image that can be read. PNG, JPEG, GIF and WebP can be sent.`);
  const { mediaType, width, height } = facts;
  if (Math.max(width, height) > imageLimits.longestSide)
    throw refused(`${name} is too large: ${grouped(width)} × ${grouped(height)} pixels. Send a smaller one.`);
  const { preview } = image;
  const hasPreview = preview !== undefined && preview.length <= imageLimits.preview && previewUrl.test(preview);
  return {
    mediaType,
    data: image.data,
    width,
    height,
    ...(image.name !== undefined && { name: image.name }),
    ...(hasPreview && { preview }),
  };
}

function refused(message: string): RatchetError {
  return new RatchetError('bad_attachment', message);
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && base64.test(data);
}

function headBytes(data: string): Uint8Array {
  return Uint8Array.from(atob(data.slice(0, Math.ceil(imageHeadBytes / 3) * 4)), (char) => char.charCodeAt(0));
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

/** The block that is sent; undefined for a record that was damaged and would be refused. */
export function imageBlock({ mediaType, data }: MessageImage): ImageBlock | undefined {
  if (!isBase64(data)) return undefined;
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
