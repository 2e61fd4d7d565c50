// What is there in a workspace folder that programs outside of the sandbox run or obey by themselves, wherever in it: files and
// folders of the one list, what links of such names lead to, and the folders of git, in each of their layouts. Only looks.

import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObeyedLater, obeyedNames } from '../core/confinement.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { isBelow, realIfThere } from '../platform/realPath.ts';

export interface ObeyedPlaces {
  /** Absolute, none of them a link, outermost first; nothing below one of them is listed. */
  readonly places: readonly string[];
  /** Folders that lead to one of them, which must not be moved away so that another is made in their place; outermost first. */
  readonly pinned: readonly string[];
  /** The folder itself is laid out as the inside of a repository. */
  readonly isBare: boolean;
}

const mostFolders = 4_000;
const mostEntries = 60_000;
const mostPlaces = 800;
const mostLevels = 8;
/** What installed packages are in: many, and run by nobody who does not start them. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', '__pycache__', '.tox', '.nox']);

/** Looks at the nearest first, and stops after 8 levels, 4,000 folders, 60,000 entries or 800 places. */
export async function obeyedPlaces(folder: string): Promise<ObeyedPlaces> {
  const places = new Set<string>();
  const pinned = new Set<string>();
  let isBare = false;
  let entriesLeft = mostEntries;
  let foldersLeft = mostFolders;
  const add = (place: string, isPinned: boolean): void => {
    if (!isBelow(folder, place) || places.size >= mostPlaces) return;
    places.add(place);
    for (let up = dirname(place); isPinned && isBelow(folder, up); up = dirname(up)) pinned.add(up);
  };
  let level: readonly string[] = [folder];
  for (let depth = 0; depth < mostLevels && level.length > 0; depth++) {
    const next: string[] = [];
    for (const place of level) {
      if (foldersLeft-- <= 0 || entriesLeft <= 0) break;
      const entries = (await entriesOf(place)).slice(0, entriesLeft);
      entriesLeft -= entries.length;
      if (isGitFolder(entries)) {
        if (place === folder) isBare = true;
        else add(place, true);
        continue;
      }
      for (const entry of entries) {
        const path = join(place, entry.name);
        if (isObeyedLater(relative(folder, path).split(sep).join('/'))) {
          for (const each of await whatItIs(path, entry)) {
            // Moving a folder of ordinary files about is left to the command, whatever the names of the files.
            add(each, each !== path || entry.isDirectory() || entry.name.toLowerCase() === '.git');
          }
        } else if (entry.isDirectory() && !skipped.has(entry.name.toLowerCase())) next.push(path);
      }
    }
    level = next;
  }
  // Those may be there by a link of the folder that they are in.
  for (const name of obeyedNames.filter((each) => each.includes('/'))) {
    const real = await realIfThere(join(folder, name));
    if (real !== undefined) add(real, true);
  }
  const isCovered = (path: string): boolean => path !== folder && (places.has(path) || isCovered(dirname(path)));
  return {
    places: [...places].filter((place) => !isCovered(dirname(place))).sort(),
    pinned: [...pinned].filter((place) => !isCovered(place)).sort(),
    isBare,
  };
}

/** The place itself, or what it leads to: by a link, or by what a file `.git` says. */
async function whatItIs(path: string, entry: Dirent): Promise<readonly string[]> {
  const real = entry.isSymbolicLink() ? await realIfThere(path) : path;
  if (real === undefined) return [];
  if (entry.name.toLowerCase() !== '.git') return [real];
  return [real, ...(await gitFolderOf(real))];
}

async function gitFolderOf(path: string): Promise<readonly string[]> {
  try {
    // A pipe would be waited for.
    if (!(await stat(path)).isFile()) return [];
    const said = /^gitdir:\s*(.+?)\s*$/.exec(await readFile(path, 'utf8'))?.[1];
    const real = said === undefined ? undefined : await realIfThere(resolve(dirname(path), said));
    return real === undefined ? [] : [real];
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

/** What git takes for the inside of a repository. */
function isGitFolder(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'));
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
