// What tools keep in a session's storage only while a call runs. A killed call leaves it; whoever owns the session next
// clears it away.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';
import { clearTemporaries } from '../platform/temporaryFiles.ts';
import { scanFolderOf, unfinishedScan } from './scanStore.ts';
import { stagingFolder } from './stagedChange.ts';

/** Removes all of it; only for the owner of the session, while no call runs. What cannot be removed stays. */
export async function clearHalfMade(storage: string): Promise<void> {
  try {
    // Another window may be working out a diff in there.
    await clearTemporaries(stagingFolder(storage), () => true);
    const scans = scanFolderOf(storage);
    for (const name of await readdir(scans)) {
      if (name.endsWith(unfinishedScan)) await rm(join(scans, name), { force: true });
    }
  } catch (error) {
    // Most sessions have no scans; and a disk that refuses this is no reason to refuse the session.
    if (systemErrorCode(error) === undefined) throw error;
  }
}
