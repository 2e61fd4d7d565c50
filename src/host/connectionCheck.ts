// The command that checks the connection to the model: shows what was found, with what helps; the details are in the log.
import * as vscode from 'vscode';
import { RatchetError, unreachable } from '../core/errors.ts';
import { checkConnection } from '../model/checkConnection.ts';
import type { ConnectionAction, ConnectionVerdict } from '../model/connectionVerdict.ts';
import { endpoint, modelLog, requestSettings } from './modelChoice.ts';
import { showChannel, tell, type Runtime } from './runtime.ts';

/** @throws RatchetError `no_model` or `untrusted_workspace` when there is nothing to check */
export async function checkModelConnection(runtime: Runtime): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new RatchetError(
      'untrusted_workspace',
      'Nothing is sent until this folder is trusted. Manage trust to go on.',
    );
  const state = runtime.panel.current?.state;
  const model = state?.chosenModel?.model ?? state?.runs.at(-1)?.model;
  const chosen = await endpoint(runtime.keys, { ...(model !== undefined && { model }) });
  if (chosen.kind === 'editor')
    throw new RatchetError(
      'no_model',
      'The model is one of the editor: its extension has the connection, and Ratchet cannot check it.',
    );
  if (chosen.kind === 'demo')
    throw new RatchetError(
      'no_model',
      'The offline demo is a script: it has no connection to check. Set an API key first.',
    );
  if (chosen.kind === 'none')
    throw new RatchetError('no_model', 'There is no API key yet. Run "Ratchet: Set API Key" first.');
  const settings = requestSettings(runtime.models, { ...(model !== undefined && { model }) });
  const report = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Checking the connection to ${settings.model}`,
      cancellable: true,
    },
    async (_progress, cancelled) => {
      const stop = new AbortController();
      const listening = cancelled.onCancellationRequested(() => {
        stop.abort(new vscode.CancellationError());
      });
      try {
        return await checkConnection({ ...chosen, settings, log: modelLog(runtime.log) }, stop.signal);
      } catch (error) {
        if (error instanceof vscode.CancellationError) return undefined;
        throw error;
      } finally {
        listening.dispose();
      }
    },
  );
  if (!report) return;
  runtime.log(['Check of the model connection', chosen.text, ...report.details, report.verdict.message].join('\n  '));
  show(runtime, report.verdict);
}

function show(runtime: Runtime, { code, message, actions }: ConnectionVerdict): void {
  tell(runtime, {
    level: code === 'works' ? 'info' : 'warning',
    text: message,
    actions: [
      ...actions.map((action) => ({
        label: labelOf(action),
        run: async () => {
          await vscode.commands.executeCommand(...commandOf(action));
        },
      })),
      { label: 'Show Details', run: () => showChannel(runtime) },
    ],
  });
}

function labelOf(action: ConnectionAction): string {
  switch (action) {
    case 'openSettings':
      return 'Open Settings';
    case 'setApiKey':
      return 'Set API Key';
    case 'chooseModel':
      return 'Choose Model';
    case 'tryAgain':
      return 'Check Again';
    default:
      return unreachable(action);
  }
}

function commandOf(action: ConnectionAction): [string, ...string[]] {
  switch (action) {
    case 'openSettings':
      return ['workbench.action.openSettings', 'ratchet.anthropic.baseUrl'];
    case 'setApiKey':
      return ['ratchet.setApiKey'];
    case 'chooseModel':
      return ['ratchet.chooseModel'];
    case 'tryAgain':
      return ['ratchet.checkConnection'];
    default:
      return unreachable(action);
  }
}
