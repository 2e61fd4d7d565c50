// Where a path leads with every link in it followed.
import { realpath } from 'node:fs/promises';
import { systemErrorCode } from './systemError.ts';

/** The real path; undefined where there is nothing, or nothing that we may look at. */
export async function realIfThere(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
