// Opens a file for reading that is one: no link, no pipe, no device, and where its path was looked at. Nothing is waited
// for, and nothing of it is read before that is known.
import { constants, type Stats } from 'node:fs';
import { open, statfs, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { inFolder } from './heldFolder.ts';
import { systemErrorCode } from './systemError.ts';

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Without following a link in its place, without waiting for the other end of a pipe. */
export const readOnlyFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Lends a file to read from; undefined when what is there is no regular file.
 * @param real absolute, with every link resolved
 * @throws PathMovedError, or the error of the file system (`ENOENT` when it is not there)
 */
export function withRegularFile<T>(real: string, use: (file: OpenFile) => Promise<T>): Promise<T | undefined> {
  return inFolder(dirname(real), async (folder) => {
    const handle = await openNoLink(folder.entry(basename(real)));
    if (!handle) return undefined;
    try {
      const stats = await handle.stat();
      return stats.isFile() ? await use({ handle, stats }) : undefined;
    } finally {
      await handle.close();
    }
  });
}

async function openNoLink(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, readOnlyFlags);
  } catch (error) {
    const code = systemErrorCode(error);
    // A link, a socket, a device without a driver; on Windows a folder.
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' || code === 'ENODEV' || code === 'EISDIR')
      return undefined;
    throw error;
  }
}

/** The first bytes of it, at most `limit`. */
export async function readStart({ handle, stats }: OpenFile, limit: number): Promise<Buffer> {
  // One byte more than it had, so that one that grows is seen to.
  const buffer = Buffer.alloc(Math.min(limit, stats.size + 1));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** What the kernel makes up when it is read: the environment of a process, keys, devices. */
const madeUp: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x1cd1]);

/** Whether a path is one of the system's own file systems, where a file is no file: /proc, /sys and the like. */
export async function isSystemFile(real: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  if (/^\/(?:proc|sys|dev)(?:\/|$)/.test(real)) return true;
  return madeUp.has((await statfs(real)).type);
}
