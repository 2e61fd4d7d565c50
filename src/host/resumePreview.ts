// Shows what a resume would send before it is sent, when somebody asks or when it is more than the setting allows without
// a word. What is shown is runner/previewResume.ts and projection/resumePreviewText.ts.
import * as vscode from 'vscode';
import { visibleLabel } from '../core/visibleText.ts';
import type { ResumeChoice } from '../panel/panelPorts.ts';
import { sentLines, stepLines } from '../projection/resumePreviewText.ts';
import type { ResumePreview } from '../runner/previewResume.ts';
import { modelPrice } from './modelChoice.ts';
import { pickModel } from './modelPick.ts';
import type { Runtime } from './runtime.ts';
import { setting } from './settings.ts';

type ShownRuntime = Pick<
  Runtime,
  'sessions' | 'models' | 'editorModels' | 'keys' | 'workspaceModel' | 'ignoredSettings' | 'log'
>;
type Action = 'resume' | 'compact' | 'model' | 'show';
interface ActionItem extends vscode.QuickPickItem {
  readonly action?: Action;
}

const mostSteps = 100;

/**
 * What to resume with; undefined when the user backed out.
 * @param wanted somebody asked for the preview; else it comes only above `ratchet.resume.previewAbove`
 */
export async function confirmResume(
  runtime: ShownRuntime,
  sessionId: string,
  choice: ResumeChoice,
  wanted: boolean,
): Promise<ResumeChoice | undefined> {
  const above = setting('resume.previewAbove');
  if (!wanted && above === 0) return choice;
  let chosen = choice;
  for (let isFirst = true; ; isFirst = false) {
    const preview = await previewed(runtime, sessionId, chosen);
    if (!preview) return undefined;
    if (isFirst && !wanted && preview.tokens <= above) return chosen;
    switch (await pickAction(preview)) {
      case undefined:
        return undefined;
      case 'resume':
        return chosen;
      case 'model': {
        const model = await pickModel(runtime, preview.request.model, 'Model of this resume');
        if (model !== undefined) chosen = { ...chosen, model };
        break;
      }
      case 'compact': {
        await runtime.sessions.compact(sessionId);
        await (
          await runtime.sessions.peek(sessionId)
        )?.run?.ended;
        break;
      }
      case 'show':
        await showRequest(preview);
        break;
    }
  }
}

function previewed(
  { sessions }: ShownRuntime,
  sessionId: string,
  choice: ResumeChoice,
): Thenable<ResumePreview | undefined> {
  const options = { location: vscode.ProgressLocation.Window, title: 'Previewing the resume' };
  return vscode.window.withProgress(options, () =>
    sessions.previewResume(sessionId, choice, AbortSignal.timeout(longestMs)),
  );
}

/** The question to the server has a shorter limit of its own, after which the size is estimated. */
const longestMs = 60_000;

async function pickAction(preview: ResumePreview): Promise<Action | undefined> {
  const { model } = preview.request;
  const steps = stepLines(preview);
  const items: readonly ActionItem[] = [
    { action: 'resume', label: '$(debug-continue) Resume', description: `with ${model}` },
    { action: 'model', label: '$(arrow-swap) With Another Model…' },
    { action: 'compact', label: '$(fold) Compact First', description: 'a summary is sent instead of the beginning' },
    { action: 'show', label: '$(json) Show What Is Sent' },
    separator('What is sent'),
    ...sentLines(preview, modelPrice).map((label) => ({ label })),
    ...(steps.length > 0 ? [separator('Steps')] : []),
    ...steps.slice(0, mostSteps).map(({ title, words, files }) => {
      return {
        label: visibleLabel(title, 'code'),
        description: visibleLabel(words),
        ...(files !== undefined && { detail: visibleLabel(files, 'code') }),
      };
    }),
    ...(steps.length > mostSteps ? [{ label: `and ${String(steps.length - mostSteps)} more` }] : []),
    ...(preview.problem === undefined ? [] : [{ label: `The files could not be looked at: ${preview.problem}` }]),
  ];
  // A line that only says something is no decision: the list is shown again.
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Preview of the resume',
      placeHolder: 'Nothing is sent until you choose Resume',
      ignoreFocusOut: true,
    });
    if (!picked) return undefined;
    if (picked.action) return picked.action;
  }
}

function separator(label: string): ActionItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function showRequest({ request }: ResumePreview): Promise<void> {
  const content = JSON.stringify(request, undefined, 2);
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
}
