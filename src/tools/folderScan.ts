// A look at which files a folder holds, cheap enough to take before and after every command: names and stamps, no contents.
// Never blocks for long: names are listed asynchronously; what was just listed is stamped in short turns, at a tenth of
// the cost of asynchronous calls, and asynchronously where the file system is slow.
import { lstatSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
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
/** Stamps taken in one turn of the event loop at most: some two milliseconds' worth. */
const stampsInTurn = 384;
/** The same in milliseconds, where they take longer. */
const turnMs = 8;
/** A stamp that takes longer on average, in milliseconds, comes over a network or from a busy disk. */
const slowStampMs = 0.2;
const stampsToJudge = 64;
/** Folders that are listed before their turn. */
const listedAhead = 4;
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
  const stamper = new Stamper();
  const waiting = [new WaitingFolder(folder, '')];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    // While this folder's files are stamped, those that come after it are listed.
    const listing = next.list();
    for (const later of waiting.slice(-listedAhead)) void later.list();
    const { names, error } = await listing;
    if (error && next.path === '') throw error;
    const folders: string[] = [];
    for (let from = 0; from < names.length; from += statsAtOnce) {
      const batch = names.slice(from, from + statsAtOnce);
      const stamps = await stamper.take(folder, batch);
      for (const [index, name] of batch.entries()) {
        const stats = stamps[index];
        if (stats?.isDirectory()) folders.push(name);
        else if (stats?.isFile() || stats?.isSymbolicLink()) {
          if (files.size >= limit) return { at, files, complete: false };
          const { size, mtimeMs, ctimeMs, ino } = stats;
          files.set(name, { size, mtimeMs, ctimeMs, ino });
        }
      }
    }
    for (const name of folders.toReversed()) waiting.push(new WaitingFolder(folder, name));
  }
  return { at, files, complete: true };
}

interface FolderNames {
  /** Relative to the root. */
  readonly names: readonly string[];
  /** Why there are none, where the folder can't be read. */
  readonly error?: Error;
}

/** A folder whose turn has not come yet; it is listed once, whoever asks first. */
class WaitingFolder {
  readonly path: string;
  readonly #root: string;
  #listing: Promise<FolderNames> | undefined;

  constructor(root: string, path: string) {
    this.#root = root;
    this.path = path;
  }

  list(): Promise<FolderNames> {
    this.#listing ??= listFolder(this.#root, this.path);
    return this.#listing;
  }
}

async function listFolder(root: string, path: string): Promise<FolderNames> {
  try {
    const listed = await readdir(join(root, path));
    const names = listed.filter((name) => !passedOver.has(name) && !isTemporaryName(name));
    if (names.length <= sortLimit) names.sort();
    return { names: path === '' ? names : names.map((name) => `${path}/${name}`) };
  } catch (error) {
    if (!(error instanceof Error) || systemErrorCode(error) === undefined) throw error;
    return { names: [], error };
  }
}

/** Takes the stamps of one scan. */
class Stamper {
  #taken = 0;
  #spentMs = 0;
  #turnMs = 0;
  #inTurn = 0;

  /** The stamp of each name; undefined for what is not there or can't be read. */
  async take(root: string, names: readonly string[]): Promise<readonly (Stats | undefined)[]> {
    if (this.#taken >= stampsToJudge && this.#spentMs > this.#taken * slowStampMs)
      return Promise.all(names.map((name) => statsOf(join(root, name))));
    const began = performance.now();
    const stamps = names.map((name) => statsNow(`${root}/${name}`));
    const ms = performance.now() - began;
    this.#taken += names.length;
    this.#spentMs += ms;
    this.#turnMs += ms;
    this.#inTurn += names.length;
    if (this.#inTurn >= stampsInTurn || this.#turnMs >= turnMs) {
      await setImmediate();
      this.#turnMs = 0;
      this.#inTurn = 0;
    }
    return stamps;
  }
}

function statsNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}
