// What one step, or several in a row, made of a file: which content was there before and which after, by hash. Judged
// by the records alone. It must never know where contents are kept.
import type { Step } from './sessionState.ts';

/** `unknown`: nobody recorded it. */
export type FileVersion =
  | { readonly kind: 'none' }
  | { readonly kind: 'content'; readonly sha256: string; readonly executable?: true }
  | { readonly kind: 'unknown' };

export interface FileSpan {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
}

const none: FileVersion = { kind: 'none' };
const unknown: FileVersion = { kind: 'unknown' };

/**
 * What became of a file from before step `first` to after step `last`. Undefined when `last` did not touch it.
 * @param steps of the session, oldest first
 * @param path as the panel has it: for a write or an edit the recorded path counts
 */
export function fileSpan(steps: readonly Step[], path: string, last: string, first = last): FileSpan | undefined {
  const lastStep = steps.find(({ id }) => id === last);
  const touched = lastStep && touchedPath(lastStep, path);
  if (touched === undefined) return undefined;
  const from = steps.findIndex(({ id }) => id === first);
  const firstStep = steps[from] ?? lastStep;
  return {
    path: touched,
    before: versionBefore(steps.slice(0, Math.max(from, 0)), firstStep, touched),
    after: versionAfter(lastStep, touched) ?? unknown,
  };
}

function touchedPath(step: Step, path: string): string | undefined {
  if (step.intent?.kind === 'file') return step.intent.path;
  return artifactOf(step, path)?.path;
}

function artifactOf(step: Step, path: string) {
  return step.status === 'finished' ? step.result.artifacts?.find((artifact) => artifact.path === path) : undefined;
}

function versionBefore(earlier: readonly Step[], step: Step | undefined, path: string): FileVersion {
  if (step?.intent?.kind === 'file' && step.intent.path === path)
    return version(step.intent.beforeSha256, step.intent.executable);
  if (step && artifactOf(step, path)?.change === 'created') return none;
  // A command does not say what was there: the last record of the file does, when nobody else changed it since.
  for (let i = earlier.length - 1; i >= 0; i--) {
    const known = earlier[i] && (versionAfter(earlier[i], path) ?? versionSeen(earlier[i], path));
    if (known) return known;
  }
  return unknown;
}

function versionAfter(step: Step | undefined, path: string): FileVersion | undefined {
  if (!step) return undefined;
  const artifact = artifactOf(step, path);
  if (artifact) return version(artifact.sha256, artifact.executable);
  const { intent } = step;
  if (intent?.kind !== 'file' || intent.path !== path) return undefined;
  const failed = step.status === 'finished' && step.result.outcome !== 'succeeded';
  return failed ? undefined : version(intent.afterSha256, intent.executable);
}

function versionSeen(step: Step | undefined, path: string): FileVersion | undefined {
  const seen = step?.status === 'finished' ? step.result.seen?.find((file) => file.path === path) : undefined;
  return seen && version(seen.sha256);
}

function version(sha256: string | null, executable?: true): FileVersion {
  return sha256 === null ? none : { kind: 'content', sha256, ...(executable && { executable }) };
}
