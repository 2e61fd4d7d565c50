// Shows in the editor what steps changed and printed: the diff of an edit from the kept contents, and full logs.
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import { jobOutputFile } from '../tools/jobKey.ts';
import { hashFile } from '../tools/fileHash.ts';
import { readKept } from '../tools/keptContent.ts';

const scheme = 'ratchet-kept';

/** Read-only documents of kept contents: `ratchet-kept:/<path>?<storage>\n<sha256>`; an empty hash is an empty file. */
export function registerKeptDocuments(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent(uri) {
      const [storage = '', sha256 = ''] = uri.query.split('\n');
      if (sha256 === '') return '';
      const content = await readKept(storage, sha256);
      return content ? new TextDecoder().decode(content) : 'This content was not kept: it was too large.';
    },
  });
}

function keptUri(path: string, storage: string, sha256: string | null): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${path}`, query: `${storage}\n${sha256 ?? ''}` });
}

/** Opens the editor's diff view on what a step changed in a file. @throws RatchetError `not_found` */
export async function openStepDiff(session: LiveSession, stepId: string, path: string): Promise<void> {
  const step = session.state.steps.get(stepId);
  const intent = step?.intent?.kind === 'file' ? step.intent : undefined;
  if (!intent)
    throw new RatchetError('not_found', `What this step changed in ${path} was not recorded. Open the file itself.`);
  const { storage } = session.stored;
  const file = vscode.Uri.joinPath(vscode.Uri.file(session.folder.path), intent.path);
  const now = await hashFile(file.fsPath).catch(() => undefined);
  const isCurrent = now?.sha256 === intent.afterSha256;
  const isKept = (await readKept(storage, intent.afterSha256)) !== undefined;
  const after = isCurrent || !isKept ? file : keptUri(intent.path, storage, intent.afterSha256);
  const title =
    isCurrent || isKept ? `${intent.path} (what this step changed)` : `${intent.path} (before this step ↔ now)`;
  await vscode.commands.executeCommand('vscode.diff', keptUri(intent.path, storage, intent.beforeSha256), after, title);
}

/** Opens the full output of a step in an editor. @throws RatchetError `not_found` */
export async function openStepOutput(session: LiveSession, stepId: string): Promise<void> {
  const step = session.state.steps.get(stepId);
  const recorded = step?.status === 'finished' ? step.result.output?.file : undefined;
  const running = step?.intent?.kind === 'job' ? jobOutputFile(step.intent.key) : undefined;
  const file = recorded ?? running;
  if (file === undefined)
    throw new RatchetError('not_found', 'This step has no further output: all of it is shown here.');
  await vscode.window.showTextDocument(vscode.Uri.file(join(session.stored.storage, file)), { preview: true });
}

export async function openWorkspaceFile(folder: FolderIdentity, path: string): Promise<void> {
  const file = isAbsolute(path) ? path : join(folder.path, path);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true });
}
