// Small images of each kind: as their headers say it, and as long as wanted. A PNG of one pixel is a real one.

export const onePixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The header of a PNG of this size, filled up to `bytes`. */
export function pngBytes(width: number, height: number, bytes = 64, animated = false): Buffer {
  const buffer = Buffer.alloc(Math.max(bytes, 64));
  buffer.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  buffer.writeUInt32BE(13, 8);
  buffer.write('IHDR', 12, 'latin1');
  buffer.writeUInt32BE(width, 16);
  buffer.writeUInt32BE(height, 20);
  buffer.writeUInt32BE(8, 33);
  buffer.write(animated ? 'acTL' : 'IDAT', 37, 'latin1');
  return buffer;
}

export const png = (width: number, height: number, bytes?: number): string => base64(pngBytes(width, height, bytes));

export function gifBytes(width: number, height: number, animated = false): Buffer {
  const buffer = Buffer.alloc(64);
  buffer.write('GIF89a', 'latin1');
  buffer.writeUInt16LE(width, 6);
  buffer.writeUInt16LE(height, 8);
  if (animated) buffer.write('NETSCAPE2.0', 20, 'latin1');
  return buffer;
}

/** With a profile in front of its size, as cameras write them. */
export function jpegBytes(width: number, height: number, profile = 100): Buffer {
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  start.writeUInt16BE(profile + 2, 4);
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 0, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([start, Buffer.alloc(profile), frame]);
}

export function webpBytes(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number, animated = false): Buffer {
  const buffer = Buffer.alloc(40);
  buffer.write('RIFF', 'latin1');
  buffer.write('WEBP', 8, 'latin1');
  buffer.write(kind, 12, 'latin1');
  if (kind === 'VP8 ') {
    buffer.writeUInt16LE(width, 26);
    buffer.writeUInt16LE(height, 28);
  } else if (kind === 'VP8L') {
    buffer.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  } else {
    buffer.writeUInt8(animated ? 0x02 : 0, 20);
    buffer.writeUIntLE(width - 1, 24, 3);
    buffer.writeUIntLE(height - 1, 27, 3);
  }
  return buffer;
}
