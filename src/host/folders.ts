// Workspace folders as the sessions know them, and the editors that are open in one.
import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { RatchetError, messageOf } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { Looked } from '../core/resumeContext.ts';

/** The open folders that are on this machine's disk; others have no shell and no files to work on. */
export function openFolders(): readonly FolderIdentity[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file' || uri.scheme === 'vscode-remote')
    .map(({ uri, name }) => ({ uri: uri.toString(), name, path: uri.fsPath }));
}

let lastActive: string | undefined;

/** The open folder that the active editor is in, or was in last: an editor that loses the keyboard to the chat counts. */
export function activeFolder(): FolderIdentity | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = active && vscode.workspace.getWorkspaceFolder(active);
  if (folder) lastActive = folder.uri.toString();
  return openFolders().find(({ uri }) => uri === lastActive);
}

/** @throws RatchetError `untrusted_workspace` or `no_folder` */
export function assertMayRun(folder: FolderIdentity): void {
  if (!vscode.workspace.isTrusted) {
    throw new RatchetError(
      'untrusted_workspace',
      'This folder is not trusted, so nothing runs in it. Run "Workspaces: Manage Workspace Trust" to go on.',
    );
  }
  if (!openFolders().some(({ uri }) => uri === folder.uri)) {
    throw new RatchetError('no_folder', `The folder of this session is not open: ${folder.path}. Open it to go on.`);
  }
}

export interface OpenEditor {
  readonly path: string;
  readonly active: boolean;
  readonly unsaved: boolean;
}

/** The text editors that are open on files of a folder, in the order of their tabs. */
export function openEditors(folder: FolderIdentity): Looked<readonly OpenEditor[]> {
  try {
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const editors = new Map<string, OpenEditor>();
    for (const tab of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
      if (!(tab.input instanceof vscode.TabInputText)) continue;
      const path = pathIn(folder, tab.input.uri);
      if (path === undefined) continue;
      editors.set(path, { path, active: tab.input.uri.toString() === active, unsaved: tab.isDirty });
    }
    return { ok: true, value: [...editors.values()] };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** The path of a resource in a folder, with `/`; undefined for what is not in it. */
export function pathIn(folder: FolderIdentity, uri: vscode.Uri): string | undefined {
  const path = relative(folder.path, uri.fsPath);
  const outside = path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return outside ? undefined : path.split(sep).join('/');
}
