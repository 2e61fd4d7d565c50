// A look at which files a folder holds, cheap enough to take before and after every command: names and stamps, no contents.
// Never blocks for long: all file system calls are asynchronous and few are in flight at a time.
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';
import { isTemporaryName } from './fileChange.ts';

export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export interface FolderScan {
  /** When the scan began, in milliseconds since 1970. */
  readonly at: number;
  /** By path relative to the folder, with `/`. Links are listed, not followed. */
  readonly files: ReadonlyMap<string, FileStamp>;
  /** False when the folder holds more files than were listed. */
  readonly complete: boolean;
}

/** Files in a scan at most. */
export const scanLimit = 100_000;

/** What is installed or kept by other programs, and by far too much of it. Build outputs are not among these. */
const passedOver = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', '.tox']);
const statsAtOnce = 64;
/** Names of a folder above this number stay in the file system's order: sorting them would block. */
const sortLimit = 10_000;

/** Whether a relative path leads through a folder that is passed over, or to a cut write's temporary file. */
export function isPassedOver(path: string): boolean {
  return path.split('/').some((part) => passedOver.has(part) || isTemporaryName(part));
}

/**
 * Lists the files of a folder in a steady order: a folder's own files by name, then its folders by name.
 * What can't be read, or vanishes meanwhile, is left out.
 * @param limit files at most
 * @throws the system's error when the folder itself can't be read
 */
export async function scanFolder(folder: string, limit = scanLimit): Promise<FolderScan> {
  const at = Date.now();
  const files = new Map<string, FileStamp>();
  const waiting = [''];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { names, folders } = await listFolder(folder, path);
    for (let from = 0; from < names.length; from += statsAtOnce) {
      if (files.size >= limit) return { at, files, complete: false };
      const batch = names.slice(from, Math.min(from + statsAtOnce, from + limit - files.size));
      const stamps = await Promise.all(batch.map((name) => stampOf(join(folder, name))));
      batch.forEach((name, index) => {
        const stamp = stamps[index];
        if (stamp) files.set(name, stamp);
      });
      if (batch.length < Math.min(statsAtOnce, names.length - from)) return { at, files, complete: false };
    }
    for (const name of folders.toReversed()) waiting.push(name);
  }
  return { at, files, complete: true };
}

async function listFolder(
  root: string,
  path: string,
): Promise<{ readonly names: readonly string[]; readonly folders: readonly string[] }> {
  const names: string[] = [];
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(join(root, path), { bufferSize: 256 })) {
      if (passedOver.has(entry.name) || isTemporaryName(entry.name)) continue;
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) folders.push(child);
      else if (isListed(entry)) names.push(child);
    }
  } catch (error) {
    if (path === '' || systemErrorCode(error) === undefined) throw error;
  }
  if (names.length <= sortLimit) names.sort();
  if (folders.length <= sortLimit) folders.sort();
  return { names, folders };
}

function isListed(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

async function stampOf(path: string): Promise<FileStamp | undefined> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await lstat(path);
    return { size, mtimeMs, ctimeMs, ino };
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}
