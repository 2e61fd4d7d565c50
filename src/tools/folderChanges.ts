// What a command made of the workspace: two scans compared, the changed files hashed and named as artifacts.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Artifact } from '../core/events.ts';
import { countOf, grouped } from '../core/words.ts';
import { hashFile, wholeHashLimit } from './fileHash.ts';
import type { FileStamp, FolderScan } from './folderScan.ts';

/** Artifacts recorded for one step at most. */
export const artifactLimit = 200;
/** Bytes hashed whole for one step at most; of what is beyond, only the ends are hashed. */
const hashBudget = 1024 * 1024 * 1024;
/** File systems stamp by a coarse clock that may lag behind by this many milliseconds. */
const clockLag = 20;
const comparedAtOnce = 5000;

export interface FolderChanges {
  /** Sorted by path. */
  readonly artifacts: readonly Artifact[];
  /** There are more than `artifacts` lists, or not all was looked at. */
  readonly partial: boolean;
  /** What could not be recorded or looked at. */
  readonly note?: string;
}

interface ChangedFile {
  readonly path: string;
  readonly change: Artifact['change'];
}

/** Gives each file that differs between two scans to `onChange`, in no order; yields between chunks. */
export async function compareScans(
  before: FolderScan,
  after: FolderScan,
  onChange: (file: ChangedFile) => void,
): Promise<void> {
  let compared = 0;
  for (const [path, stamp] of after.files) {
    if (++compared % comparedAtOnce === 0) await setImmediate();
    const old = before.files.get(path);
    if (old ? isDifferent(old, stamp) : isNew(stamp, before)) onChange({ path, change: old ? 'changed' : 'created' });
  }
  // A file that an incomplete scan does not list may still be there.
  for (const path of after.complete ? before.files.keys() : []) {
    if (++compared % comparedAtOnce === 0) await setImmediate();
    if (!after.files.has(path)) onChange({ path, change: 'deleted' });
  }
}

/** Compares two scans of a folder and hashes what changed, as it is now. */
export async function folderChanges(folder: string, before: FolderScan, after: FolderScan): Promise<FolderChanges> {
  const found: ChangedFile[] = [];
  let total = 0;
  await compareScans(before, after, (file) => {
    total += 1;
    if (found.length < artifactLimit) found.push(file);
  });
  const artifacts = await hashed(folder, found);
  const notes = [
    ...(total > found.length ? [`${countOf(total - found.length, 'more changed file')} not recorded`] : []),
    ...(before.complete && after.complete
      ? []
      : [`only the first ${grouped(after.files.size)} files of the folder were looked at for changes`]),
  ];
  return { artifacts, partial: notes.length > 0, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

function isDifferent(a: FileStamp, b: FileStamp): boolean {
  return a.size !== b.size || a.mtimeMs !== b.mtimeMs || a.ino !== b.ino;
}

/** A file that an incomplete scan had not listed counts as new only when its own stamp says so. */
function isNew(stamp: FileStamp, before: FolderScan): boolean {
  return before.complete || stamp.ctimeMs >= before.at - clockLag;
}

async function hashed(folder: string, found: readonly ChangedFile[]): Promise<readonly Artifact[]> {
  const artifacts: Artifact[] = [];
  let budget = hashBudget;
  for (const { path, change } of found.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (change === 'deleted') {
      artifacts.push({ path, change, size: 0, sha256: null });
      continue;
    }
    const hash = await hashFile(join(folder, path), Math.min(wholeHashLimit, budget)).catch(() => undefined);
    // Gone again, or not readable: there is nothing to say about its content.
    if (!hash) continue;
    budget = Math.max(0, budget - hash.size);
    artifacts.push({ path, change, ...hash });
  }
  return artifacts;
}
