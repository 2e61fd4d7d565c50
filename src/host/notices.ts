// Where something is said to the user: in the panel while it is in view, where a notification would lie over its
// buttons; else in a notification. Buttons look at what holds when they are pressed: both may stand for hours.
import * as vscode from 'vscode';
import { unreachable } from '../core/errors.ts';
import { visibleLabel } from '../core/visibleText.ts';
import type { ChatPanel } from '../panel/chatPanel.ts';
import type { Notice } from '../panel/panelNotices.ts';
import type { ChatView } from './chatView.ts';

/** Resolves when the notice is answered or dismissed, in a notification; in the panel at once. @throws what its button throws */
export type Say = (notice: Notice) => Promise<void>;

export function createSay(panel: () => ChatPanel, view: () => ChatView): Say {
  return async (notice) => {
    if (view().isVisible) panel().say(notice);
    else await showNotification(notice);
  };
}

/** As a notification, wherever the panel is: the answer to a command that was chosen elsewhere. */
export const showNotification: Say = async ({ level, text, actions = [] }) => {
  const labels = actions.map(({ label }) => label);
  const pressed = await notification(level, visibleLabel(text), labels);
  await actions.find(({ label }) => label === pressed)?.run();
};

function notification(level: Notice['level'], text: string, labels: readonly string[]): Thenable<string | undefined> {
  switch (level) {
    case 'info':
      return vscode.window.showInformationMessage(text, ...labels);
    case 'warning':
      return vscode.window.showWarningMessage(text, ...labels);
    case 'error':
      return vscode.window.showErrorMessage(text, ...labels);
    default:
      return unreachable(level);
  }
}
