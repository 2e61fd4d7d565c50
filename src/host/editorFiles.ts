// The workspace files as this editor has them: unsaved changes, saving, and what language services say.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { EditorFiles, Unsaved } from '../tools/editorFiles.ts';
import { watchProblems } from './problemWatch.ts';
import { isSameFile } from './sameFile.ts';

/** A formatter or a code action on save may take its time; one that hangs must not hold a run for ever. */
const savePatienceMs = 30_000;

export const editorFiles: EditorFiles = {
  async unsaved(path): Promise<Unsaved | undefined> {
    const document = await dirtyDocument(path);
    if (document) return { kind: 'text', bytes: await bytesOf(document) };
    return (await isDirtyElsewhere(path)) ? { kind: 'opaque' } : undefined;
  },

  async save(path, signal) {
    const document = await dirtyDocument(path);
    if (!document) return true;
    const over = new AbortController();
    try {
      const tooLong = delay(savePatienceMs, false, { signal: AbortSignal.any([signal, over.signal]) });
      return await Promise.race([document.save(), tooLong]);
    } finally {
      over.abort();
    }
  },

  watchProblems,
};

async function dirtyDocument(path: string): Promise<vscode.TextDocument | undefined> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && isOnDisk(document.uri) && (await isSameFile(document.uri.fsPath, path))) return document;
  }
  return undefined;
}

/** In a notebook or in another extension's own editor, whose text nobody else has. */
async function isDirtyElsewhere(path: string): Promise<boolean> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.isDirty);
  const uris = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom ? [input.uri] : [],
  );
  for (const uri of uris) if (isOnDisk(uri) && (await isSameFile(uri.fsPath, path))) return true;
  return false;
}

/** In its own encoding, with its byte order mark: what saving would write. */
async function bytesOf(document: vscode.TextDocument): Promise<Uint8Array> {
  return vscode.workspace.encode(document.getText(), { encoding: document.encoding });
}

function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
