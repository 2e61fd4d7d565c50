// The scans from before commands, kept on disk so that a step which is picked up again can still say what it changed.
// A file begins with a whole scan; later ones of the same window add what is other. The newest files are kept; losing one
// costs a note, no work. A file is only ever added to by the window that began it.
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, createGzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { crashPoint } from '../platform/crashPoint.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { FolderScan } from './folderScan.ts';
import { laterScanLine, ScanReader, scanLines } from './scanLines.ts';

/** Bytes of scans kept for one session: those of thousands of commands in a folder of a thousand files. */
const keptBytes = 64 * 1024 * 1024;
/** Bytes that may always be added to a file; above, no more than it began with. */
const alwaysAdded = 256 * 1024;
/** Sessions of which the last scan is remembered. */
const remembered = 4;
const bytesAtOnce = 64 * 1024;
const ending = '.jsonl.gz';

const compressed = promisify(gzip);

/** The end of the name of a scan that is being written. */
export const unfinishedScan = '.tmp';

export const scanFolderOf = (storage: string): string => join(storage, 'scans');
const scanPath = (storage: string, key: string): string => join(scanFolderOf(storage), `${key}${ending}`);

/** A file that this window adds to. */
interface ScanFile {
  readonly path: string;
  readonly last: FolderScan;
  /** Bytes of the scan that it began with. */
  readonly began: number;
  readonly added: number;
}

/** Keeps the scans of the sessions of one window. */
export class ScanStore {
  readonly #limit: number;
  readonly #files = new Map<string, ScanFile>();
  readonly #saving = new Map<string, Promise<void>>();

  /** @param limit bytes of scans that are kept of one session; the newest file is kept whatever its size */
  constructor(limit = keptBytes) {
    this.#limit = limit;
  }

  /** Keeps a scan for the command with this key; those of a session one after the other. @throws the system's error */
  async save(storage: string, key: string, scan: FolderScan): Promise<void> {
    const before = this.#saving.get(storage);
    const saving = this.#saveAfter(before, storage, key, scan);
    this.#saving.set(storage, saving);
    try {
      await saving;
    } finally {
      if (this.#saving.get(storage) === saving) this.#saving.delete(storage);
    }
  }

  async #saveAfter(before: Promise<void> | undefined, storage: string, key: string, scan: FolderScan): Promise<void> {
    // Whoever asked for the one before was told how it went.
    await Promise.allSettled([before]);
    const file = this.#files.get(storage);
    // What can't be added to is given up: a new file is begun.
    this.#files.delete(storage);
    const saved = (file && (await addScan(file, key, scan))) ?? (await beginFile(storage, key, scan, this.#limit));
    this.#files.set(storage, saved);
    for (const other of this.#files.keys()) if (this.#files.size > remembered) this.#files.delete(other);
  }
}

/** Adds what is other than in the last scan; undefined when that is too much, or the file is gone. */
async function addScan(file: ScanFile, key: string, scan: FolderScan): Promise<ScanFile | undefined> {
  const line = await laterScanLine(key, file.last, scan);
  if (line === undefined) return undefined;
  const bytes = await compressed(line);
  const added = file.added + bytes.length;
  if (added > Math.max(alwaysAdded, file.began)) return undefined;
  crashPoint('before_scan_added');
  try {
    const handle = await open(file.path, constants.O_WRONLY | constants.O_APPEND);
    try {
      await handle.appendFile(bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  crashPoint('after_scan_added');
  return { ...file, last: scan, added };
}

/** Begins a file with a whole scan, and drops the oldest files. The scan is whole or not there. */
async function beginFile(storage: string, key: string, scan: FolderScan, limit: number): Promise<ScanFile> {
  await mkdir(scanFolderOf(storage), { recursive: true, mode: 0o700 });
  const path = scanPath(storage, key);
  const temporary = `${path}.tmp`;
  const target = createWriteStream(temporary, { mode: 0o600 });
  try {
    await pipeline(Readable.from(inPieces(scanLines(key, scan))), createGzip({ level: 1 }), target);
  } catch (error) {
    // On a full disk it is in the way of what matters more.
    await rm(temporary, { force: true });
    throw error;
  }
  crashPoint('before_scan_named');
  await rename(temporary, path);
  crashPoint('after_scan_named');
  await dropOldScans(scanFolderOf(storage), limit);
  return { path, last: scan, began: target.bytesWritten, added: 0 };
}

function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < bytesAtOnce) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The scan kept for this key; undefined when there is none, or it can't be read as one. */
export async function loadScan(storage: string, key: string): Promise<FolderScan | undefined> {
  const folder = scanFolderOf(storage);
  const names = (await namesIn(folder)).filter((name) => name.endsWith(ending));
  // A command that was started again may have an older scan in an older file.
  if (names.includes(`${key}${ending}`)) return readScan(scanPath(storage, key), key);
  const newestFirst = (await Promise.all(names.map(async (name) => aged(join(folder, name))))).sort(byAge);
  for (const { path } of newestFirst) {
    const scan = await readScan(path, key);
    if (scan) return scan;
  }
  return undefined;
}

/** Reads as far as the file is whole: its end may be torn. */
async function readScan(path: string, key: string): Promise<FolderScan | undefined> {
  const reader = new ScanReader(key);
  try {
    await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) reader.read(line);
      }
    });
  } catch (error) {
    if (!isDamage(error) && systemErrorCode(error) !== 'ENOENT') throw error;
  }
  return reader.result();
}

function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError || error instanceof z.ZodError) return true;
  return systemErrorCode(error)?.startsWith('Z_') ?? false;
}

async function dropOldScans(folder: string, limit: number): Promise<void> {
  const files = (await Promise.all((await namesIn(folder)).map((name) => aged(join(folder, name))))).sort(byAge);
  let bytes = 0;
  // The newest is kept whatever its size.
  const old = files.filter(({ size }, index) => (bytes += size) > limit && index > 0);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

interface AgedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

async function aged(path: string): Promise<AgedFile> {
  try {
    const { size, mtimeMs } = await lstat(path);
    return { path, size, mtimeMs };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { path, size: 0, mtimeMs: 0 };
    throw error;
  }
}

function byAge(a: AgedFile, b: AgedFile): number {
  return b.mtimeMs - a.mtimeMs;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
