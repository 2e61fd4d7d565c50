// The contents that files had before the session changed them, kept by hash in the session's storage.
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isContentHash } from '../core/traceExport.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { withPathIn } from '../platform/temporaryFiles.ts';
import { replaceWhole } from './atomicReplace.ts';
import { stagingFolder } from './stagedChange.ts';

/** Bytes up to which a previous content is kept. */
export const keptLimit = 32 * 1024 * 1024;

/**
 * Where the content with this hash is, if it was kept. A record is data, perhaps of a trace that somebody sent: what is
 * no hash in it must not lead anywhere else.
 * @throws RangeError when it is no hash
 */
export function keptPath(storage: string, sha256: string): string {
  if (!isContentHash(sha256)) throw new RangeError('This is not the hash of a content.');
  return join(storage, 'kept', sha256);
}

/** Keeps a content; the same content is kept once. */
export async function keepContent(storage: string, sha256: string, content: Uint8Array): Promise<void> {
  const path = keptPath(storage, sha256);
  if (await isThere(path)) return;
  await mkdir(join(storage, 'kept'), { recursive: true, mode: 0o700 });
  await mkdir(stagingFolder(storage), { recursive: true, mode: 0o700 });
  crashPoint('before_content_kept');
  await withPathIn(stagingFolder(storage), 'kept', (temporary) =>
    replaceWhole(path, content, { temporary, mode: 0o600 }),
  );
  crashPoint('after_content_kept');
}

/** A kept content, or undefined when it was not kept. */
export async function readKept(storage: string, sha256: string): Promise<Uint8Array | undefined> {
  if (!isContentHash(sha256)) return undefined;
  try {
    return await readFile(keptPath(storage, sha256));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
