// What a command made of the workspace: two scans compared, the changed files hashed and named as artifacts.
import { join } from 'node:path';
import type { Artifact } from '../core/recordedFiles.ts';
import { countOf, grouped } from '../core/words.ts';
import { hashFile, wholeHashLimit } from './fileHash.ts';
import { isOtherInode } from './fileMarks.ts';
import { clockLag, latestTime } from './fileTimes.ts';
import { pathIn, type FolderScan } from './folderScan.ts';
import { eachDifference, type ScannedFile } from './scanDifferences.ts';

/** Artifacts recorded for one step at most. */
export const artifactLimit = 200;
/** Bytes hashed whole for one step at most; of what is beyond, only the ends are hashed. */
const hashBudget = 1024 * 1024 * 1024;

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

/**
 * Gives each file that was made, changed or deleted since a scan to `onChange`, in no order; yields between chunks.
 * @param since when that scan was taken; milliseconds since 1970
 */
export async function compareScans(
  before: FolderScan,
  after: FolderScan,
  onChange: (file: ChangedFile) => void,
  since = before.at,
): Promise<void> {
  const until = Date.now();
  await eachDifference(before, after, since, (old, now) => {
    if (!now) {
      // A file that an incomplete scan does not list may still be there.
      if (old && after.complete) onChange({ path: pathIn(old.folder, old.index), change: 'deleted' });
    } else if (old ? isChange(old, now, since, until) : before.complete || isTimeFrom(now, since)) {
      // A file that an incomplete scan had not listed counts as new only when its own stamp says so.
      onChange({ path: pathIn(now.folder, now.index), change: old ? 'changed' : 'created' });
    }
  });
}

/** Compares two scans of a folder and hashes what changed, as it is now. */
export async function folderChanges(
  folder: string,
  before: FolderScan,
  after: FolderScan,
  since = before.at,
): Promise<FolderChanges> {
  const found: ChangedFile[] = [];
  let total = 0;
  const onChange = (file: ChangedFile): void => {
    total += 1;
    if (found.length < artifactLimit) found.push(file);
  };
  await compareScans(before, after, onChange, since);
  const artifacts = await hashed(folder, found);
  const notes = [
    ...(total > found.length ? [`${countOf(total - found.length, 'more changed file')} not recorded`] : []),
    ...(before.complete && after.complete
      ? []
      : [`only the first ${grouped(after.fileCount)} files of the folder were looked at for changes`]),
  ];
  return { artifacts, partial: notes.length > 0, ...(notes.length > 0 && { note: notes.join('; ') }) };
}

/**
 * Whether a stamp that differs means that the file was changed since the scan. Where times are sound the scan knew the
 * names as they were when it was taken, but a stamp may be older: what was changed in place before is no change since.
 */
function isChange(old: ScannedFile, now: ScannedFile, since: number, until: number): boolean {
  const isOtherContent = old.folder.contentMarks[old.index] !== now.folder.contentMarks[now.index];
  if (!now.folder.sound) return isOtherContent;
  const [oldRest = 0, rest = 0] = [old.folder.restMarks[old.index], now.folder.restMarks[now.index]];
  if (isOtherContent) return isOtherInode(oldRest, rest) || isTimeFrom(now, since);
  // Its times were put back after it was written, unless only its mode, owner or links changed. The millisecond of the
  // scan itself is over before a command begins.
  const ctime = now.folder.ctimes[now.index] ?? 0;
  return oldRest === rest && ctime >= since + 1 && ctime <= until + clockLag;
}

function isTimeFrom({ folder, index }: ScannedFile, since: number): boolean {
  return latestTime(folder.ctimes[index] ?? 0) >= since - clockLag;
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
