// Putting a whole file in place: temporary file, flush, rename. Whoever looks sees the old content or the new one.
import type { Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crashPoint } from '../platform/crashPoint.ts';
import { flushFolder } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';

export interface ReplaceOptions {
  /** Path of the temporary file, in a folder on the same file system. One that a cut attempt left there is replaced. */
  readonly temporary: string;
  /** The file that is replaced: its mode, and where possible its owner, are kept. */
  readonly like?: Pick<Stats, 'mode' | 'uid' | 'gid'> | undefined;
  /** Mode of a new file, before the umask. */
  readonly mode?: number;
  /** Asked when the content is written and not yet in place; what it throws ends the attempt. */
  readonly beforeRename?: () => Promise<void>;
}

/** Durable when it resolves. On an error the target is as it was and the temporary file is gone. */
export async function replaceWhole(path: string, content: Uint8Array, options: ReplaceOptions): Promise<void> {
  const { temporary, like, mode = 0o666, beforeRename } = options;
  await rm(temporary, { force: true });
  try {
    const file = await open(temporary, 'wx', like ? 0o600 : mode);
    try {
      await file.writeFile(content);
      if (like) {
        await keepOwner(file, like);
        await file.chmod(like.mode & 0o7777);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await beforeRename?.();
    crashPoint('before_replace_renamed');
    await rename(temporary, path);
    crashPoint('after_replace_renamed');
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(dirname(path));
}

async function keepOwner(file: Awaited<ReturnType<typeof open>>, like: Pick<Stats, 'uid' | 'gid'>): Promise<void> {
  const own = await file.stat();
  if (own.uid === like.uid && own.gid === like.gid) return;
  try {
    await file.chown(like.uid, like.gid);
  } catch (error) {
    // Only a privileged process may give files away; the content matters more.
    if (systemErrorCode(error) !== 'EPERM') throw error;
  }
}
