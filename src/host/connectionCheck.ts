// The command that checks the connection to the model: shows what was found, with what helps; the details are in the log.
import * as vscode from 'vscode';
import { RatchetError, unreachable } from '../core/errors.ts';
import { checkConnection } from '../model/checkConnection.ts';
import type { ConnectionAction, ConnectionVerdict } from '../model/connectionVerdict.ts';
import { noAnswers, wantedModel } from '../core/connection.ts';
import { lastRunHere } from '../core/sessionState.ts';
import { createTextRedactor } from '../core/redact.ts';
import { endpoint, modelSource } from './endpoint.ts';
import { modelLog, requestSettings } from './modelChoice.ts';
import { showChannel, tell, type Runtime } from './runtime.ts';

/** @throws RatchetError `no_model` or `untrusted_workspace` when there is nothing to check */
export async function checkModelConnection(runtime: Runtime): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new RatchetError(
      'untrusted_workspace',
      'Nothing is sent until this folder is trusted. Manage trust to go on.',
    );
  await runtime.ignoredSettings.look();
  // What was set and is not used may be why.
  const withIgnored = (words: string): string => [words, ...runtime.ignoredSettings.words()].join(' ');
  const state = runtime.panel.current?.state;
  const model = state && (state.chosenModel ?? lastRunHere(state))?.model;
  const choice = { ...(model !== undefined && { model }) };
  const chosen = await endpoint(runtime, choice, state?.answers ?? noAnswers);
  if (chosen.kind === 'editor')
    throw new RatchetError(
      'no_model',
      'The model is one of the editor: its extension has the connection, and Ratchet cannot check it.',
    );
  if (chosen.kind === 'demo')
    throw new RatchetError(
      'no_model',
      withIgnored('The offline demo is a script: it has no connection to check. Set an API key first.'),
    );
  if (chosen.kind === 'none') throw new RatchetError('no_model', withIgnored(chosen.message));
  const settings = requestSettings(runtime.models, wantedModel({ model: runtime.workspaceModel.model() }, choice));
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
  const ignored = runtime.ignoredSettings.words();
  const source = (await modelSource(runtime)).text;
  runtime.log(
    ['Check of the model connection', source, ...report.details, ...ignored, report.verdict.message].join('\n  '),
  );
  const message = [report.verdict.message, ...ignored].join(' ');
  show(runtime, { ...report.verdict, message });
}

function show(runtime: Runtime, { code, message, actions }: ConnectionVerdict): void {
  tell(runtime, {
    level: code === 'works' ? 'info' : 'warning',
    // A server may repeat what it was sent.
    text: createTextRedactor(runtime.keys.secrets)(message),
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
