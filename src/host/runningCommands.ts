// The list of commands that run for sessions of the open folders, in whatever window they were started.
import * as vscode from 'vscode';
import { visibleLabel, visibleText } from '../core/visibleText.ts';
import { durationText } from '../core/words.ts';
import { untitled } from '../projection/sessionView.ts';
import { tell, type Runtime } from './runtime.ts';
import { listAll } from './sessionPick.ts';

/** A command outlives its session's run by a stop or a crash only; older sessions have none. */
const sessionsLookedAt = 50;

interface CommandPick extends vscode.QuickPickItem {
  readonly sessionId: string;
  readonly key: string;
  /** As it is; the label is one line of it. */
  readonly command: string;
}

/** Picking a command opens its session; the button beside it ends it. */
export async function showRunningCommands(runtime: Runtime): Promise<void> {
  const items = await runningCommands(runtime);
  if (items.length === 0) {
    tell(runtime, { level: 'info', text: 'No command of a session in the open folders is running.' });
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: 'Command to end',
    matchOnDescription: true,
  });
  if (!picked) return;
  const choice = await vscode.window.showWarningMessage(
    'End this command?',
    {
      modal: true,
      detail: `${visibleText(picked.command)}\n\nAll processes that it started are ended with it. The session keeps its output.`,
    },
    'End Command',
  );
  if (choice === 'End Command') await runtime.sessions.endCommand(picked.sessionId, picked.key);
}

async function runningCommands(runtime: Runtime): Promise<readonly CommandPick[]> {
  const rows = (await listAll(runtime.sessions)).filter((row) => row.problem === undefined && row.hasWork);
  const lists = await Promise.all(
    rows.slice(0, sessionsLookedAt).map(async ({ id, title }) =>
      (await runtime.sessions.runningCommands(id)).map((running): CommandPick => ({
        label: visibleLabel(running.command, 'code'),
        command: running.command,
        description: `${durationText(Date.now() - running.startedAt)} · ${title === '' ? untitled : visibleLabel(title)}`,
        sessionId: id,
        key: running.key,
      })),
    ),
  );
  return lists.flat();
}
