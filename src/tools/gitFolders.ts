// Which folders git would take its settings from, wherever they lie: a `.git`, what a `.git` file points to, and a folder that
// is laid out as a bare repository. What is in them decides what later commands run.
import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';
import { isAtOrBelow } from '../platform/realPath.ts';

/** Names of one folder that is read for its layout; a git folder has a few dozen. */
const layoutNames = ['head', 'objects', 'refs', 'commondir'] as const;

/**
 * Whether a file of a workspace folder lies in a git folder, or would make the folder it is in (or one above) into one.
 * @param real absolute, links resolved; it need not exist
 */
export async function isInGitFolder(folder: string, real: string): Promise<boolean> {
  const root = await realpath(folder).catch(() => folder);
  const parts = relative(root, real).split(sep);
  if (parts.some(isGitName)) return true;
  for (let depth = 0; depth < parts.length; depth++) {
    const place = join(root, ...parts.slice(0, depth));
    if (await looksLikeGitFolder(place, parts[depth])) return true;
    for (const target of await gitFoldersOf(place)) if (isAtOrBelow(target, real)) return true;
  }
  // A folder above may be a worktree whose git folder lies in here.
  for (let place = dirname(root); place !== dirname(place); place = dirname(place)) {
    for (const target of await gitFoldersOf(place)) if (isAtOrBelow(target, real)) return true;
    if (await exists(join(place, '.git'))) break;
  }
  return false;
}

/**
 * Whether git would take a folder for a repository by what is in it.
 * @param added a name that is about to be in it too
 */
export async function looksLikeGitFolder(place: string, added?: string): Promise<boolean> {
  const names = new Set(await layoutOf(place));
  if (added !== undefined) names.add(added.toLowerCase());
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

/** `.git`, also as file systems that fold names would read it. */
function isGitName(part: string): boolean {
  return (
    /^\.git[. ]*$/i.test(part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')) ||
    /^git~\d+$/i.test(part)
  );
}

/** The names in a folder that make it a git folder, in lower case: file systems may fold it. */
async function layoutOf(place: string): Promise<readonly string[]> {
  const isThere = await Promise.all(layoutNames.map((name) => exists(join(place, name === 'head' ? 'HEAD' : name))));
  return layoutNames.filter((_name, index) => isThere[index]);
}

/** The git folders that a `.git` file (or link) in this folder leads to. */
export async function gitFoldersOf(place: string): Promise<readonly string[]> {
  const git = join(place, '.git');
  const target = (await textOf(git))?.match(/^gitdir: (.*?)\s*$/m)?.[1];
  const folder = target === undefined ? await realOf(git) : await realOf(resolve(place, target));
  if (folder === undefined) return [];
  const common = (await textOf(join(folder, 'commondir')))?.trim();
  const shared = common === undefined ? undefined : await realOf(resolve(folder, common));
  return shared === undefined ? [folder] : [folder, shared];
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size < 64 * 1024 ? await readFile(path, 'utf8') : undefined;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    // What it points to may be made later.
    return code === 'ENOENT' && !path.endsWith('.git') ? path : undefined;
  }
}
