// Makes of a file that was pasted, dropped or chosen the image that is recorded: what it is is read from its bytes, one
// that is too large is drawn smaller. The host checks it again.
import { imageFacts, imageHeadBytes, type ImageFacts } from '../src/core/imageFacts.ts';
import { imageLimits } from '../src/core/imageLimits.ts';
import type { MessageImage } from '../src/core/images.ts';
import { grouped, sizeText } from '../src/core/words.ts';

/** Why an image is not taken, in the user's words. */
export class ImageRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImageRefused';
  }
}

/** More than this is not even opened, in bytes. */
const largestFile = 50 * 1024 * 1024;
/** Pixels of a side that a browser can draw. */
const largestSide = 16_000;
const previewSide = 160;
const qualities = [0.85, 0.7, 0.5] as const;

/** @throws ImageRefused */
export async function takeImage(file: File): Promise<MessageImage> {
  // A picture from the clipboard has the same name each time, which says nothing.
  const name = file.name === '' || file.name === 'image.png' ? undefined : file.name;
  const called = name ?? 'The image';
  if (file.size > largestFile) throw new ImageRefused(`${called} is too large: ${sizeText(file.size)}.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const facts = imageFacts(bytes.subarray(0, imageHeadBytes));
  if (!facts) throw new ImageRefused(`${called} is not an image that can be sent. PNG, JPEG, GIF and WebP can.`);
  const { mediaType, width, height } = facts;
  const side = Math.max(width, height);
  const fits = side <= imageLimits.bestSide && base64Length(bytes.length) <= imageLimits.data;
  if (!fits && (mediaType === 'image/gif' || facts.isAnimated)) {
    throw new ImageRefused(
      `${called} moves and is too large (${grouped(width)} × ${grouped(height)}, ${sizeText(bytes.length)}). Send one picture of it.`,
    );
  }
  if (side > largestSide)
    throw new ImageRefused(`${called} is too large: ${grouped(width)} × ${grouped(height)} pixels.`);
  const bitmap = await decoded(file, called);
  try {
    const sent = fits ? { mediaType, width, height, data: base64Of(bytes) } : await smaller(bitmap, facts, called);
    const preview = await thumbnail(bitmap);
    return { ...sent, ...(name !== undefined && { name }), ...(preview !== undefined && { preview }) };
  } finally {
    bitmap.close();
  }
}

async function decoded(file: File, called: string): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (error) {
    if (error instanceof DOMException) throw new ImageRefused(`${called} is damaged and cannot be sent.`);
    throw error;
  }
}

type Sent = Pick<MessageImage, 'mediaType' | 'width' | 'height' | 'data'>;

/** At the best size; as PNG when that is what it was and it stays small, else as JPEG of less and less quality. */
async function smaller(bitmap: ImageBitmap, facts: ImageFacts, called: string): Promise<Sent> {
  const attempts = [
    ...(facts.mediaType === 'image/png' ? [{ type: 'image/png', quality: 1 } as const] : []),
    ...qualities.map((quality) => ({ type: 'image/jpeg', quality }) as const),
  ];
  for (const { type, quality } of attempts) {
    const drawn = await draw(bitmap, imageLimits.bestSide, type, quality);
    if (base64Length(drawn.bytes.length) > imageLimits.data) continue;
    return { mediaType: type, width: drawn.width, height: drawn.height, data: base64Of(drawn.bytes) };
  }
  throw new ImageRefused(`${called} is too large, also when it is scaled down. Send a part of it.`);
}

async function thumbnail(bitmap: ImageBitmap): Promise<string | undefined> {
  const { bytes } = await draw(bitmap, previewSide, 'image/jpeg', 0.7);
  const url = `data:image/jpeg;base64,${base64Of(bytes)}`;
  return url.length <= imageLimits.preview ? url : undefined;
}

async function draw(
  bitmap: ImageBitmap,
  longest: number,
  type: 'image/png' | 'image/jpeg',
  quality: number,
): Promise<{ readonly bytes: Uint8Array; readonly width: number; readonly height: number }> {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new ImageRefused('This image cannot be drawn here. Send a smaller one.');
  if (type === 'image/jpeg') {
    // What is transparent would be black.
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type, quality });
  return { bytes: new Uint8Array(await blob.arrayBuffer()), width, height };
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A multiple of three, so that no piece ends with padding.
  for (let at = 0; at < bytes.length; at += 24_576)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return pieces.join('');
}
