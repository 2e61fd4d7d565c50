// What is there only while it is being written: files beside those that are being put in place, private copies. Their names
// say which process writes them, so that those of a killed process can be told from those of a living one.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { identifyProcess } from './processIdentity.ts';
import { systemErrorCode } from './systemError.ts';

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const mark = `${machine}-${String(process.pid)}`;
const markPattern = /[.-]([0-9a-f]{8})-(\d+)[.-][0-9a-f-]{36}(\.tmp)?$/;
/** Of a writer on another machine, or of a version that did not name its writer, it is known only that no write takes this long. */
const longestWriteMs = 24 * 60 * 60 * 1000;

/** Paths of those that this process has now. */
const own = new Set<string>();

/** Does some work with the path of a new temporary file beside `path`; whatever is there under it then is removed. */
export function withTemporary<T>(path: string, work: (temporary: string) => Promise<T>): Promise<T> {
  return lend(`${path}.${mark}.${randomUUID()}.tmp`, work);
}

/** The same in a folder where everything is temporary: a path that is nobody's, to make a file or a folder at. */
export function withPathIn<T>(folder: string, kind: string, work: (path: string) => Promise<T>): Promise<T> {
  return lend(join(folder, `${kind}-${mark}-${randomUUID()}`), work);
}

async function lend<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  own.add(path);
  try {
    return await work(path);
  } finally {
    await rm(path, { recursive: true, force: true }).catch(ignoreSystem);
    own.delete(path);
  }
}

/**
 * Removes what is temporary in a folder and cannot be a living process's. What cannot be removed stays.
 * @param isTemporary which names are; by default those that end with `.tmp`
 */
export async function clearTemporaries(
  folder: string,
  isTemporary: (name: string) => boolean = (name) => name.endsWith('.tmp'),
): Promise<void> {
  try {
    for (const name of (await readdir(folder)).filter(isTemporary)) {
      const path = join(folder, name);
      if (await isLeftOver(path)) await rm(path, { recursive: true, force: true });
    }
  } catch (error) {
    // It is in nobody's way: the next look may have more luck.
    ignoreSystem(error);
  }
}

async function isLeftOver(path: string): Promise<boolean> {
  const [, writtenOn, pid] = markPattern.exec(basename(path)) ?? [];
  if (writtenOn !== machine) return Date.now() - (await stat(path)).mtimeMs > longestWriteMs;
  // Another process may have had this one's number.
  if (Number(pid) === process.pid) return !own.has(path);
  return (await identifyProcess(Number(pid))) === undefined;
}

function ignoreSystem(error: unknown): void {
  if (systemErrorCode(error) === undefined) throw error;
}
