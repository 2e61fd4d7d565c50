// Which files two scans of a folder do not share. What that means is for others to say.
import { setImmediate } from 'node:timers/promises';
import type { FolderScan, ScannedFolder } from './folderScan.ts';

/** A file's place in a scan. */
export interface ScannedFile {
  readonly folder: ScannedFolder;
  readonly index: number;
}

const comparedAtOnce = 5000;

/**
 * Gives each file that only one scan has, or that has another stamp in the other, to `onDifference`, in no order.
 * Yields between chunks.
 * @param since where only one scan knows the change times: from when on, in milliseconds since 1970, they count as other
 */
export async function eachDifference(
  before: FolderScan,
  after: FolderScan,
  since: number,
  onDifference: (before: ScannedFile | undefined, after: ScannedFile | undefined) => void,
): Promise<void> {
  let compared = 0;
  const isTurnOver = (): boolean => ++compared % comparedAtOnce === 0;
  for (const folder of after.folders.values()) {
    const old = before.folders.get(folder.path);
    if (old === folder) continue;
    const isAligned = old?.names === folder.names;
    const places = new Map<string, number>();
    for (const [index, name] of isAligned ? [] : (old?.names.entries() ?? [])) {
      if (isTurnOver()) await setImmediate();
      places.set(name, index);
    }
    for (const [index, name] of folder.names.entries()) {
      if (isTurnOver()) await setImmediate();
      const place = isAligned ? index : places.get(name);
      places.delete(name);
      if (!old || place === undefined) onDifference(undefined, { folder, index });
      else if (isStampOther(old, place, folder, index, since))
        onDifference({ folder: old, index: place }, { folder, index });
    }
    for (const index of places.values()) if (old) onDifference({ folder: old, index }, undefined);
  }
  for (const folder of before.folders.values()) {
    if (after.folders.has(folder.path)) continue;
    for (const index of folder.names.keys()) {
      if (isTurnOver()) await setImmediate();
      onDifference({ folder, index }, undefined);
    }
  }
}

function isStampOther(a: ScannedFolder, i: number, b: ScannedFolder, j: number, since: number): boolean {
  if (a.contentMarks[i] !== b.contentMarks[j] || a.restMarks[i] !== b.restMarks[j]) return true;
  const [was, is] = [a.ctimes[i], b.ctimes[j]];
  return was === undefined || is === undefined ? (is ?? was ?? 0) > since : was !== is;
}
