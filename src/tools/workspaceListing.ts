// The files of a workspace folder for the resume context: git's view of it where there is git, else an own walk.
import { join } from 'node:path';
import type { ListedFile } from '../core/recordedFiles.ts';
import { FileStamper } from './fileStamper.ts';
import { askGit } from './git.ts';
import { isPassedOver, pathIn, scanFolder, type FolderScan } from './folderScan.ts';

const stampedAtOnce = 128;
/** Git that waits for longer is stuck, such as on a pipe; the own walk takes over. */
const patienceMs = 5_000;
const mostOutput = 256 * 1024 * 1024;

export interface WorkspaceListing {
  /** Sorted by path, those of `first` before all others. */
  readonly entries: readonly ListedFile[];
  /** Files in the folder, as far as they were counted. */
  readonly total: number;
  /** Whether there are more files than entries. */
  readonly truncated: boolean;
}

export interface ListingOptions {
  /** Entries at most. */
  readonly limit: number;
  /** Paths that are listed before others when there are too many. */
  readonly first?: readonly string[];
}

/**
 * Lists the folder's files, without what git ignores and without installed packages.
 * @throws the system's error when the folder can't be read
 */
export async function listWorkspace(folder: string, { limit, first = [] }: ListingOptions): Promise<WorkspaceListing> {
  const names = await gitNames(folder);
  if (names && names.length > 0) {
    const entries = await stampNames(folder, preferred(names, first), limit);
    return { entries, total: names.length, truncated: entries.length >= limit && names.length > entries.length };
  }
  const scan = await scanFolder(folder);
  const { fileCount, complete } = scan;
  const all = namesIn(scan).sort();
  const entries = await stampNames(folder, preferred(all, first), limit);
  return { entries, total: fileCount, truncated: !complete || fileCount > entries.length };
}

/**
 * The names of the folder's files, without what git ignores and without installed packages.
 * @throws the system's error when the folder can't be read
 */
export async function listNames(folder: string): Promise<readonly string[]> {
  const names = await gitNames(folder);
  return names && names.length > 0 ? names : namesIn(await scanFolder(folder));
}

function namesIn({ folders }: FolderScan): string[] {
  return [...folders.values()].flatMap((each) => each.names.map((_name, index) => pathIn(each, index)));
}

function preferred(names: readonly string[], first: readonly string[]): readonly string[] {
  if (first.length === 0) return names;
  const wanted = new Set(first);
  return [...names.filter((name) => wanted.has(name)), ...names.filter((name) => !wanted.has(name))];
}

async function stampNames(folder: string, names: readonly string[], limit: number): Promise<readonly ListedFile[]> {
  const entries: ListedFile[] = [];
  const stamper = new FileStamper();
  for (let next = 0; next < names.length && entries.length < limit;) {
    const batch = names.slice(next, next + Math.min(stampedAtOnce, limit - entries.length));
    next += batch.length;
    const stamps = await stamper.take(batch.map((path) => join(folder, path)));
    for (const [index, path] of batch.entries()) {
      const stats = stamps[index];
      // Git also names tracked files that were deleted.
      if (stats && !stats.isDirectory()) entries.push({ path, size: stats.size, mtimeMs: stats.mtimeMs });
    }
  }
  return entries;
}

/** Tracked and untracked names, sorted; undefined where the folder is in no repository or there is no git. */
async function gitNames(folder: string): Promise<readonly string[] | undefined> {
  const args = ['ls-files', '-co', '--exclude-standard', '-z'];
  const output = await askGit(folder, args, { timeoutMs: patienceMs, maxBytes: mostOutput });
  if (output === undefined) return undefined;
  const names = new Set(output.split('\0').filter((name) => name !== '' && !isPassedOver(name)));
  return [...names].sort();
}
