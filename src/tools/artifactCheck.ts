// Whether recorded artifacts are still as they were recorded. Only looks.
import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from '../core/recordedFiles.ts';
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import { readOnlyFlags } from '../platform/regularFile.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { hashBytes, hashFile, isPartialHash, wholeHashLimit } from './fileHash.ts';
import { ShortTurns, type LookLimits } from './shortTurns.ts';

const checkedAtOnce = 8;
/** Bytes of a file that is read in one go. */
const smallSize = 64 * 1024;
const readLimits: LookLimits = { inTurn: 64, slowMs: 0.5 };

/**
 * The verdict on each artifact, by path and in their order; for a path that is named twice, on the later record.
 * A deletion is `intact` while the file is gone. A file that can't be read counts as `changed`.
 * @param limits when files are no longer looked at synchronously; the verdicts do not depend on it
 */
export async function checkArtifacts(
  folder: string,
  artifacts: readonly Artifact[],
  limits = readLimits,
): Promise<Map<string, ArtifactVerdict>> {
  const latest = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  const found = new Map<string, ArtifactVerdict>();
  const waiting = latest.values();
  const turns = new ShortTurns(limits);
  const buffer = Buffer.allocUnsafe(smallSize + 1);
  const check = async (): Promise<void> => {
    // All of them take from the same iterator: each artifact is looked at once.
    for (const artifact of waiting) {
      const now = turns.isSlow ? undefined : await turns.take(1, () => smallVerdict(folder, artifact, buffer));
      found.set(artifact.path, now ?? (await checkArtifact(folder, artifact)));
    }
  };
  await Promise.all(Array.from({ length: checkedAtOnce }, check));
  // In the order of the artifacts, not in that in which the disk answered.
  return new Map([...latest.keys()].map((path) => [path, found.get(path) ?? 'missing']));
}

/** The verdict on a small file that is there; undefined for all that asks for a closer look. */
function smallVerdict(folder: string, { path, size, sha256 }: Artifact, buffer: Buffer): ArtifactVerdict | undefined {
  if (sha256 === null || isPartialHash(sha256)) return undefined;
  try {
    const file = join(folder, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) return undefined;
    if (stats.size !== size) return 'changed';
    if (size > smallSize) return undefined;
    // Should a pipe stand in its place by now, nobody waits for who writes into it.
    const descriptor = openSync(file, readOnlyFlags);
    try {
      const bytesRead = readSync(descriptor, buffer, 0, buffer.length, 0);
      if (bytesRead !== size) return undefined;
      return hashBytes(buffer.subarray(0, bytesRead)) === sha256 ? 'intact' : 'changed';
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

async function checkArtifact(folder: string, artifact: Artifact): Promise<ArtifactVerdict> {
  const path = join(folder, artifact.path);
  try {
    const stats = await lstat(path);
    // A deletion has no hash: whatever is there now is not what was left.
    if (artifact.sha256 === null || stats.size !== artifact.size) return 'changed';
    const now = await hashFile(path, isPartialHash(artifact.sha256) ? -1 : Math.max(wholeHashLimit, artifact.size));
    return now?.sha256 === artifact.sha256 ? 'intact' : 'changed';
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return artifact.change === 'deleted' ? 'intact' : 'missing';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return 'changed';
    throw error;
  }
}
