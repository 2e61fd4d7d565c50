// What Stop does with a command that runs: by the setting, or as the user says.
import * as vscode from 'vscode';
import { setting } from './settings.ts';

/** Undefined when the user backed out: nothing is stopped then. */
export async function chooseStop(): Promise<'user' | 'user_keep_command' | undefined> {
  switch (setting('stop.runningCommand')) {
    case 'end':
      return 'user';
    case 'keep':
      return 'user_keep_command';
    case 'ask': {
      const end = {
        label: 'End the command',
        description: 'with all processes that it started',
        stops: 'user',
      } as const;
      const keep = {
        label: 'Keep the command running',
        description: 'Resume picks it up',
        stops: 'user_keep_command',
      } as const;
      const picked = await vscode.window.showQuickPick([end, keep], { placeHolder: 'A command is running' });
      return picked?.stops;
    }
  }
}
