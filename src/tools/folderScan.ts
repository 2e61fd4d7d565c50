// A look at which files a folder holds, cheap enough to take before and after every command: names and marks, no contents.
// Goes on from an earlier look where there is one: a folder whose times stand still is not listed again, and what is the
// same shares its memory. Never blocks for long. Must never know what is done with the differences.
import { statSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';
import { isTemporaryName } from './fileChange.ts';
import { contentMark, restMark } from './fileMarks.ts';
import { FileStamper } from './fileStamper.ts';
import { clockLag, latestTime } from './fileTimes.ts';

/** The files of one folder, without those of the folders in it. Index for index the same file. */
export interface ScannedFolder {
  /** Relative to the root, with `/`; empty for the root. */
  readonly path: string;
  /** Files and links, by name. */
  readonly names: readonly string[];
  readonly contentMarks: Uint32Array;
  readonly restMarks: Uint32Array;
  /** Change times in milliseconds since 1970; none in a scan that comes from the disk. */
  readonly ctimes: Float64Array;
  /** Folders in it, by name. */
  readonly folders: readonly string[];
  /** Whether a change in it shows in its times. */
  readonly sound: boolean;
  /** As long as the folder has these, it has these names; undefined when that can't be said. */
  readonly listedAs?: { readonly ino: number; readonly ctimeMs: number } | undefined;
}

export interface FolderScan {
  /** When it was taken, in milliseconds since 1970: its end where times are sound, else its beginning. */
  readonly at: number;
  /** By path. */
  readonly folders: ReadonlyMap<string, ScannedFolder>;
  readonly fileCount: number;
  /** False when the folder holds more files than were listed. */
  readonly complete: boolean;
}

export interface ScanOptions {
  /** Files at most; 100,000 by default. */
  readonly limit?: number | undefined;
  /** Whether the root's file system shows each change in its times; else nothing of `known` is relied upon. */
  readonly sound?: boolean;
  /** An earlier look at the same folder. */
  readonly known?: FolderScan | undefined;
  /** Which files are stamped: all, or only those of folders that were not known with the same names. */
  readonly stamps?: 'all' | 'unknown';
}

/** Files in a scan at most. */
export const scanLimit = 100_000;

/** What is installed or kept by other programs, and by far too much of it. Build outputs are not among these. */
const passedOver = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', '.tox']);
const statsAtOnce = 64;
/** Folders that are listed before their turn. */
const listedAhead = 4;
/** Names of a folder above this number stay in the file system's order: sorting them would block. */
const sortLimit = 10_000;

/** Whether a relative path leads through a folder that is passed over, or to a cut write's temporary file. */
export function isPassedOver(path: string): boolean {
  return path.split('/').some((part) => passedOver.has(part) || isTemporaryName(part));
}

/** The path of a file in a scan, relative to the root. */
export function pathIn({ path, names }: ScannedFolder, index: number): string {
  const name = names[index] ?? '';
  return path === '' ? name : `${path}/${name}`;
}

/**
 * Looks at the files of a folder in a steady order: a folder's own files by name, then its folders by name. Links are
 * listed, not followed. What can't be read, or vanishes meanwhile, is left out.
 * @throws the system's error when the folder itself can't be read
 */
export async function scanFolder(root: string, options: ScanOptions = {}): Promise<FolderScan> {
  const { limit = scanLimit, sound = false, known, stamps = 'all' } = options;
  const began = Date.now();
  const folders = new Map<string, ScannedFolder>();
  const look: Look = { root, device: statSync(root).dev, sound, known, stamper: new FileStamper() };
  let fileCount = 0;
  const scanOf = (complete: boolean): FolderScan => ({ at: sound ? Date.now() : began, folders, fileCount, complete });
  const waiting = [new WaitingFolder(look, '')];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    // While this folder's files are stamped, those that come after it are listed.
    const listing = next.list();
    for (const later of waiting.slice(-listedAhead)) void later.list();
    const listed = await listing;
    if (listed.error && next.path === '') throw listed.error;
    const room = limit - fileCount;
    const before = listed.known;
    const { folder, complete } =
      before && stamps === 'unknown' && before.names.length <= room
        ? { folder: before, complete: true }
        : await stampFolder(look, next.path, listed, room);
    folders.set(folder.path, folder);
    fileCount += folder.names.length;
    if (!complete) return scanOf(false);
    for (const name of folder.folders.toReversed())
      waiting.push(new WaitingFolder(look, folder.path === '' ? name : `${folder.path}/${name}`));
  }
  return scanOf(true);
}

/** What stays the same while one scan is taken. */
interface Look {
  readonly root: string;
  readonly device: number;
  readonly sound: boolean;
  readonly known: FolderScan | undefined;
  readonly stamper: FileStamper;
}

interface ListedFolder {
  /** Files, links, folders and anything else; only files and links where the folder is known. */
  readonly names: readonly string[];
  readonly sound: boolean;
  readonly listedAs?: ScannedFolder['listedAs'];
  /** What is known of the folder, where its names have not changed since. */
  readonly known?: ScannedFolder;
  /** Why there are no names, where the folder can't be read. */
  readonly error?: Error;
}

/** A folder whose turn has not come yet; it is listed once, whoever asks first. */
class WaitingFolder {
  readonly path: string;
  readonly #look: Look;
  #listing: Promise<ListedFolder> | undefined;

  constructor(look: Look, path: string) {
    this.#look = look;
    this.path = path;
  }

  list(): Promise<ListedFolder> {
    this.#listing ??= listFolder(this.#look, this.path);
    return this.#listing;
  }
}

async function listFolder(look: Look, path: string): Promise<ListedFolder> {
  const full = join(look.root, path);
  // Its times are taken first: a change between them and the listing makes it be listed again, not be missed.
  const stats = path === '' ? statsOfRoot(full) : (await look.stamper.take([full]))[0];
  const sound = look.sound && stats?.dev === look.device;
  const known = sound ? look.known?.folders.get(path) : undefined;
  if (known?.listedAs && known.listedAs.ino === stats?.ino && known.listedAs.ctimeMs === stats.ctimeMs)
    return { names: known.names, sound, listedAs: known.listedAs, known };
  const began = Date.now();
  try {
    const listed = await readdir(full);
    const names = listed.filter((name) => !passedOver.has(name) && !isTemporaryName(name));
    if (names.length <= sortLimit) names.sort();
    // A folder that changed just now could change again without a newer time.
    const isSettled = sound && latestTime(stats.ctimeMs) + clockLag < began;
    return { names, sound, ...(isSettled && { listedAs: { ino: stats.ino, ctimeMs: stats.ctimeMs } }) };
  } catch (error) {
    if (!(error instanceof Error) || systemErrorCode(error) === undefined) throw error;
    return { names: [], sound, error };
  }
}

function statsOfRoot(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Stamps what a folder lists, as far as there is room; what is the same as before is what was there before. */
async function stampFolder(
  look: Look,
  path: string,
  listed: ListedFolder,
  room: number,
): Promise<{ readonly folder: ScannedFolder; readonly complete: boolean }> {
  const prefix = path === '' ? look.root : `${look.root}/${path}`;
  const names: string[] = [];
  const folders: string[] = [];
  const contentMarks = new Uint32Array(listed.names.length);
  const restMarks = new Uint32Array(listed.names.length);
  const ctimes = new Float64Array(listed.names.length);
  let isWhole = true;
  let complete = true;
  for (let from = 0; from < listed.names.length && complete; from += statsAtOnce) {
    const batch = listed.names.slice(from, from + statsAtOnce);
    const stamps = await look.stamper.take(batch.map((name) => `${prefix}/${name}`));
    for (const [index, name] of batch.entries()) {
      const stats = stamps[index];
      if (stats?.isDirectory()) folders.push(name);
      else if (stats?.isFile() || stats?.isSymbolicLink()) {
        if (names.length >= room) {
          complete = false;
          break;
        }
        contentMarks[names.length] = contentMark(stats);
        restMarks[names.length] = restMark(stats);
        ctimes[names.length] = stats.ctimeMs;
        names.push(name);
      } else if (!stats) isWhole = false;
    }
  }
  const { known } = listed;
  // Of a known folder only the files were listed: one that is no file any more shows in the folder's times next.
  if (known && (folders.length > 0 || names.length < known.names.length)) isWhole = false;
  const now = {
    path,
    names,
    contentMarks: contentMarks.slice(0, names.length),
    restMarks: restMarks.slice(0, names.length),
    ctimes: ctimes.slice(0, names.length),
    folders: known ? known.folders : folders,
    sound: listed.sound,
    listedAs: isWhole && complete ? listed.listedAs : undefined,
  };
  return { folder: shared(look.known?.folders.get(path), now), complete };
}

/** The folder as it is now, made of what is known of it as far as that is the same. */
function shared(known: ScannedFolder | undefined, now: ScannedFolder): ScannedFolder {
  if (!known || !isSame(known.names, now.names)) return now;
  const { listedAs, sound } = now;
  const isSameList = isSame(known.folders, now.folders);
  const isStamped =
    isSame(known.contentMarks, now.contentMarks) &&
    isSame(known.restMarks, now.restMarks) &&
    isSame(known.ctimes, now.ctimes);
  if (isStamped && isSameList && known.sound === sound && known.listedAs === listedAs) return known;
  return isStamped ? { ...known, folders: now.folders, sound, listedAs } : { ...now, names: known.names };
}

function isSame<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
