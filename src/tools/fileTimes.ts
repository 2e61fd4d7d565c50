// What the times of a file system are worth: whether a change is seen by its time, and which times count as "since".
// On such a file system a folder whose change time stands still has the same names, and a file the same content.
import { lstat, open, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';

/** File systems stamp by a coarse clock that may lag behind by this many milliseconds. */
export const clockLag = 20;

/** Linux: local file systems whose times come from this machine's clock, by the magic number of statfs(2). */
const soundLinuxTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlayfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
]);

/**
 * Whether the change times of a folder's files and folders can be relied upon. In doubt, and always on Windows: no.
 * @param storage a folder of our own; where it is on the same device, what is seen there holds for the folder too
 */
export async function areTimesSound(folder: string, storage: string): Promise<boolean> {
  try {
    switch (process.platform) {
      case 'linux':
        return soundLinuxTypes.has((await statfs(folder)).type >>> 0);
      case 'darwin':
        return (await stat(folder)).dev === (await stat(storage)).dev && (await showsChanges(storage));
      default:
        return false;
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

/** Tries it in a folder: changed content shows though its own time was put back, a new name shows in its folder's time. */
export async function showsChanges(folder: string): Promise<boolean> {
  const probe = join(folder, '.times.tmp');
  const long = new Date(0);
  await utimes(folder, long, long);
  const began = Date.now();
  const file = await open(probe, 'w', 0o600);
  try {
    await file.writeFile('x');
    await file.utimes(long, long);
  } finally {
    await file.close();
  }
  try {
    const [inside, outside, ended] = [await lstat(probe), await lstat(folder), Date.now()];
    const isNow = (ms: number): boolean => latestTime(ms) >= began - clockLag && ms <= ended + clockLag;
    return inside.mtimeMs === 0 && isNow(inside.ctimeMs) && isNow(outside.mtimeMs) && isNow(outside.ctimeMs);
  } finally {
    await rm(probe, { force: true });
  }
}

/** The latest moment that a time stands for: some file systems count in whole seconds. Milliseconds since 1970. */
export function latestTime(ms: number): number {
  return ms % 1000 === 0 ? ms + 999 : ms;
}
