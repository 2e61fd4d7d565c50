// Empty folders and files that stand in a workspace folder while a sandbox is there, so that nothing else can be made in their place. Recorded
// before they are made, removed by whoever sees the sandbox gone.

import { appendFile, lstat, open, rm, rmdir } from 'node:fs/promises';
import { readIfThere } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { JobFiles } from './jobRecords.ts';
import { mountedSomewhere } from './mounts.ts';
import { parsedJson } from '../core/parsedJson.ts';

export async function recordPlaceholder(files: JobFiles, path: string): Promise<void> {
  await appendFile(files.placeholders, `${JSON.stringify(path)}\n`, { mode: 0o600, flush: true });
}

/** Removes those of a job that nothing stands on any more and that are empty still. A folder that refuses stays. */
export async function removePlaceholders(files: JobFiles): Promise<void> {
  try {
    const text = await readIfThere(files.placeholders);
    if (text === undefined) return;
    let inUse = false;
    const mounted = await mountedSomewhere();
    for (const path of pathsOf(text)) {
      if (mounted.has(path)) inUse = true;
      else await removeIfEmpty(path);
    }
    if (!inUse) await rm(files.placeholders, { force: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

function pathsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    // Undefined of the end of the last line, or of one that was cut.
    const value = parsedJson(line);
    return typeof value === 'string' ? [value] : [];
  });
}

async function removeIfEmpty(path: string): Promise<void> {
  try {
    if (await isPlaceholderFile(path)) await rm(path);
    else await rmdir(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** When an empty file says that it was last changed, in seconds: no file of the user's is from then. */
const placeholderTime = 1;

/** Makes an empty file that is known for a placeholder; one that is there meanwhile is left alone. */
export async function makePlaceholderFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o444);
    try {
      await file.utimes(placeholderTime, placeholderTime);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

export async function isPlaceholderFile(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size === 0 && found.mtimeMs === placeholderTime * 1000;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}
