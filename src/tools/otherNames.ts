// By which other names of the folder a file is reached: the links on the way that it was named by, and the links beside
// it and above it that lead to it. A file runs or instructs by such a name as it does by its own.
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { runsOrInstructs, type ChangedContents, type RunningFile } from '../core/approval/runningFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';

/** As many as systems follow. */
const mostLinks = 40;
/** Folders below each that a file lies in, where a link is obeyed: `.github/workflows`. */
const obeyedBelow = ['.github', '.config', '.gitea', '.forgejo', 'gradle'];

export interface OtherName extends RunningFile {
  /** Relative to the folder, with `/`. */
  readonly name: string;
}

/**
 * The other name by which a file runs or instructs, with the reason; undefined where it has none.
 * @param root the workspace folder with every link resolved
 * @param named the path as it was asked for, absolute or relative to the folder
 * @param real absolute, with every link resolved; it need not exist
 */
export async function runsByOtherName(
  root: string,
  named: string,
  real: string,
  contents?: ChangedContents,
): Promise<OtherName | undefined> {
  const way = await namesOnTheWay(resolve(root, named));
  const names = [...way, ...(await linksTo(root, [...way, real], real))];
  for (const absolute of new Set(names)) {
    const name = insideOf(root, absolute);
    const running = name === undefined || absolute === real ? undefined : runsOrInstructs(name, contents);
    if (name === undefined || !running) continue;
    return { name, short: running.short, why: `This file is also ${name}, which ${running.short}.` };
  }
  return undefined;
}

/** The path, and what it becomes with each link that is followed. */
async function namesOnTheWay(named: string): Promise<readonly string[]> {
  const names = [named];
  for (let count = 0; count < mostLinks; count += 1) {
    const next = await firstLinkFollowed(names.at(-1) ?? named);
    if (next === undefined || names.includes(next)) break;
    names.push(next);
  }
  return names;
}

async function firstLinkFollowed(path: string): Promise<string | undefined> {
  const parts = path.split(sep);
  for (let length = 2; length <= parts.length; length += 1) {
    const prefix = parts.slice(0, length).join(sep);
    const target = await targetOf(prefix);
    if (target !== undefined) return join(resolve(dirname(prefix), target), ...parts.slice(length));
  }
  return undefined;
}

async function targetOf(path: string): Promise<string | undefined> {
  return orUndefined(async () => ((await lstat(path)).isSymbolicLink() ? readlink(path) : undefined));
}

/** The names that links in the folders of these paths give to a file. */
async function linksTo(root: string, paths: readonly string[], real: string): Promise<readonly string[]> {
  const above = new Set(paths.flatMap((path) => foldersAbove(root, path)));
  const folders = [...above].flatMap((folder) => [folder, ...obeyedBelow.map((name) => join(folder, name))]);
  const found: string[] = [];
  for (const folder of new Set(folders)) {
    const entries = (await orUndefined(() => readdir(folder, { withFileTypes: true }))) ?? [];
    for (const entry of entries) {
      if (!entry.isSymbolicLink()) continue;
      const link = join(folder, entry.name);
      const target = await whereItLeads(link);
      const below = target === undefined ? undefined : relative(target, real);
      // Of a link to a folder above the link itself, the way through it is none that anything takes.
      if (target === undefined || below === undefined || isUp(below) || !isUp(relative(target, link))) continue;
      found.push(join(link, below));
    }
  }
  return found;
}

/** Also of a link to what is not there yet: the change may make it. */
async function whereItLeads(link: string): Promise<string | undefined> {
  return (
    (await orUndefined(() => realpath(link))) ??
    (await orUndefined(async () => resolve(dirname(link), await readlink(link))))
  );
}

function foldersAbove(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); insideOf(root, at) !== undefined; at = dirname(at)) {
    folders.push(at);
    if (at === root) break;
  }
  return [...folders, root];
}

function isUp(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function insideOf(root: string, absolute: string): string | undefined {
  const path = relative(root, absolute);
  return isUp(path) ? undefined : path.split(sep).join('/');
}

/** Nothing is there, or it cannot be looked at: then nothing is found by it. */
async function orUndefined<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
