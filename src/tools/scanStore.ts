// The scan from before a command, kept on disk so that a step which is picked up again can still say what it changed.
// One file per command: a head line, then a line per file. The newest are kept; losing one costs a note, no work.
import { lstat, mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { crashPoint } from '../platform/crashPoint.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { FileStamp, FolderScan } from './folderScan.ts';

/** Bytes of scans kept for one session: those of hundreds of commands in a folder of a thousand files. */
const keptBytes = 64 * 1024 * 1024;
const linesAtOnce = 500;

const headSchema = z.object({ at: z.number(), complete: z.boolean() });
const lineSchema = z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()]);

const scanFolderOf = (storage: string): string => join(storage, 'scans');
const scanPath = (storage: string, key: string): string => join(scanFolderOf(storage), `${key}.jsonl`);

/**
 * Keeps a scan for the command with this key, and drops the oldest ones. The file is whole or not there.
 * @param limit bytes of scans that are kept; the newest one is kept whatever its size
 */
export async function saveScan(storage: string, key: string, scan: FolderScan, limit = keptBytes): Promise<void> {
  await mkdir(scanFolderOf(storage), { recursive: true, mode: 0o700 });
  const path = scanPath(storage, key);
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    let lines = [JSON.stringify({ at: scan.at, complete: scan.complete })];
    for (const [name, stamp] of scan.files) {
      lines.push(JSON.stringify([name, stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.ino]));
      if (lines.length < linesAtOnce) continue;
      await file.appendFile(`${lines.join('\n')}\n`);
      lines = [];
    }
    if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
  } finally {
    await file.close();
  }
  crashPoint('before_scan_named');
  await rename(temporary, path);
  crashPoint('after_scan_named');
  await dropOldScans(scanFolderOf(storage), limit);
}

/** The scan kept for this key; undefined when there is none, or it can't be read as one. */
export async function loadScan(storage: string, key: string): Promise<FolderScan | undefined> {
  try {
    const file = await open(scanPath(storage, key), 'r');
    try {
      return await readScan(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError)
      return undefined;
    throw error;
  }
}

async function readScan(file: FileHandle): Promise<FolderScan | undefined> {
  const files = new Map<string, FileStamp>();
  let head: z.infer<typeof headSchema> | undefined;
  for await (const line of file.readLines({ autoClose: false })) {
    if (!head) {
      head = headSchema.parse(JSON.parse(line));
      continue;
    }
    const [name, size, mtimeMs, ctimeMs, ino] = lineSchema.parse(JSON.parse(line));
    files.set(name, { size, mtimeMs, ctimeMs, ino });
  }
  return head && { ...head, files };
}

async function dropOldScans(folder: string, limit: number): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const aged = await Promise.all(paths.map(async (path) => ({ path, stats: await lstat(path) })));
  let bytes = 0;
  const old = aged
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
    // The newest is kept whatever its size.
    .filter(({ stats }, index) => (bytes += stats.size) > limit && index > 0);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}
