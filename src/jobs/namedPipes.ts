// Named pipes: a place that can only be read does not keep anybody from writing into one, and whoever reads it may obey.

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';

const mostLevels = 3;
const mostFolders = 1_500;

/** Those in these folders and up to two levels below, the nearest first; the first 1,500 folders are looked at. */
export async function namedPipes(folders: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  let left = mostFolders;
  let level = folders;
  for (let depth = 0; depth < mostLevels; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (left-- <= 0) return [...found];
      for (const entry of await entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (entry.isFIFO()) found.add(path);
        else if (entry.isDirectory() && entry.name !== 'node_modules') next.push(path);
      }
    }
    level = next;
  }
  return [...found];
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
