// Doing a staged change to a workspace file, and judging one that was cut. Nothing is lost on the way: the previous
// content is kept first, the new one replaces it whole, and a file that someone else changed meanwhile is left alone.
import { constants, type Stats } from 'node:fs';
import { access, lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StepIntent } from '../core/events.ts';
import type { Artifact } from '../core/recordedFiles.ts';
import type { Step } from '../core/sessionState.ts';
import { sizeText } from '../core/words.ts';
import { ToolInputError, type Recovery, type ToolContext, type ToolResult } from '../runner/ports.ts';
import { holdFolder, PathMovedError, type HeldFolder } from '../platform/heldFolder.ts';
import { systemErrorCode, systemErrorWords } from '../platform/systemError.ts';
import { inStorage } from '../store/inStorage.ts';
import { replaceWhole } from './atomicReplace.ts';
import { hashBytes, hashFile } from './fileHash.ts';
import { keepContent, keptLimit, readKept } from './keptContent.ts';
import { confine, realFolder } from './sdkTools.ts';
import { changedLines, type StagedChange } from './stagedChange.ts';
import { stoppedWithoutEffect } from './stopReason.ts';

/** Does a staged change. What the disk refuses becomes a failed result; the file is as it was then. */
export async function applyChange(staged: StagedChange, context: ToolContext): Promise<ToolResult> {
  if (context.signal.aborted) {
    return stoppedWithoutEffect(context.signal, 'not_started', 'Stopped before anything was written.');
  }
  if ((await realPathNow(context.folder, staged.path)) !== staged.real) return changedMeanwhile(staged);
  let folder: HeldFolder | undefined;
  try {
    // From here on all is done in the folder that was looked at, wherever its path leads.
    folder = await holdIfThere(dirname(staged.real));
    const now = folder ? await lookAt(folder.entry(basename(staged.real))) : { sha256: null };
    if (now.sha256 !== staged.beforeSha256) return changedMeanwhile(staged);
    if (staged.beforeSha256 === staged.afterSha256) {
      return { outcome: 'succeeded', content: `${staged.path} already has this content: nothing was written.` };
    }
    folder ??= await holdFolder(dirname(staged.real), true);
    return changed(staged, await replaceIn(folder, staged, now.stats, context));
  } catch (error) {
    if (error instanceof PathMovedError) return changedMeanwhile(staged);
    // The disk's refusals (full, read-only, no permission, a folder in the way) are for the model.
    if (systemErrorCode(error) === undefined) throw error;
    const words = systemErrorWords(error);
    if ((await hashIfReadable(staged.real)) === staged.afterSha256) {
      return changed(staged, `written; whether the disk keeps it is not known: ${words}`);
    }
    if (folder?.made !== undefined) await removeEmpty(dirname(staged.real), folder.made);
    return { outcome: 'failed', content: `${staged.path} could not be written: ${words}. It is as it was.` };
  } finally {
    await folder?.close();
  }
}

function changedMeanwhile({ path }: StagedChange): ToolResult {
  return {
    outcome: 'failed',
    content: `${path} was changed by someone else meanwhile; it is left as it is. Read it again, then repeat the change.`,
  };
}

async function holdIfThere(real: string): Promise<HeldFolder | undefined> {
  try {
    return await holdFolder(real);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** @returns what is to be noted beside the step */
async function replaceIn(
  folder: HeldFolder,
  staged: StagedChange,
  stats: Stats | undefined,
  context: ToolContext,
): Promise<string | undefined> {
  const path = folder.entry(basename(staged.real));
  const note = await keepPrevious(staged, path, stats, context);
  const temporary = folder.entry(basename(temporaryPath(staged.real, context.stepId)));
  await replaceWhole(path, staged.after, { temporary, like: stats, beforeRename: () => folder.confirm() });
  return note;
}

function changed(staged: StagedChange, note: string | undefined): ToolResult {
  return {
    outcome: 'succeeded',
    content: staged.answer,
    artifacts: [artifactOf(staged, staged.after.length)],
    ...(staged.lines && { lines: staged.lines }),
    ...(note !== undefined && { note }),
  };
}

async function hashIfReadable(real: string): Promise<string | undefined> {
  try {
    return (await hashFile(real, Infinity))?.sha256;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Removes folders that were made for a file which could not be written, from the innermost up to the first one. */
async function removeEmpty(inner: string, first: string): Promise<void> {
  try {
    for (let folder = inner; ; folder = dirname(folder)) {
      await rmdir(folder);
      if (folder === first) return;
    }
  } catch (error) {
    // Something else is in it by now, or the disk refuses this too.
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/**
 * Where the path leads now; undefined when that is outside the folder by now.
 * @throws ToolInputError when the folder itself is gone
 */
async function realPathNow(folder: string, path: string): Promise<string | undefined> {
  await realFolder(folder);
  try {
    return (await confine(folder, path)).real;
  } catch (error) {
    if (error instanceof ToolInputError) return undefined;
    throw error;
  }
}

async function lookAt(path: string): Promise<{ readonly sha256: string | null; readonly stats?: Stats }> {
  const hash = await hashFile(path, Infinity);
  return hash ? { sha256: hash.sha256, stats: await lstat(path) } : { sha256: null };
}

async function keepPrevious(
  staged: StagedChange,
  path: string,
  stats: Stats | undefined,
  context: ToolContext,
): Promise<string | undefined> {
  if (!stats || staged.beforeSha256 === null) return undefined;
  // A rename would go over a file that its owner made read-only.
  await access(path, constants.W_OK);
  if (stats.size > keptLimit) return `previous content not kept: above ${sizeText(keptLimit)}`;
  const before = staged.beforeSha256;
  const content = await readFile(path);
  await inStorage(() => keepContent(context.storage, before, content));
  return undefined;
}

function artifactOf(
  { path, beforeSha256, afterSha256, executable }: Omit<Extract<StepIntent, { kind: 'file' }>, 'kind'>,
  size: number,
): Artifact {
  const change = beforeSha256 === null ? 'created' : 'changed';
  return { path, change, size, sha256: afterSha256, ...(executable && { executable }) };
}

/** One name per step (or revert), so that what a killed attempt left behind is known. */
export function temporaryPath(real: string, stepId: string): string {
  return join(dirname(real), `.ratchet-${hashBytes(stepId).slice(0, 12)}.tmp`);
}

/** Clears away what a cut attempt left beside the file. */
async function removeTemporary(real: string, stepId: string): Promise<void> {
  const folder = await holdIfThere(dirname(real));
  try {
    if (folder) await rm(folder.entry(basename(temporaryPath(real, stepId))), { force: true });
  } finally {
    await folder?.close();
  }
}

/** Whether a file name is that of a write that was cut. Such files are nobody's work. */
export function isTemporaryName(name: string): boolean {
  return /^\.ratchet-[0-9a-f]{12}\.tmp$/.test(name);
}

/**
 * The rule for a cut write or edit: the file's hash says whether it was done, was not done, or is in conflict.
 * Clears away what the cut attempt left half made.
 */
export async function recoverChange(step: Step, context: ToolContext): Promise<Recovery> {
  const { intent } = step;
  if (intent?.kind !== 'file') {
    return settled(
      'cut',
      'Interrupted; what it was about to write was not recorded. Read the file to see what is there.',
    );
  }
  const { path, beforeSha256, afterSha256, diskSha256 } = intent;
  const real = await realPathNow(context.folder, path);
  if (real === undefined) {
    return settled('cut', `Interrupted. ${path} leads outside the workspace folder by now; it is left as it is.`);
  }
  await removeTemporary(real, step.id);
  const now = await hashFile(real, Infinity);
  // Cut before the unsaved changes were saved: they are still the editor's.
  if (diskSha256 !== undefined && (now?.sha256 ?? null) === diskSha256) return { kind: 'rerun' };
  if (now?.sha256 === afterSha256) {
    const lines = await recoveredLines(real, beforeSha256, context.storage);
    return {
      kind: 'settled',
      result: {
        outcome: 'succeeded',
        content: `${path} has the intended content: this was done before the interruption.`,
        ...(beforeSha256 !== afterSha256 && { artifacts: [artifactOf(intent, now.size)] }),
        ...(lines && { lines }),
        note: 'was done before the interruption',
      },
    };
  }
  if ((now?.sha256 ?? null) === beforeSha256) return { kind: 'rerun' };
  return settled(
    'cut',
    `Interrupted. ${path} was changed by someone else meanwhile${diskSha256 === undefined ? '' : ', or formatted as it was saved'}; it is left as it is. Read it again before you change it.`,
  );
}

function settled(outcome: 'cut', content: string): Recovery {
  return { kind: 'settled', result: { outcome, content } };
}

async function recoveredLines(
  real: string,
  beforeSha256: string | null,
  storage: string,
): Promise<{ readonly added: number; readonly removed: number } | undefined> {
  const before = beforeSha256 === null ? null : await readKept(storage, beforeSha256);
  return before === undefined ? undefined : changedLines(before, await readFile(real));
}
