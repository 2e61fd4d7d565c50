// Whether recorded artifacts are still as they were recorded. Only looks.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from '../core/events.ts';
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { hashFile, isPartialHash, wholeHashLimit } from './fileHash.ts';

const checkedAtOnce = 8;

/**
 * The verdict on each artifact, by path and in their order; for a path that is named twice, on the later record.
 * A deletion is `intact` while the file is gone. A file that can't be read counts as `changed`.
 */
export async function checkArtifacts(
  folder: string,
  artifacts: readonly Artifact[],
): Promise<Map<string, ArtifactVerdict>> {
  const latest = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  const found = new Map<string, ArtifactVerdict>();
  const waiting = latest.values();
  const check = async (): Promise<void> => {
    // All of them take from the same iterator: each artifact is looked at once.
    for (const artifact of waiting) found.set(artifact.path, await checkArtifact(folder, artifact));
  };
  await Promise.all(Array.from({ length: checkedAtOnce }, check));
  // In the order of the artifacts, not in that in which the disk answered.
  return new Map([...latest.keys()].map((path) => [path, found.get(path) ?? 'missing']));
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
