// Where this window keeps drafts, and what names the workspace they belong to for the panel's own memory.
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { createTextRedactor, mapStrings } from '../core/redact.ts';
import type { DraftKeeper } from '../panel/panelPorts.ts';
import { DraftFiles } from '../store/draftFile.ts';
import type { ApiKeyStore } from './apiKey.ts';
import { openFolders } from './folders.ts';
import type { Log } from './log.ts';

/** Undefined without an open folder: nothing can be sent there. */
export function createDraftKeeper(
  { storageUri }: Pick<vscode.ExtensionContext, 'storageUri'>,
  otherSessionsRoots: () => Promise<readonly string[]>,
  keys: ApiKeyStore,
  log: Log,
): DraftKeeper | undefined {
  if (!storageUri) return undefined;
  const name = 'drafts';
  const redactText = createTextRedactor(keys.secrets);
  return new DraftFiles({
    folder: join(storageUri.fsPath, name),
    otherFolders: async () => (await otherSessionsRoots()).map((root) => join(dirname(root), name)),
    openFolders: () => openFolders().map(({ uri }) => uri),
    redact: (value) => mapStrings(value, redactText) as typeof value,
    log,
  });
}

/**
 * Names the workspace of this window over reloads. The editor gives a window whose storage is still in use another one,
 * with a number behind the same name.
 */
export function workspaceName({ storageUri }: Pick<vscode.ExtensionContext, 'storageUri'>): string {
  return storageUri ? basename(dirname(storageUri.fsPath)).replace(/-\d+$/, '') : 'none';
}
