// Looks at a workspace file that may not be there any more.
import { lstat } from 'node:fs/promises';
import { ToolInputError } from '../runner/ports.ts';
import { PathMovedError } from '../platform/heldFolder.ts';
import { readStart, withRegularFile } from '../platform/regularFile.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { confine } from './sdkTools.ts';

/**
 * The file's content; undefined when it is not there, not to be read, no regular file, outside of the folder by now, or
 * larger than `limit` bytes.
 */
export async function readFileUpTo(folder: string, path: string, limit: number): Promise<Uint8Array | undefined> {
  return look(folder, path, async (real) => {
    const bytes = await withRegularFile(real, (file) => readStart(file, limit + 1));
    return bytes && bytes.length <= limit ? bytes : undefined;
  });
}

/** Whether it is a regular file inside of the folder. */
export async function isFileIn(folder: string, path: string): Promise<boolean> {
  return (await look(folder, path, () => Promise.resolve(true))) ?? false;
}

async function look<T>(
  folder: string,
  path: string,
  use: (real: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const { real } = await confine(folder, path);
    const stats = await lstat(real);
    return stats.isFile() ? await use(real) : undefined;
  } catch (error) {
    if (error instanceof ToolInputError || error instanceof PathMovedError || systemErrorCode(error) !== undefined)
      return undefined;
    throw error;
  }
}
