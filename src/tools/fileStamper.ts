// Stamps of many files: taken in short turns, and asynchronously where the file system is slow.
import { lstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { systemErrorCode } from '../platform/systemError.ts';
import { ShortTurns, type LookLimits } from './shortTurns.ts';

/** Takes the stamps of one scan. */
export class FileStamper {
  readonly #turns: ShortTurns;

  /** @param limits when files are no longer looked at synchronously; the stamps do not depend on it */
  constructor(limits: LookLimits = { inTurn: 384, slowMs: 0.2 }) {
    this.#turns = new ShortTurns(limits);
  }

  /** The stamp of each path, links not followed; undefined for what is not there or can't be read. */
  async take(paths: readonly string[]): Promise<readonly (Stats | undefined)[]> {
    if (this.#turns.isSlow) return Promise.all(paths.map((path) => statsOf(path)));
    return this.#turns.take(paths.length, () => paths.map((path) => statsNow(path)));
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
