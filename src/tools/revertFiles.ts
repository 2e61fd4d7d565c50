// Bringing workspace files back to what they were: judged by hash, the present content kept first, replaced whole. A file
// that someone changed, or has unsaved changes to, is left alone.
import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LeftReason, RevertFile } from '../core/events.ts';
import type { FileLook, TouchedFile } from '../core/revertPlan.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { flushFolder } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { ToolInputError, type RevertFiles, type RevertPlace } from '../runner/ports.ts';
import { replaceWhole, type ReplaceOptions } from './atomicReplace.ts';
import { keptContentOf } from './diffContents.ts';
import type { EditorFiles } from './editorFiles.ts';
import { temporaryPath } from './fileChange.ts';
import { hashFile, isPartialHash } from './fileHash.ts';
import { keepContent, keptLimit, readKept } from './keptContent.ts';
import { confine } from './sdkTools.ts';

export function createRevertFiles(editor: EditorFiles): RevertFiles {
  return {
    look: async (place, files) => {
      const looks: FileLook[] = [];
      for (const file of files) looks.push(await lookAt(place, file, editor));
      return looks;
    },
    put: (place, revertId, file) => put(place, revertId, file, editor),
  };
}

/** A file that can't be looked at counts as one that someone changed. */
const notToBeSeen: FileLook = { sha256: 'unreadable', isUnsaved: false, isTooLarge: false, hasBefore: false };

async function lookAt(place: RevertPlace, file: TouchedFile, editor: EditorFiles): Promise<FileLook> {
  try {
    const real = await realPath(place.folder, file.path);
    if (real === undefined) return notToBeSeen;
    const now = await hashFile(real);
    return {
      sha256: now?.sha256 ?? null,
      ...(now?.executable && { executable: true }),
      isUnsaved: (await editor.unsaved(real)) !== undefined,
      isTooLarge: (now?.size ?? 0) > keptLimit,
      hasBefore: file.before.kind === 'content' && (await hasContent(file.before.sha256, place)),
    };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return notToBeSeen;
  }
}

async function hasContent(sha256: string, place: RevertPlace): Promise<boolean> {
  if (isPartialHash(sha256)) return false;
  const bytes = await keptContentOf(sha256, place);
  if (!bytes) return false;
  // Worked out again from the records: a revert that is cut has to find it.
  await keepContent(place.storage, sha256, bytes);
  return true;
}

/** Where the path leads; undefined when that is another file by now, or outside of the folder. */
async function realPath(folder: string, path: string): Promise<string | undefined> {
  try {
    const { real, relative } = await confine(folder, path);
    return relative === path ? real : undefined;
  } catch (error) {
    if (error instanceof ToolInputError) return undefined;
    throw error;
  }
}

async function put(
  { folder, storage }: RevertPlace,
  revertId: string,
  { path, fromSha256, toSha256, toExecutable }: RevertFile,
  editor: EditorFiles,
): Promise<'done' | LeftReason> {
  try {
    const real = await realPath(folder, path);
    if (real === undefined) return 'changed';
    if (await editor.unsaved(real)) return 'unsaved';
    const now = (await hashFile(real))?.sha256 ?? null;
    if (now === toSha256) return 'done';
    if (now !== fromSha256) return 'changed';
    const stats = now === null ? undefined : await lstat(real);
    if (stats && now !== null) {
      if (stats.size > keptLimit) return 'too_large';
      await keepPresent(storage, now, real);
    }
    if (toSha256 === null) {
      await remove(real);
      return 'done';
    }
    const content = await readKept(storage, toSha256);
    if (!content) return 'not_kept';
    await putContent(real, content, { temporary: temporaryPath(real, revertId), ...modeOf(stats, toExecutable) });
    return 'done';
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return 'refused';
  }
}

async function keepPresent(storage: string, sha256: string, real: string): Promise<void> {
  // A rename would go over a file that its owner made read-only.
  await access(real, constants.W_OK);
  await keepContent(storage, sha256, await readFile(real));
}

async function putContent(real: string, content: Uint8Array, options: ReplaceOptions): Promise<void> {
  await mkdir(dirname(real), { recursive: true });
  await replaceWhole(real, content, options);
}

/** That of the file that is replaced. One that was a program is one again, for those who may read it. */
function modeOf(like: Stats | undefined, executable: true | undefined): Pick<ReplaceOptions, 'like' | 'mode'> {
  if (!executable) return { like };
  if (!like) return { mode: 0o777 };
  const { mode, uid, gid } = like;
  return { like: { mode: mode | ((mode & 0o444) >> 2), uid, gid } };
}

async function remove(real: string): Promise<void> {
  crashPoint('before_file_removed');
  await rm(real);
  crashPoint('after_file_removed');
  await flushFolder(dirname(real));
}
