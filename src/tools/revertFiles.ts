// Bringing workspace files back to what they were: judged by hash, the present content kept first, replaced whole. A file
// that someone changed, or has unsaved changes to, is left alone.
import { constants, type Stats } from 'node:fs';
import { access, lstat, readFile, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { LeftReason, RevertFile } from '../core/recordedFiles.ts';
import type { FileLook, TouchedFile } from '../core/revertPlan.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { flushFolder } from '../platform/durableFiles.ts';
import { holdFolder, inFolder, PathMovedError, type HeldFolder } from '../platform/heldFolder.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { ToolInputError, type RevertFiles, type RevertPlace } from '../runner/ports.ts';
import { replaceWhole, type ReplaceOptions } from './atomicReplace.ts';
import { keptContentOf } from './diffContents.ts';
import type { EditorFiles } from './editorFiles.ts';
import { temporaryPath } from './fileChange.ts';
import { hashFile, isPartialHash, type FileHash } from './fileHash.ts';
import { keepContent, keptLimit, readKept } from './keptContent.ts';
import { runsByOtherName } from './otherNames.ts';
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
    const now = await hashIn(real);
    const other = await runsByOtherName(real.slice(0, -file.path.length - 1), file.path, real);
    return {
      sha256: now?.sha256 ?? null,
      ...(now?.executable && { executable: true }),
      ...(other && { otherName: other.name }),
      isUnsaved: (await editor.unsaved(real)) !== undefined,
      isTooLarge: (now?.size ?? 0) > keptLimit,
      hasBefore: file.before.kind === 'content' && (await hasContent(file.before.sha256, place)),
    };
  } catch (error) {
    if (!(error instanceof PathMovedError) && systemErrorCode(error) === undefined) throw error;
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

/** The file's hash, of the one whose path was looked at. */
async function hashIn(real: string): Promise<FileHash | undefined> {
  try {
    return await inFolder(dirname(real), (folder) => hashFile(folder.entry(basename(real))));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
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
    // Judged before folders are made for it; then again in the folder that is held from there on.
    const now = (await hashFile(real))?.sha256 ?? null;
    if (now === toSha256) return 'done';
    if (now !== fromSha256) return 'changed';
    const content = toSha256 === null ? null : await readKept(storage, toSha256);
    if (content === undefined) return 'not_kept';
    const held = await holdFolder(dirname(real), content !== null);
    try {
      return await putIn(held, storage, now, { real, revertId, content, toExecutable });
    } finally {
      await held.close();
    }
  } catch (error) {
    if (error instanceof PathMovedError) return 'changed';
    if (systemErrorCode(error) === undefined) throw error;
    return 'refused';
  }
}

interface Placed {
  readonly real: string;
  readonly revertId: string;
  /** Null to remove it. */
  readonly content: Uint8Array | null;
  readonly toExecutable: true | undefined;
}

async function putIn(
  folder: HeldFolder,
  storage: string,
  before: string | null,
  { real, revertId, content, toExecutable }: Placed,
): Promise<'done' | LeftReason> {
  const path = folder.entry(basename(real));
  const now = (await hashFile(path))?.sha256 ?? null;
  if (now !== before) return 'changed';
  const stats = now === null ? undefined : await lstat(path);
  if (stats && now !== null) {
    if (stats.size > keptLimit) return 'too_large';
    await keepPresent(storage, now, path);
  }
  await folder.confirm();
  if (content === null) {
    await remove(path);
    return 'done';
  }
  const temporary = folder.entry(basename(temporaryPath(real, revertId)));
  const beforeRename = (): Promise<void> => folder.confirm();
  await replaceWhole(path, content, { temporary, beforeRename, ...modeOf(stats, toExecutable) });
  return 'done';
}

async function keepPresent(storage: string, sha256: string, path: string): Promise<void> {
  // A rename would go over a file that its owner made read-only.
  await access(path, constants.W_OK);
  await keepContent(storage, sha256, await readFile(path));
}

/** That of the file that is replaced. One that was a program is one again, for those who may read it. */
function modeOf(like: Stats | undefined, executable: true | undefined): Pick<ReplaceOptions, 'like' | 'mode'> {
  if (!executable) return { like };
  if (!like) return { mode: 0o777 };
  const { mode, uid, gid } = like;
  return { like: { mode: mode | ((mode & 0o444) >> 2), uid, gid } };
}

async function remove(path: string): Promise<void> {
  crashPoint('before_file_removed');
  await rm(path);
  crashPoint('after_file_removed');
  await flushFolder(dirname(path));
}
