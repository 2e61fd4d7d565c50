// What the parts of the host share: made once by the composition root.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import type { ChatPanel } from '../panel/chatPanel.ts';
import type { ApprovalRuleStore } from '../runner/approvalRules.ts';
import type { Sessions } from '../runner/sessions.ts';
import type { ApiKeyStore } from './apiKey.ts';
import { chatViewId, type ChatView } from './chatView.ts';
import type { EditorModels } from './editorModels.ts';
import type { EditorToolChoice } from './editorToolChoice.ts';
import type { IgnoredSettings } from './ignoredSettings.ts';
import type { Notice } from '../panel/panelNotices.ts';
import type { Log } from './log.ts';
import type { ModelList } from './modelList.ts';
import type { Say } from './notices.ts';
import type { WorkspaceModel } from './workspaceModel.ts';

export interface Runtime {
  readonly sessions: Sessions;
  readonly rules: ApprovalRuleStore;
  readonly panel: ChatPanel;
  readonly view: ChatView;
  readonly keys: ApiKeyStore;
  readonly workspaceModel: WorkspaceModel;
  readonly ignoredSettings: IgnoredSettings;
  readonly models: ModelList;
  readonly editorModels: EditorModels;
  readonly editorTools: EditorToolChoice;
  readonly log: Log;
  readonly channel: vscode.LogOutputChannel;
  /** Says something where the user looks. Not to be awaited where the answer is not: it may never come. */
  readonly say: Say;
  /** Puts a changed setting, key, trust or folder on screen. */
  refresh(): Promise<void>;
}

/** Brings the chat view to the front. */
export async function revealChat(runtime: Runtime): Promise<void> {
  await vscode.commands.executeCommand(`${await chatViewId()}.focus`);
  runtime.panel.focusInput();
}

/** Runs what a person asked for; what goes wrong is shown and logged, never lost. */
export async function attempt(
  runtime: Pick<Runtime, 'log' | 'channel' | 'say'>,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    runtime.log(`${what} failed`, error);
    const message = error instanceof Error ? error.message : String(error);
    const expected = error instanceof RatchetError;
    tell(runtime, {
      level: 'error',
      text: expected ? message : `${what} failed: ${message}`,
      actions: expected ? [] : [{ label: 'Show Log', run: () => showChannel(runtime) }],
    });
  }
}

/** Opens the log of the extension. */
export function showChannel({ channel }: Pick<Runtime, 'channel'>): Promise<void> {
  channel.show();
  return Promise.resolve();
}

/** Says something; what goes wrong with its buttons is said too. */
export function tell(runtime: Pick<Runtime, 'log' | 'channel' | 'say'>, notice: Notice): void {
  // Not awaited: it resolves only when the message is dismissed.
  void attempt(runtime, 'Notice', () => runtime.say(notice));
}
