// Opens the editor's own diff view on what a step, or a whole run, made of a file, or on what a step would make of it.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import { fileSpan } from '../core/fileVersions.ts';
import { visibleLine } from '../core/visibleText.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import { diffContents, proposedContents, type DiffContents } from '../tools/diffContents.ts';
import { isFileIn } from '../tools/workspaceFile.ts';
import { editorFiles } from './editorFiles.ts';
import { keptUri } from './keptDocuments.ts';
import { openWorkspaceFile } from './links.ts';
import { tell, type Runtime } from './runtime.ts';

type Shower = Pick<Runtime, 'log' | 'channel' | 'say'>;

export interface DiffRequest {
  readonly stepId: string;
  /** As the panel has it. */
  readonly path: string;
  /** First of the steps whose changes are shown together; `stepId` is the last. */
  readonly since?: string;
}

/** Shows words instead where there is nothing to compare. @throws RatchetError `not_found` */
export async function openStepDiff(session: LiveSession, request: DiffRequest, runtime: Shower): Promise<void> {
  const { stepId, path, since } = request;
  const steps = [...session.state.steps.values()];
  const place = { folder: session.folder.path, storage: session.stored.storage, steps };
  const step = session.state.steps.get(stepId);
  if (step?.status === 'waiting') {
    const proposed = await proposedContents(step, place, editorFiles);
    if (proposed) return show(session, proposed, 'now ↔ after: proposed', runtime);
  }
  const span = fileSpan(steps, path, stepId, since);
  if (!span) {
    throw new RatchetError('not_found', `What this step changed in ${path} was not recorded. Open the file itself.`);
  }
  await show(
    session,
    await diffContents(span, place),
    `before ↔ after: ${since === undefined ? 'step' : 'run'}`,
    runtime,
  );
}

async function show(session: LiveSession, contents: DiffContents, sides: string, runtime: Shower): Promise<void> {
  const { path } = contents;
  if (contents.kind === 'words') {
    await sayWords(runtime, session, path, contents.words);
    return;
  }
  const [before, after] = [contents.before, contents.after].map((sha256) =>
    keptUri(path, session.stored.storage, sha256, sides),
  );
  await vscode.commands.executeCommand('vscode.diff', before, after, `${visibleLine(basename(path))} (${sides})`);
}

async function sayWords(runtime: Shower, session: LiveSession, path: string, words: string): Promise<void> {
  const isThere = await isFileIn(session.folder.path, path);
  const open = { label: 'Open File', run: () => openWorkspaceFile(session.folder, path) };
  tell(runtime, { level: 'info', text: words, actions: isThere ? [open] : [] });
}
