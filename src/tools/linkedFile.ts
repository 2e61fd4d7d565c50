// Where a path leads that an answer links to: its real place, whatever links are on the way, and whether that is in the
// folder. Reads nothing of the file.
import { join, relative, resolve } from 'node:path';
import { isBelow, realIfThere } from '../platform/realPath.ts';

export interface LinkedFile {
  /** Absolute. In the folder it begins with the folder's own path; else it is the real one. */
  readonly path: string;
  readonly isInside: boolean;
}

/** @param folder absolute path @param path as it was written: relative to the folder, or absolute */
export async function linkedFile(folder: string, path: string): Promise<LinkedFile> {
  const written = resolve(folder, path);
  const [realFolder, real] = await Promise.all([realIfThere(folder), realIfThere(written)]);
  if (real === undefined) return { path: written, isInside: isBelow(folder, written) };
  const within = relative(realFolder ?? folder, real);
  return isBelow(realFolder ?? folder, real)
    ? { path: join(folder, within), isInside: true }
    : { path: real, isInside: false };
}
