// What a write or an edit would make of a file, worked out on a private copy: the workspace is only read here.
import { isUtf8 } from 'node:buffer';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileDiff, type FileDiff } from '../core/fileDiff.ts';
import { countOf, grouped, sizeText } from '../core/words.ts';
import { ToolInputError, type ToolContext } from '../runner/ports.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { PathMovedError } from '../platform/heldFolder.ts';
import { readStart, withRegularFile } from '../platform/regularFile.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { ChangeInput, ChangeKind } from './changeKinds.ts';
import type { EditorFiles, Unsaved } from './editorFiles.ts';
import { withPathIn } from '../platform/temporaryFiles.ts';
import { inStorage } from '../store/inStorage.ts';
import { isInGitFolder } from './gitFolders.ts';
import { hashBytes, hashFile, isExecutable, type FileHash } from './fileHash.ts';
import { confine, runSdkTool } from './sdkTools.ts';

/** Bytes up to which a file is edited, and compared for a diff. */
export const textLimit = 8 * 1024 * 1024;

export interface StagedChange {
  /** Relative to the folder, with `/`; links are resolved. */
  readonly path: string;
  /** Absolute path of the same. */
  readonly real: string;
  readonly beforeSha256: string | null;
  /** The file that is there can be run as a program. */
  readonly executable?: true;
  readonly afterSha256: string;
  readonly after: Uint8Array;
  /** Absent when there is no file, or one that is too large to look into. */
  readonly before?: Uint8Array;
  /** The SDK tool's own answer. */
  readonly answer: string;
  readonly preview: string;
  readonly lines?: { readonly added: number; readonly removed: number };
  /** Set when the content before is that of unsaved changes; with the hash of what is on disk, null for no file. */
  readonly unsaved?: { readonly diskSha256: string | null };
}

/** A content that is about to be changed. */
export interface CurrentContent {
  readonly path: string;
  readonly real: string;
  readonly sha256: string;
}

/** What staging needs to know of a call. */
export type StagingContext = Pick<ToolContext, 'folder' | 'storage' | 'stepId' | 'signal'>;

/** The session's private folder for what is half made: for paths of `withPathIn` only. */
export function stagingFolder(storage: string): string {
  return join(storage, 'staging');
}

/**
 * Runs the SDK's tool on a copy of the one file it names. Unsaved changes in the editor count as its content.
 * @param check may refuse the content that is there, before anything is worked out
 * @throws ToolInputError when the call can't be done: outside the folder, not a text file, text not found
 */
export async function stageChange(
  { make, readsCurrent }: ChangeKind,
  input: ChangeInput,
  context: StagingContext,
  editor: EditorFiles,
  check: (current: CurrentContent) => Promise<void>,
): Promise<StagedChange> {
  const { real, relative: path } = await confine(context.folder, input.file_path);
  await refuseProtected(context.folder, real, path);
  const unsaved = await editor.unsaved(real);
  const before = unsaved ? unsavedContent(unsaved, path, readsCurrent) : await readCurrent(real, path, readsCurrent);
  if (before) await check({ path, real, sha256: before.sha256 });
  const { answer, after } = await runOnCopy({ make, readsCurrent }, input, path, before?.bytes, context);
  const diff = diffOf(path, before, after);
  const onDisk = unsaved && (await hashFile(real, Infinity));
  return {
    path,
    real,
    beforeSha256: before?.sha256 ?? null,
    ...((onDisk ?? before)?.executable && { executable: true }),
    afterSha256: hashBytes(after),
    after,
    ...(before?.bytes && { before: before.bytes }),
    answer,
    preview: diff?.text ?? binaryPreview(path, before, after),
    ...(diff && { lines: { added: diff.added, removed: diff.removed } }),
    ...(unsaved && { unsaved: { diskSha256: onDisk?.sha256 ?? null } }),
  };
}

/** Git's own files decide what later commands run: they are changed through git, which is asked about as a command. */
async function refuseProtected(folder: string, real: string, path: string): Promise<void> {
  if (path === '.') throw new ToolInputError('The path names the workspace folder itself, not a file.');
  if (await isInGitFolder(folder, real)) {
    throw new ToolInputError(
      `${path} is inside .git or another folder that git takes its settings from; use git commands to change it.`,
    );
  }
}

interface CurrentFile extends FileHash {
  /** Absent when the file is too large to look into. */
  readonly bytes?: Uint8Array;
}

async function readCurrent(real: string, path: string, needsText: boolean): Promise<CurrentFile | undefined> {
  try {
    const { size } = await lstat(real);
    if (size > textLimit) return await hashOfLarge(real, path, size, needsText);
    const read = await withRegularFile(real, async (file) => ({
      bytes: await readStart(file, textLimit + 1),
      stats: file.stats,
    }));
    if (!read) throw new ToolInputError(`${path} is not a regular file.`);
    const { bytes, stats } = read;
    refuseOtherThanText(bytes, path, needsText);
    const executable = isExecutable(stats) ? { executable: true as const } : {};
    return { sha256: hashBytes(bytes), size: bytes.length, bytes, ...executable };
  } catch (error) {
    if (error instanceof PathMovedError)
      throw new ToolInputError(`${path} leads somewhere else since it was looked at. Look again.`, { cause: error });
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') throw new ToolInputError(`${path}: a part of the path is a file, not a folder.`);
    if (code === 'EACCES') throw new ToolInputError(`${path}: permission denied.`, { cause: error });
    throw error;
  }
}

async function hashOfLarge(
  real: string,
  path: string,
  size: number,
  needsText: boolean,
): Promise<CurrentFile | undefined> {
  if (needsText)
    throw new ToolInputError(`${path} has ${sizeText(size)}; files above ${sizeText(textLimit)} can't be edited.`);
  return hashFile(real, Infinity);
}

function unsavedContent(unsaved: Unsaved, path: string, needsText: boolean): CurrentFile {
  if (unsaved.kind === 'opaque') {
    throw new ToolInputError(
      `${path} has unsaved changes in an editor that is no text editor. The user has to save or discard them first.`,
    );
  }
  const { bytes } = unsaved;
  if (bytes.length > textLimit) {
    throw new ToolInputError(
      `${path} has unsaved changes of ${sizeText(bytes.length)}. The user has to save them first.`,
    );
  }
  refuseOtherThanText(bytes, path, needsText);
  return { sha256: hashBytes(bytes), size: bytes.length, bytes };
}

function refuseOtherThanText(bytes: Uint8Array, path: string, needsText: boolean): void {
  // Decoding would replace what is not UTF-8, and the edit would write the damage back.
  if (needsText && !isUtf8(bytes)) throw new ToolInputError(`${path} is not a UTF-8 text file; it can't be edited.`);
}

/** What the SDK's tool makes of a content, with its own answer. @throws ToolInputError */
export async function runOnCopy(
  { make, readsCurrent }: Pick<ChangeKind, 'make' | 'readsCurrent'>,
  input: ChangeInput,
  path: string,
  bytes: Uint8Array | undefined,
  context: Omit<StagingContext, 'folder'>,
): Promise<{ readonly answer: string; readonly after: Uint8Array }> {
  return withCopy(context.storage, path, readsCurrent ? bytes : undefined, async (workdir) => {
    const tool = make({ workdir, maxFileBytes: textLimit });
    const answer = await runSdkTool(tool, { ...input, file_path: path }, context);
    crashPoint('after_copy_staged');
    return { answer, after: await readFile(join(workdir, path)) };
  });
}

/** Lends a private folder that holds a copy of one content, under its workspace path. */
export async function withCopy<T>(
  storage: string,
  path: string,
  bytes: Uint8Array | undefined,
  work: (workdir: string) => Promise<T>,
): Promise<T> {
  return inStorage(async () => {
    await mkdir(stagingFolder(storage), { recursive: true, mode: 0o700 });
    return withPathIn(stagingFolder(storage), 'copy', (workdir) => workOnCopy(workdir, path, bytes, work));
  });
}

async function workOnCopy<T>(
  workdir: string,
  path: string,
  bytes: Uint8Array | undefined,
  work: (workdir: string) => Promise<T>,
): Promise<T> {
  try {
    await mkdir(workdir, { mode: 0o700 });
    crashPoint('before_copy_staged');
    if (bytes) {
      const copy = join(workdir, path);
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
      await writeFile(copy, bytes, { mode: 0o600 });
    }
    return await work(workdir);
  } catch (error) {
    throw refusalBehind(error) ?? error;
  }
}

/** The disk's refusal that an SDK tool has put in words. There is nothing of the workspace in the folder that it works in. */
function refusalBehind(error: unknown): Error | undefined {
  if (!(error instanceof ToolInputError)) return undefined;
  const code = refusalWords.find(([words]) => error.message.endsWith(`: ${words}`))?.[1];
  return code === undefined ? undefined : Object.assign(new Error(error.message, { cause: error }), { code });
}

const refusalWords: readonly (readonly [string, string])[] = [
  ['no space left on device', 'ENOSPC'],
  ['permission denied', 'EACCES'],
  ['too many open files', 'EMFILE'],
  ...['EDQUOT', 'EFBIG', 'EIO', 'EROFS'].map((code) => [`i/o error (${code})`, code] as const),
];

function diffOf(path: string, before: CurrentFile | undefined, after: Uint8Array): FileDiff | undefined {
  if (before && !before.bytes) return undefined;
  if (after.length > textLimit || !isText(after) || (before?.bytes && !isText(before.bytes))) return undefined;
  const oldText = before?.bytes ? Buffer.from(before.bytes).toString('utf8') : null;
  return fileDiff(path, oldText, Buffer.from(after).toString('utf8'));
}

/** The lines that a change added and removed, where both contents are text of a size that can be compared. */
export function changedLines(
  before: Uint8Array | null,
  after: Uint8Array,
): { readonly added: number; readonly removed: number } | undefined {
  if (after.length > textLimit || (before?.length ?? 0) > textLimit) return undefined;
  const diff = diffOf('', before ? { sha256: '', size: before.length, bytes: before } : undefined, after);
  return diff && { added: diff.added, removed: diff.removed };
}

export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function binaryPreview(path: string, before: CurrentFile | undefined, after: Uint8Array): string {
  const was = before ? `${grouped(before.size)} bytes` : 'no file';
  return `${path}: ${was} → ${countOf(after.length, 'byte')} (no line comparison: not text, or too large)\n`;
}
