// The wish of another window that the run of a session end: a small durable file beside the lease, named by the lease's
// generation, so that a wish which comes late cannot end a later run. The owner takes it away as it begins to obey.
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { quickParser } from '../core/quickCheck.ts';
import { readIfThere, replaceFile } from '../platform/durableFiles.ts';
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';
import type { UserStop } from '../runner/runStopped.ts';
import { parsedJson } from '../core/parsedJson.ts';

/** How often an owner looks for a wish, in milliseconds. */
export const stopLookMs = 500;

const recordSchema = z.object({ kind: z.enum(['user', 'user_keep_command']) });
const recordOf = quickParser(recordSchema);

/** Leaves the wish for the owner of this generation; over one that it has not taken yet. */
export async function leaveStopRequest(folder: string, generation: number, kind: UserStop): Promise<void> {
  await replaceFile(join(folder, fileName(generation)), JSON.stringify({ kind }));
}

/** Whether the owner of this generation has not taken the wish yet. */
export async function isStopRequested(folder: string, generation: number): Promise<boolean> {
  return (await readIfThere(join(folder, fileName(generation)))) !== undefined;
}

/** The wish, taken away; undefined when there is none. One that cannot be read is a plain Stop. */
export async function takeStopRequest(folder: string, generation: number): Promise<UserStop | undefined> {
  const file = join(folder, fileName(generation));
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    await removeIfThere(file);
  } catch (error) {
    // A wish that cannot be taken away is obeyed all the same.
    if (!isDiskRefusal(error)) throw error;
  }
  return recordOf(parsedJson(text))?.kind ?? 'user';
}

/** Clears away the wishes for this generation and those before it: their runs are over. */
export async function clearStopRequests(folder: string, generation: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const digits = /^stop-(\d+)\.json$/.exec(name)?.[1];
    if (digits !== undefined && Number(digits) <= generation) await removeIfThere(join(folder, name));
  }
}

/** Looks for a wish again and again, until it is disposed. A look that fails is made again. */
export class StopWatch {
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  constructor(folder: string, generation: number, onAsked: (kind: UserStop) => void) {
    const look = async (): Promise<void> => {
      if (this.#isLooking) return;
      this.#isLooking = true;
      try {
        const kind = await takeStopRequest(folder, generation);
        if (kind) onAsked(kind);
      } catch (error) {
        // The folder is gone, or the disk lets nothing be taken away: the next append notices.
        if (systemErrorCode(error) === undefined) throw error;
      } finally {
        this.#isLooking = false;
      }
    };
    this.#timer = setInterval(() => {
      void look();
    }, stopLookMs);
    this.#timer.unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}

function fileName(generation: number): string {
  return `stop-${String(generation)}.json`;
}

async function removeIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}
