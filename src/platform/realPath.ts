// Where a path leads with every link in it followed, and whether one lies below another. Must never know what for.
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
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

/** Whether an absolute path lies below a folder. Nothing is looked up: links in either have to be followed before. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The same, or the folder itself. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return relative(folder, path) === '' || isBelow(folder, path);
}
