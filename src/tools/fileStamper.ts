// Stamps of many files, without holding up the event loop: taken in short turns, at a tenth of the cost of asynchronous
// calls, and asynchronously where the file system is slow.
import { lstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { systemErrorCode } from '../platform/systemError.ts';

/** Stamps taken in one turn of the event loop at most: some two milliseconds' worth. */
const stampsInTurn = 384;
/** The same in milliseconds, where they take longer. */
const turnMs = 8;
/** A stamp that takes longer on average, in milliseconds, comes over a network or from a busy disk. */
const slowStampMs = 0.2;
const stampsToJudge = 64;

/** Takes the stamps of one scan. */
export class FileStamper {
  #taken = 0;
  #spentMs = 0;
  #turnMs = 0;
  #inTurn = 0;

  /** The stamp of each path, links not followed; undefined for what is not there or can't be read. */
  async take(paths: readonly string[]): Promise<readonly (Stats | undefined)[]> {
    if (this.#taken >= stampsToJudge && this.#spentMs > this.#taken * slowStampMs)
      return Promise.all(paths.map((path) => statsOf(path)));
    const began = performance.now();
    const stamps = paths.map((path) => statsNow(path));
    const ms = performance.now() - began;
    this.#taken += paths.length;
    this.#spentMs += ms;
    this.#turnMs += ms;
    this.#inTurn += paths.length;
    if (this.#inTurn >= stampsInTurn || this.#turnMs >= turnMs) {
      this.#turnMs = 0;
      this.#inTurn = 0;
      await setImmediate();
    }
    return stamps;
  }
}

function statsNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}
