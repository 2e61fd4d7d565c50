// Opens what an answer links to: without a question only what lies in the session's folder; of the web what the editor
// asks about itself; the rest after a question that shows where it leads, or not at all.
import * as vscode from 'vscode';
import { unreachable } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { judgeLink } from '../core/webLinks.ts';
import { linkedFile } from '../tools/linkedFile.ts';

export async function openWorkspaceFile(folder: FolderIdentity, path: string): Promise<void> {
  const file = await linkedFile(folder.path, path);
  if (!file.isInside && !(await isWanted('This file is not in the folder of the session.', file.path))) return;
  await vscode.window.showTextDocument(vscode.Uri.file(file.path), { preview: true });
}

export async function openLink(href: string): Promise<void> {
  const verdict = judgeLink(href);
  switch (verdict.kind) {
    case 'never':
      return;
    case 'ask':
      if (!(await isWanted('This link leaves the editor.', verdict.about))) return;
      break;
    case 'editorAsks':
      break;
    default:
      unreachable(verdict);
  }
  await vscode.env.openExternal(vscode.Uri.parse(href, true));
}

async function isWanted(what: string, where: string): Promise<boolean> {
  const open = 'Open';
  return (await vscode.window.showWarningMessage(what, { modal: true, detail: where }, open)) === open;
}
