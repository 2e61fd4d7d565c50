// Hashes of workspace files, streamed: of the whole content, or of a large file's ends.
import { createHash, type Hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises';
import { readOnlyFlags } from '../platform/regularFile.ts';
import { systemErrorCode } from '../platform/systemError.ts';

/** Bytes up to which a file is hashed whole. */
export const wholeHashLimit = 64 * 1024 * 1024;
const endBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
const partialMark = 'partial:';

export interface FileHash {
  readonly size: number;
  /** Hex SHA-256 of the content; `partial:` and a hash of size, time and both ends where the file is too large. */
  readonly sha256: string;
  /** Set when somebody may run it as a program. */
  readonly executable?: true;
}

/** Whether somebody may run a file as a program; never on Windows, where no mode says so. */
export function isExecutable({ mode }: Pick<Stats, 'mode'>): boolean {
  return process.platform !== 'win32' && (mode & 0o111) !== 0;
}

/** Hex SHA-256 of what is in memory. */
export function hashBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether a recorded hash stands for a large file's size, time and ends only. */
export function isPartialHash(sha256: string): boolean {
  return sha256.startsWith(partialMark);
}

/**
 * Hashes a file as it is now; of a link, where it points. Undefined when there is no such file (or it is no file).
 * @param limit bytes up to which the whole content is hashed
 */
export async function hashFile(path: string, limit = wholeHashLimit): Promise<FileHash | undefined> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return { size: stats.size, sha256: hashBytes(`link:${await readlink(path)}`) };
    // Nothing but a regular file is read; should something else stand there meanwhile, nobody waits for it.
    if (!stats.isFile()) return undefined;
    const executable = isExecutable(stats) ? { executable: true as const } : {};
    const file = await open(path, readOnlyFlags);
    try {
      const hash = createHash('sha256');
      if (stats.size <= limit) {
        const size = await hashRange(file, hash, 0, Infinity);
        return { size, sha256: hash.digest('hex'), ...executable };
      }
      hash.update(`${String(stats.size)}:${String(stats.mtimeMs)}:`);
      await hashRange(file, hash, 0, endBytes);
      await hashRange(file, hash, Math.max(0, stats.size - endBytes), stats.size);
      return { size: stats.size, sha256: partialMark + hash.digest('hex'), ...executable };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

async function hashRange(file: FileHandle, hash: Hash, from: number, to: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let at = from;
  while (at < to) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(chunkBytes, to - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return at - from;
}
