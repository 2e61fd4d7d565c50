// The log channel "Ratchet": one line for what happened, with the stack of what was thrown.
import * as vscode from 'vscode';

export type Log = (message: string, error?: unknown) => void;

export function createLog(): { readonly channel: vscode.LogOutputChannel; readonly log: Log } {
  const channel = vscode.window.createOutputChannel('Ratchet', { log: true });
  return {
    channel,
    log: (message, error) => {
      if (error === undefined) channel.info(message);
      else channel.error(`${message}: ${describe(error)}`);
    },
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
