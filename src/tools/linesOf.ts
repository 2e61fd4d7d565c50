// Some lines of a file that is too large to be read whole, from a handle and in pieces.
import type { OpenFile } from '../platform/regularFile.ts';

const pieceBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The lines from `first` to `last`, counted from 1, without the line feed at their end; undefined when they have more than
 * `limit` bytes.
 * @param start the first bytes of the file, if they are at hand
 */
export async function linesOf(
  { handle }: OpenFile,
  start: Buffer,
  first: number,
  last: number,
  limit: number,
): Promise<string | undefined> {
  if (last < first) return '';
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let at = 0;
  for (let piece = start; piece.length > 0; piece = await next(handle, at)) {
    at += piece.length;
    for (let from = 0; from < piece.length;) {
      const end = piece.indexOf(newline, from);
      const to = end === -1 ? piece.length : end + 1;
      if (line >= first) {
        keptBytes += to - from;
        if (keptBytes > limit + 1) return undefined;
        kept.push(Buffer.from(piece.subarray(from, to)));
      }
      if (end !== -1) line += 1;
      from = to;
      if (line > last) return withoutEnd(Buffer.concat(kept));
    }
  }
  return Buffer.concat(kept).toString('utf8');
}

async function next(handle: OpenFile['handle'], at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
  return buffer.subarray(0, bytesRead);
}

/** The line feed of the last line belongs to it, not to what is shown. */
function withoutEnd(bytes: Buffer): string {
  const length = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length;
  return bytes.toString('utf8', 0, length);
}
