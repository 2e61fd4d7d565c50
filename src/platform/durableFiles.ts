// Small files that are whole or not there: written beside their place, flushed, then put there under their name.
// Files are 0600, folders 0700, and a folder is flushed after a name in it changed.

import { link, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crashPoint } from './crashPoint.ts';
import { systemErrorCode } from './systemError.ts';
import { withTemporary } from './temporaryFiles.ts';

/**
 * Puts a file in place unless there is one already; of several at the same time exactly one wins.
 * True when this call did it. Needs hard links.
 */
export async function publishOnce(path: string, content: string | Iterable<string>): Promise<boolean> {
  const published = await withTemporary(path, async (temporary) => {
    await writeWhole(temporary, content);
    crashPoint('before_file_named');
    try {
      await link(temporary, path);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false;
      throw error;
    }
    crashPoint('after_file_named');
    return true;
  });
  if (published) await flushFolder(dirname(path));
  return published;
}

/** Puts a file in place, over one that is there. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await withTemporary(path, async (temporary) => {
    await writeWhole(temporary, content);
    crashPoint('before_file_named');
    await rename(temporary, path);
    crashPoint('after_file_named');
  });
  await flushFolder(dirname(path));
}

/** Makes one new folder in a folder that is made if needed. False when it is there already. */
export async function createFolder(path: string): Promise<boolean> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
  await flushFolder(parent);
  return true;
}

/** The file's text, or undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeWhole(path: string, content: string | Iterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable, where the file system can. */
export async function flushFolder(path: string): Promise<void> {
  // Windows can't flush a folder; NTFS journals its names.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems refuse to flush folders; the name itself is given.
    const code = systemErrorCode(error);
    if (code !== 'EINVAL' && code !== 'ENOTSUP') throw error;
  } finally {
    await folder.close();
  }
}
