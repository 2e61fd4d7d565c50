// Reads the start and the end of an output file of any size, and counts the lines between them.

import { open, type FileHandle } from 'node:fs/promises';
import type { OutputLimits, OutputWindow } from '../core/jobOutput.ts';
import { systemErrorCode } from '../platform/systemError.ts';

const countChunkBytes = 256 * 1024;
/** Above this the lines between head and tail are not counted. */
const countLimitBytes = 256 * 1024 * 1024;
const lineFeed = 10;

/** Start and end of the file at `path`; an empty window when there is no file. */
export async function readOutputWindow(path: string, limits: OutputLimits): Promise<OutputWindow> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    return { head: new Uint8Array(), tail: new Uint8Array(), totalBytes: 0, omittedLines: 0 };
  }
  try {
    const { size } = await file.stat();
    if (size <= limits.headBytes + limits.tailBytes) {
      const head = await readRange(file, 0, size);
      return { head, tail: new Uint8Array(), totalBytes: head.length, omittedLines: 0 };
    }
    const tailFrom = size - limits.tailBytes;
    const head = await readRange(file, 0, limits.headBytes);
    const tail = await readRange(file, tailFrom, size);
    const window = { head, tail, totalBytes: size };
    if (limits.countsOmitted === false || tailFrom - limits.headBytes > countLimitBytes) return window;
    return { ...window, omittedLines: await countLineFeeds(file, limits.headBytes, tailFrom) };
  } finally {
    await file.close();
  }
}

async function readRange(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(to - from);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function countLineFeeds(file: FileHandle, from: number, to: number): Promise<number> {
  const buffer = new Uint8Array(countChunkBytes);
  let count = 0;
  for (let offset = from; offset < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - offset), offset);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count++;
    offset += bytesRead;
  }
  return count;
}
