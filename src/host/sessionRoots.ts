// Where this editor keeps the sessions of its windows: each window below its own workspace storage.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { Log } from './log.ts';

const sessionsName = 'sessions';
/** Other windows do not come and go faster than this, in milliseconds. */
const freshMs = 5_000;

/** Root of this window's sessions; nothing without an open folder. */
export function sessionsRoot(context: vscode.ExtensionContext): string | undefined {
  return context.storageUri && join(context.storageUri.fsPath, sessionsName);
}

/**
 * Roots of the other windows of this editor. A folder that is opened again as part of another workspace, on another
 * port or beside a window that is still closing gets another storage, and its sessions must be found all the same.
 */
export function otherSessionsRoots(context: vscode.ExtensionContext, log: Log): () => Promise<readonly string[]> {
  const own = context.storageUri?.fsPath;
  let known: { readonly at: number; readonly roots: Promise<readonly string[]> } | undefined;
  return () => {
    if (own === undefined) return Promise.resolve([]);
    const now = Date.now();
    if (!known || now - known.at > freshMs) known = { at: now, roots: look(own, log) };
    return known.roots;
  };
}

async function look(own: string, log: Log): Promise<readonly string[]> {
  const all = dirname(dirname(own));
  try {
    const names = await readdir(all);
    return names
      .filter((name) => name !== basename(dirname(own)))
      .map((name) => join(all, name, basename(own), sessionsName));
  } catch (error) {
    log('The storage of other windows could not be looked at', error);
    return [];
  }
}
