// Every command of the extension in one table. `package.json` declares the same ones; a test compares the two.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { untitled } from '../projection/sessionView.ts';
import { adoptSessions } from './adoption.ts';
import { showApprovalRules } from './approvalRules.ts';
import { hasFolderKey } from './attention.ts';
import { checkModelConnection } from './connectionCheck.ts';
import { chooseEditorTools } from './editorToolPick.ts';
import { openFolders } from './folders.ts';
import { chooseModel, useEditorModels } from './modelPick.ts';
import { showNotification } from './notices.ts';
import { forkFromMessage, revertToMessage, undoLastRevert } from './reverts.ts';
import { relaunch } from './relaunch.ts';
import { attempt, revealChat, showChannel, tell, type Runtime } from './runtime.ts';
import { showRunningCommands } from './runningCommands.ts';
import { revealStorage } from './sessionStorage.ts';
import { exportTraceFile, importTraceFile } from './traceFiles.ts';
import { isResumable, listAll, pickAny, pickFolder, pickSession, sessionFor } from './sessionPick.ts';
import { setting } from './settings.ts';

type Run = (runtime: Runtime, sessionId: string | undefined) => Promise<void>;

export const commands: Readonly<Record<string, { readonly title: string; readonly run: Run }>> = {
  'ratchet.newSession': { title: 'New Session', run: newSession },
  'ratchet.resumeSession': { title: 'Resume Session', run: (runtime, id) => goOn(runtime, id, 'resume') },
  'ratchet.retrySession': { title: 'Retry Session', run: (runtime, id) => goOn(runtime, id, 'retry') },
  'ratchet.previewResume': { title: 'Preview Resume', run: (runtime, id) => goOn(runtime, id, 'resume', true) },
  'ratchet.stop': { title: 'Stop', run: (runtime, id) => stop(runtime, id) },
  'ratchet.stopKeepCommand': {
    title: 'Stop, Keep Command Running',
    run: (runtime, id) => stop(runtime, id, 'user_keep_command'),
  },
  'ratchet.runningCommands': { title: 'Running Commands', run: showRunningCommands },
  'ratchet.approvalRules': { title: 'Approval Rules', run: showApprovalRules },
  'ratchet.openSession': { title: 'Open Session', run: openSession },
  'ratchet.renameSession': { title: 'Rename Session', run: renameSession },
  'ratchet.compactSession': { title: 'Compact Session', run: compactSession },
  'ratchet.revertSession': { title: 'Revert to Before a Message', run: revertToMessage },
  'ratchet.undoRevert': { title: 'Undo the Last Revert', run: undoLastRevert },
  'ratchet.forkSession': { title: 'Fork from a Message', run: forkFromMessage },
  'ratchet.deleteSession': { title: 'Delete Session', run: deleteSession },
  'ratchet.adoptSessions': { title: 'Adopt Sessions', run: adoptSessions },
  'ratchet.chooseModel': { title: 'Choose Model', run: chooseModel },
  'ratchet.checkConnection': { title: 'Check Model Connection', run: (runtime) => checkModelConnection(runtime) },
  'ratchet.exportTrace': { title: 'Export Trace', run: exportTraceFile },
  'ratchet.importTrace': { title: 'Import Trace', run: importTraceFile },
  'ratchet.revealStorage': { title: 'Reveal Session Storage', run: revealStorage },
  'ratchet.setApiKey': { title: 'Set API Key', run: setApiKey },
  'ratchet.useOfflineDemo': { title: 'Use Offline Demo', run: useOfflineDemo },
  'ratchet.leaveDemo': { title: 'Leave the Offline Demo', run: leaveDemo },
  'ratchet.useEditorModels': { title: "Use the Editor's Models", run: (runtime) => useEditorModels(runtime) },
  'ratchet.chooseEditorTools': { title: 'Choose Editor Tools', run: (runtime) => chooseEditorTools(runtime) },
  'ratchet.openChat': { title: 'Open Chat', run: revealChat },
  'ratchet.getStarted': { title: 'Get Started', run: getStarted },
  'ratchet.openSettings': { title: 'Open Settings', run: openSettings },
  'ratchet.showLog': { title: 'Show Log', run: showChannel },
};

/**
 * Registers all commands. Each takes an optional session id and falls back to the open session or a pick. What they say
 * comes as a notification: whoever chose one in the palette or a menu looks there, not into the chat.
 */
export function registerCommands(chat: Runtime): vscode.Disposable {
  const runtime: Runtime = { ...chat, say: showNotification };
  const registered = Object.keys(commands).map((id) =>
    vscode.commands.registerCommand(id, (argument: unknown) =>
      runCommandFor(runtime, id, typeof argument === 'string' ? argument : undefined),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/** Runs one of the commands; what it says is said as the runtime does. False where there is none with this id. */
export async function runCommandFor(runtime: Runtime, id: string, sessionId: string | undefined): Promise<boolean> {
  const command = commands[id];
  if (command) await attempt(runtime, command.title, () => command.run(runtime, sessionId));
  return command !== undefined;
}

async function newSession(runtime: Runtime): Promise<void> {
  if (openFolders().length === 0) throw new RatchetError('no_folder', 'Open a folder first: a session belongs to one.');
  const folder = await pickFolder('Folder for the new session');
  if (!folder) return;
  await runtime.panel.create(folder);
  await revealChat(runtime);
}

async function goOn(
  runtime: Runtime,
  sessionId: string | undefined,
  mode: 'resume' | 'retry',
  wanted = false,
): Promise<void> {
  const id = sessionId ?? (await pickResumable(runtime, mode));
  if (id !== undefined) await relaunch(runtime, id, mode, wanted);
}

/** The only one at once, a pick of several, words when there is none. */
async function pickResumable(runtime: Runtime, mode: 'resume' | 'retry'): Promise<string | undefined> {
  const resumable = (await listAll(runtime.sessions)).filter(
    (row) => isResumable(row) && (mode === 'resume' || row.state === 'failed'),
  );
  if (resumable.length === 0) {
    const words =
      openFolders().length === 0
        ? 'Open a folder first: sessions belong to one.'
        : `No session in the open folders can be ${mode === 'resume' ? 'resumed' : 'retried'}.`;
    tell(runtime, { level: 'info', text: words });
    return undefined;
  }
  if (resumable.length === 1) return resumable[0]?.id;
  return (await pickSession(resumable, `Session to ${mode}`))?.id;
}

async function stop(runtime: Runtime, sessionId: string | undefined, kind?: 'user_keep_command'): Promise<void> {
  const id =
    sessionId ??
    (runtime.panel.current?.name === 'running' ? runtime.panel.current.id : undefined) ??
    (await pickRunning(runtime));
  if (id === undefined) return;
  await (kind ? runtime.sessions.stop(id, kind) : runtime.panel.stop(id));
}

async function pickRunning(runtime: Runtime): Promise<string | undefined> {
  const running = (await listAll(runtime.sessions)).filter((row) => row.state === 'running');
  if (running.length < 2) return running[0]?.id;
  return (await pickSession(running, 'Session to stop'))?.id;
}

async function openSession(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = sessionId ?? (await pickAny(runtime, 'Session to open'))?.id;
  if (id === undefined) return;
  await runtime.panel.open(id);
  await revealChat(runtime);
}

async function compactSession(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = await sessionFor(runtime, sessionId, 'Session to compact');
  if (id === undefined) return;
  const answer = await runtime.sessions.compact(id);
  if (answer === 'queued') tell(runtime, { level: 'info', text: compactionQueued });
}

const compactionQueued = 'The conversation is compacted before the next request of the run.';

async function renameSession(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = await sessionFor(runtime, sessionId, 'Session to rename');
  if (id === undefined) return;
  const session = await runtime.sessions.open(id);
  const title = await vscode.window.showInputBox({ title: 'Rename session', value: session.state.title });
  if (title !== undefined) await runtime.sessions.rename(id, title);
}

async function deleteSession(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = await sessionFor(runtime, sessionId, 'Session to delete');
  if (id === undefined) return;
  const row = (await listAll(runtime.sessions)).find((candidate) => candidate.id === id);
  const title = row?.title ? `"${row.title}"` : untitled;
  const detail =
    'It moves to the trash of this workspace and can be brought back with Undo. Files in your folder are not touched.';
  const choice = await vscode.window.showWarningMessage(
    `Delete ${visibleLabel(title)}?`,
    { modal: true, detail },
    'Delete',
  );
  if (choice !== 'Delete') return;
  await runtime.sessions.remove(id);
  if (runtime.panel.current?.id === id) runtime.panel.close();
  await runtime.panel.refresh();
  tell(runtime, {
    level: 'info',
    text: `${title} was moved to the trash.`,
    actions: [
      {
        label: 'Undo',
        run: async () => {
          // Refused in words where it is not there any more.
          await runtime.sessions.restore(id);
          await runtime.panel.open(id);
        },
      },
    ],
  });
}

async function setApiKey(runtime: Runtime): Promise<void> {
  const answer = await runtime.keys.ask();
  if (answer === 'none') return;
  // Who sets a key wants a model: the demo that was chosen before would answer in its place.
  if (answer === 'stored' && setting('provider') === 'offlineDemo')
    await vscode.workspace.getConfiguration('ratchet').update('provider', undefined, vscode.ConfigurationTarget.Global);
  await runtime.refresh();
}

async function useOfflineDemo(runtime: Runtime): Promise<void> {
  await vscode.workspace
    .getConfiguration('ratchet')
    .update('provider', 'offlineDemo', vscode.ConfigurationTarget.Global);
  await runtime.refresh();
  await revealChat(runtime);
}

/** What is set up besides the demo answers again. */
async function leaveDemo(runtime: Runtime): Promise<void> {
  if (setting('provider') === 'offlineDemo')
    await vscode.workspace.getConfiguration('ratchet').update('provider', undefined, vscode.ConfigurationTarget.Global);
  await runtime.refresh();
  await revealChat(runtime);
}

async function getStarted(): Promise<void> {
  // A step is checked off by what becomes true while the walkthrough is known, and the editor may get to know it only now.
  await vscode.commands.executeCommand('setContext', hasFolderKey, false);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'ratchet-dev.ratchet#ratchet.start', false);
  await vscode.commands.executeCommand('setContext', hasFolderKey, openFolders().length > 0);
}

async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:ratchet-dev.ratchet');
}
