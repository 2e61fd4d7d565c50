// Looks at folders where a missing one is an answer, not a failure.
import { readdir, stat } from 'node:fs/promises';
import { systemErrorCode } from '../platform/systemError.ts';

const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

/** Names in a folder; none when it is not there. @throws the error of the file system */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (missing.has(systemErrorCode(error))) return [];
    throw error;
  }
}

/** Whether something is there under this name. @throws the error of the file system */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (missing.has(systemErrorCode(error))) return false;
    throw error;
  }
}
