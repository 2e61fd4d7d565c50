// A folder that is held by a handle while something is done in it. Between a look at a path and the use of it anybody can
// put a link in the place of one of its folders: what goes through the handle stays where it was looked at.
// On Linux the system resolves names from the handle; elsewhere the path is looked at again before and after (weaker: a
// link that comes and goes in between is not noticed).
import { constants } from 'node:fs';
import { mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join, parse, sep, basename } from 'node:path';
import { systemErrorCode } from './systemError.ts';

/** The path leads somewhere else by now: a link stands in the place of one of its folders. Nothing was done there. */
export class PathMovedError extends Error {
  constructor(path: string) {
    super(`${path} leads somewhere else by now.`);
    this.name = 'PathMovedError';
  }
}

export interface HeldFolder {
  /** A path to an entry of the folder that holds while the folder is held. An entry that is a link is followed from it. */
  entry(name: string): string;
  /** The outermost of the folders that were made to have it. */
  readonly made: string | undefined;
  /** @throws PathMovedError where only the path can tell, and it leads somewhere else by now */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

/** Only to find names from; needs no right to list the folder. Linux has it, Node has no name for it. */
const pathOnly = 0o10000000;
const folderFlags = pathOnly | constants.O_DIRECTORY;

/**
 * Holds a folder. To be closed by the caller.
 * @param real absolute, with every link resolved
 * @param make folders that are missing are made
 * @throws PathMovedError, or the error of the file system (`ENOENT` when it is not there)
 */
export async function holdFolder(real: string, make = false): Promise<HeldFolder> {
  return (await hasHandlePaths()) ? holdByHandle(real, make) : holdByPath(real, make);
}

let handlePaths: Promise<boolean> | undefined;

/** Whether names can be found from a handle here. Some sandboxes have no /proc. */
function hasHandlePaths(): Promise<boolean> {
  handlePaths ??= (async () => {
    if (process.platform !== 'linux') return false;
    const root = await open('/', folderFlags);
    try {
      return (await readlink(handlePath(root))) === '/';
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
      return false;
    } finally {
      await root.close();
    }
  })();
  return handlePaths;
}

function handlePath({ fd }: FileHandle): string {
  return `/proc/self/fd/${String(fd)}`;
}

async function holdByHandle(real: string, make: boolean): Promise<HeldFolder> {
  try {
    return held(await openReal(real), undefined);
  } catch (error) {
    if (!make || systemErrorCode(error) !== 'ENOENT' || dirname(real) === real) throw error;
  }
  const parent = await holdByHandle(dirname(real), true);
  try {
    const entry = parent.entry(basename(real));
    const isNew = await madeFolder(entry);
    return held(await openNext(entry, real), parent.made ?? (isNew ? real : undefined));
  } finally {
    await parent.close();
  }
}

function held(handle: FileHandle, made: string | undefined): HeldFolder {
  return {
    entry: (name) => `${handlePath(handle)}/${name}`,
    made,
    confirm: () => Promise.resolve(),
    close: () => handle.close(),
  };
}

/** The folder itself: a name on the way that is a link by now is not followed. */
async function openReal(real: string): Promise<FileHandle> {
  const handle = await open(real, folderFlags);
  try {
    if ((await readlink(handlePath(handle))) === real) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  // A link, or a file system that writes names otherwise: each name on the way tells.
  return walk(real);
}

async function walk(real: string): Promise<FileHandle> {
  let handle = await open(parse(real).root, folderFlags);
  for (const name of real.split(sep).filter((part) => part !== '')) {
    const before = handle;
    try {
      handle = await openNext(`${handlePath(before)}/${name}`, real);
    } finally {
      await before.close();
    }
  }
  return handle;
}

async function openNext(entry: string, real: string): Promise<FileHandle> {
  try {
    return await open(entry, folderFlags | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ELOOP' || code === 'ENOTDIR') throw new PathMovedError(real);
    throw error;
  }
}

/** False when somebody made it meanwhile. */
async function madeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

async function holdByPath(real: string, make: boolean): Promise<HeldFolder> {
  const made = make ? await mkdir(real, { recursive: true }) : undefined;
  const confirm = async (): Promise<void> => {
    if ((await realpath(real)) !== real) throw new PathMovedError(real);
  };
  await confirm();
  return { entry: (name) => join(real, name), made, confirm, close: () => Promise.resolve() };
}

/**
 * Does something in a folder that is held meanwhile.
 * @throws PathMovedError, or the error of the file system
 */
export async function inFolder<T>(real: string, work: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const folder = await holdFolder(real);
  try {
    const result = await work(folder);
    await folder.confirm();
    return result;
  } finally {
    await folder.close();
  }
}
