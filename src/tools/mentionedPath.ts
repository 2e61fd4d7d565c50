// Looks at a path that a message mentions: the beginning of a text file, or in one word what else it is. Links are
// followed, but not out of the folder. Nothing is waited for: a pipe is not opened.
import { lstat, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PathMovedError } from '../platform/heldFolder.ts';
import { readStart, withRegularFile } from '../platform/regularFile.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { ToolInputError } from '../runner/ports.ts';
import { confine } from './sdkTools.ts';

export type MentionedPathLook =
  | { readonly kind: 'file'; readonly path: string; readonly content: string; readonly isPart: boolean }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'binary'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unreadable'; readonly path: string; readonly reason: string };

/** @param maxBytes how much of a file is read */
export async function lookAtPath(folder: string, path: string, maxBytes: number): Promise<MentionedPathLook> {
  try {
    const { real, relative } = await confine(folder, path);
    const stats = await stat(real);
    if (stats.isDirectory()) return { kind: 'folder', path: relative };
    const noFile = { kind: 'unreadable', path: relative, reason: 'it is not a file.' } as const;
    return stats.isFile() ? ((await readText(real, relative, maxBytes)) ?? noFile) : noFile;
  } catch (error) {
    if (error instanceof PathMovedError) return { kind: 'outside' };
    if (!(error instanceof ToolInputError)) return failedLook(error, path);
    return (await isThere(folder, path)) ? { kind: 'outside' } : { kind: 'missing' };
  }
}

function readText(real: string, path: string, maxBytes: number): Promise<MentionedPathLook | undefined> {
  return withRegularFile(real, async (file): Promise<MentionedPathLook> => {
    const { size } = file.stats;
    const bytes = await readStart(file, maxBytes);
    const isPart = bytes.length < size;
    const content = textOf(bytes, isPart);
    return content === undefined ? { kind: 'binary', path, bytes: size } : { kind: 'file', path, content, isPart };
  });
}

/** The text of these bytes, or undefined when they are none. @param isPart the last character may be cut */
function textOf(bytes: Uint8Array, isPart: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isPart });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Of a path that may not be followed: it leads out, or there is nothing that it could lead to. */
async function isThere(folder: string, path: string): Promise<boolean> {
  try {
    await lstat(resolve(folder, path));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

function failedLook(error: unknown, path: string): MentionedPathLook {
  const code = systemErrorCode(error);
  if (code === undefined) throw error;
  // A name that no file can have is none either: "@" and a long word.
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return { kind: 'missing' };
  const reason = code === 'EACCES' || code === 'EPERM' ? 'it may not be read.' : `the system said ${code}.`;
  return { kind: 'unreadable', path, reason };
}
