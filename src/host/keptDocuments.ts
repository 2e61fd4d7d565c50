// Shows in the editor what the session keeps: contents that files had, as read-only documents, and full logs.
import { join } from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import { jobOutputFile } from '../tools/jobKey.ts';
import { readKept } from '../tools/keptContent.ts';

const scheme = 'ratchet-kept';

/** Read-only documents of kept contents: `ratchet-kept:/<path>?<storage>\n<sha256>`; an empty hash is an empty file. */
export function registerKeptDocuments(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent(uri) {
      const [storage = '', sha256 = ''] = uri.query.split('\n');
      if (sha256 === '') return '';
      const content = await readKept(storage, sha256);
      return content ? new TextDecoder().decode(content) : 'This content is not kept any more.';
    },
  });
}

/**
 * The document of a kept content. The editor takes two diffs of the same documents for one, with the title of the first,
 * and shows nothing of a document whose extension host is gone: so `view`, and the host, are part of the address.
 * @param view what it is opened for
 */
export function keptUri(path: string, storage: string, sha256: string | null, view: string): vscode.Uri {
  const fragment = `${view} ${String(process.pid)}`;
  return vscode.Uri.from({ scheme, path: `/${path}`, query: `${storage}\n${sha256 ?? ''}`, fragment });
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
