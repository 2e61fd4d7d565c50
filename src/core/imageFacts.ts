// Reads the kind and the size of an image from its first bytes. Whatever a file is called or said to be, this is what it
// is. Pure: bytes in, facts out; nothing is decoded.

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export interface ImageFacts {
  readonly mediaType: ImageType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** It may move: scaled down, it would not any more. */
  readonly isAnimated: boolean;
}

/** How much of a file is looked at: a JPEG has its size after its embedded thumbnail and profile. */
export const imageHeadBytes = 512 * 1024;

/** The facts of an image, or undefined when these are not the first bytes of one that the model takes. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = png(view) ?? gif(view) ?? jpeg(view) ?? webp(view);
    return found && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    // It ends before its size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function ascii(view: DataView, at: number, length: number): string {
  let text = '';
  for (let i = at; i < Math.min(at + length, view.byteLength); i++) text += String.fromCharCode(view.getUint8(i));
  return text;
}

function png(view: DataView): ImageFacts | undefined {
  if (ascii(view, 0, 8) !== '\u0089PNG\r\n\u001a\n' || ascii(view, 12, 4) !== 'IHDR') return undefined;
  let isAnimated = false;
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const chunk = ascii(view, at + 4, 4);
    isAnimated ||= chunk === 'acTL';
    if (chunk === 'IDAT' || chunk === 'acTL') break;
  }
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20), isAnimated };
}

function gif(view: DataView): ImageFacts | undefined {
  if (!/^GIF8[79]a$/.test(ascii(view, 0, 6))) return undefined;
  // Nothing but its frames says how many there are; each one that is more than still brings this extension along.
  const isAnimated = ascii(view, 0, 4_096).includes('NETSCAPE2.0');
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true), isAnimated };
}

/** The segment that holds the size: any start of frame. 0xc4, 0xc8 and 0xcc are others of the same range. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpeg(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isStartOfFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { mediaType: 'image/jpeg', width, height, isAnimated: false };
    }
    at += 2 + view.getUint16(at + 2);
  }
}

function webp(view: DataView): ImageFacts | undefined {
  if (ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return undefined;
  const mediaType = 'image/webp';
  switch (ascii(view, 12, 4)) {
    case 'VP8 ':
      return {
        mediaType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        isAnimated: false,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isAnimated: false };
    }
    case 'VP8X':
      return {
        mediaType,
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: ((view.getUint32(26, true) >>> 8) & 0xffffff) + 1,
        isAnimated: (view.getUint8(20) & 0x02) !== 0,
      };
    default:
      return undefined;
  }
}
