// What the API refuses about a picture by its bytes: another kind than it says, too many pixels. It reads the first bytes
// by itself, so that a mistake of the product is not made twice.
import { invalid, type ValidationError } from './validationRules.ts';

/** How a file of each kind begins, in base64. */
const beginnings: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];
const longestSide = 8_000;
/** Of a request with more pictures than `many`. */
const longestOfMany = 2_000;
const many = 20;

/** @param count pictures in the whole request */
export function checkPicture(
  data: string,
  mediaType: string,
  where: string,
  count: number,
): ValidationError | undefined {
  const real = beginnings.find(([start]) => data.startsWith(start))?.[1];
  if (real === undefined) return invalid(`${where}: Could not process image`);
  if (real !== mediaType) {
    return invalid(
      `${where}: The image was specified using the ${mediaType} media type, but the image appears to be a ${real} image`,
    );
  }
  const side = longestSideOf(data, real);
  const most = count > many ? longestOfMany : longestSide;
  if (side === undefined || side <= most) return undefined;
  const kind = count > many ? 'many-image requests: ' : '';
  return invalid(`${where}: At least one of the image dimensions exceed max allowed size for ${kind}${most} pixels`);
}

/** Only of the kinds that have it in a fixed place. */
function longestSideOf(data: string, mediaType: string): number | undefined {
  const head = Buffer.from(data.slice(0, 64), 'base64');
  if (mediaType === 'image/png' && head.length >= 24) return Math.max(head.readUInt32BE(16), head.readUInt32BE(20));
  if (mediaType === 'image/gif' && head.length >= 10) return Math.max(head.readUInt16LE(6), head.readUInt16LE(8));
  return undefined;
}
