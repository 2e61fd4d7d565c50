// The files that the last run touched, from the steps on the screen. Pure.
import type { TranscriptItem } from '../src/protocol/view.ts';

export interface ChangedFile {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** The first and the last step that touched it: the diff is from before the one to after the other. */
  readonly since: string;
  readonly stepId: string;
  readonly added: number;
  readonly removed: number;
}

/** Files touched since the last message of the user, in the order of first touch. */
export function filesChanged(items: readonly TranscriptItem[]): readonly ChangedFile[] {
  const start = items.findLastIndex((item) => item.kind === 'user');
  const files = new Map<string, ChangedFile>();
  for (const item of items.slice(start + 1)) {
    if (item.kind !== 'step' || !item.artifacts) continue;
    // Line counts are those of the step: they are a file's own only when the step touched one file.
    const lines = item.artifacts.length === 1 ? item.lines : undefined;
    for (const artifact of item.artifacts) {
      const known = files.get(artifact.path);
      const [added, removed] = [artifact.added ?? lines?.added ?? 0, artifact.removed ?? lines?.removed ?? 0];
      const staysNew = known?.change === 'created' && artifact.change === 'changed';
      files.set(artifact.path, {
        path: artifact.path,
        change: staysNew ? 'created' : artifact.change,
        since: known?.since ?? artifact.since ?? item.id,
        stepId: artifact.stepId ?? item.id,
        added: (known?.added ?? 0) + added,
        removed: (known?.removed ?? 0) + removed,
      });
    }
  }
  return [...files.values()];
}
