// Shows where a session is kept: in the file manager where there is one, else as a path to copy.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { tell, type Runtime } from './runtime.ts';
import { sessionFor } from './sessionPick.ts';

/** Shows the folder of a session, which holds its trace. @throws RatchetError `not_found` */
export async function revealStorage(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = await sessionFor(runtime, sessionId, 'Session whose storage is shown');
  if (id === undefined) return;
  const { storage } = (await runtime.sessions.open(id)).stored;
  if (vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(join(storage, 'journal.jsonl')));
    return;
  }
  tell(runtime, {
    level: 'info',
    text: `The session is kept in ${storage}.`,
    actions: [{ label: 'Copy Path', run: async () => vscode.env.clipboard.writeText(storage) }],
  });
}
