import assert from 'node:assert/strict';
import { RatchetError } from '../../../src/core/errors.ts';
import { imageFacts } from '../../../src/core/imageFacts.ts';
import { imageLimits } from '../../../src/core/imageLimits.ts';
import { checkedImages, imageBlock, type MessageImage } from '../../../src/core/images.ts';
import { gifBytes, jpegBytes, onePixelPng, png, pngBytes, webpBytes } from '../../support/imageBytes.ts';

const image = (data: string, more: Partial<MessageImage> = {}): MessageImage => ({
  mediaType: 'image/png',
  data,
  width: 1,
  height: 1,
  ...more,
});

const refusal = (images: readonly MessageImage[], earlier: readonly MessageImage[] = []): string => {
  try {
    checkedImages(images, earlier);
  } catch (error) {
    assert.ok(error instanceof RatchetError && error.code === 'bad_attachment');
    return error.message;
  }
  return 'not refused';
};

describe('images', () => {
  it('are known by their bytes, with their size', () => {
    const facts = (bytes: Buffer): unknown => {
      const found = imageFacts(bytes);
      return found && [found.mediaType, found.width, found.height, found.isAnimated];
    };
    assert.deepEqual(facts(pngBytes(800, 600)), ['image/png', 800, 600, false]);
    assert.deepEqual(facts(pngBytes(800, 600, 64, true)), ['image/png', 800, 600, true]);
    assert.deepEqual(facts(Buffer.from(onePixelPng, 'base64')), ['image/png', 1, 1, false]);
    assert.deepEqual(facts(gifBytes(320, 200)), ['image/gif', 320, 200, false]);
    assert.deepEqual(facts(gifBytes(320, 200, true)), ['image/gif', 320, 200, true]);
    assert.deepEqual(facts(jpegBytes(4_000, 3_000)), ['image/jpeg', 4_000, 3_000, false]);
    assert.deepEqual(facts(jpegBytes(10, 20, 60_000)), ['image/jpeg', 10, 20, false]);
    assert.deepEqual(facts(webpBytes('VP8 ', 640, 480)), ['image/webp', 640, 480, false]);
    assert.deepEqual(facts(webpBytes('VP8L', 640, 480)), ['image/webp', 640, 480, false]);
    assert.deepEqual(facts(webpBytes('VP8X', 7_000, 480, true)), ['image/webp', 7_000, 480, true]);
  });

  it('are not what is something else, empty or cut', () => {
    for (const bytes of [Buffer.from('hello'), Buffer.alloc(0), pngBytes(0, 5), jpegBytes(5, 5).subarray(0, 60)])
      assert.equal(imageFacts(bytes), undefined);
    for (const whole of [pngBytes(9, 9), gifBytes(9, 9), jpegBytes(9, 9), webpBytes('VP8X', 9, 9)])
      for (let length = 0; length < whole.length; length++) imageFacts(whole.subarray(0, length));
  });

  it('are recorded as they are, not as they are said to be', () => {
    const [checked] = checkedImages([image(jpegBytes(30, 40).toString('base64'), { name: 'a.png' })], []);
    assert.deepEqual(
      [checked?.mediaType, checked?.width, checked?.height, checked?.name],
      ['image/jpeg', 30, 40, 'a.png'],
    );
  });

  it('are refused in words when a later request would be refused for them', () => {
    assert.match(refusal([image(png(10, 10, 1_200_000), { name: 'big.png' })]), /^big\.png is too large: 1\.1 MB/);
    assert.match(refusal([image(png(8_001, 10))]), /^The image is too large: 8,001 × 10 pixels/);
    assert.match(refusal([image('aGVsbG8=')]), /not an image/);
    assert.match(refusal([image('not base64')]), /not an image/);
    const few = Array.from({ length: imageLimits.perMessage + 1 }, () => image(onePixelPng));
    assert.match(refusal(few), /10 images at most/);
    const earlier = Array.from({ length: 14 }, () => image('A'.repeat(imageLimits.data)));
    assert.match(refusal([image(onePixelPng)], earlier), /as many images as the model takes/);
    assert.equal(refusal([image(onePixelPng)], earlier.slice(0, 13)), 'not refused');
  });

  it('have a preview only when it is a small picture', () => {
    const previewOf = (preview: string): string | undefined =>
      checkedImages([image(onePixelPng, { preview })], [])[0]?.preview;
    assert.equal(previewOf('data:image/jpeg;base64,AAAA'), 'data:image/jpeg;base64,AAAA');
    assert.equal(previewOf('data:text/html;base64,AAAA'), undefined);
    assert.equal(previewOf('https://example.com/a.png'), undefined);
    assert.equal(previewOf(`data:image/jpeg;base64,${'A'.repeat(imageLimits.preview)}`), undefined);
  });

  it('that are damaged in the trace are not sent', () => {
    assert.equal(imageBlock(image('[redacted]')), undefined);
    assert.deepEqual(imageBlock(image(onePixelPng))?.source, {
      type: 'base64',
      media_type: 'image/png',
      data: onePixelPng,
    });
  });
});
