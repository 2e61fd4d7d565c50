// The log channel "Ratchet": one line for what happened, with the stack of what was thrown.
import * as vscode from 'vscode';
import { createTextRedactor } from '../core/redact.ts';

export type Log = (message: string, error?: unknown) => void;

/** @param secrets what is taken out of each line: the editor keeps the log on disk */
export function createLog(secrets: () => readonly string[]): {
  readonly channel: vscode.LogOutputChannel;
  readonly log: Log;
} {
  const channel = vscode.window.createOutputChannel('Ratchet', { log: true });
  const redact = createTextRedactor(secrets);
  return {
    channel,
    log: (message, error) => {
      if (error === undefined) channel.info(redact(message));
      else channel.error(redact(`${message}: ${describe(error)}`));
    },
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
