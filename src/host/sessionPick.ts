// The quick picks over sessions: which to open, which to resume, in which folder to begin.
import * as vscode from 'vscode';
import type { FolderIdentity } from '../core/events.ts';
import { offeredAction } from '../core/launchPlan.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { summaryLine, untitled } from '../projection/sessionView.ts';
import type { ListedSession } from '../runner/sessionStore.ts';
import type { Sessions } from '../runner/sessions.ts';
import { activeFolder, openFolders } from './folders.ts';
import { tell, type Runtime } from './runtime.ts';

interface SessionPick extends vscode.QuickPickItem {
  readonly session: ListedSession;
}

/** Sessions of all open folders, newest first. */
export async function listAll(sessions: Sessions): Promise<readonly ListedSession[]> {
  const lists = await Promise.all(openFolders().map(({ uri }) => sessions.list(uri)));
  return lists.flat().sort((a, b) => b.updatedAt - a.updatedAt);
}

export function isResumable(session: ListedSession): boolean {
  return session.problem === undefined && session.hasWork && offeredAction(session.state) !== undefined;
}

const icons = {
  created: 'circle-outline',
  running: 'loading~spin',
  done: 'check',
  failed: 'error',
  cancelled: 'debug-stop',
  timed_out: 'watch',
  interrupted: 'debug-disconnect',
} as const;

/** Undefined when the user backed out. */
export async function pickSession(
  sessions: readonly ListedSession[],
  placeHolder: string,
): Promise<ListedSession | undefined> {
  const several = openFolders().length > 1;
  const now = Date.now();
  const items = sessions.map((session): SessionPick => ({
    label: `$(${icons[session.state]}) ${session.title === '' ? untitled : visibleLabel(session.title)}`,
    description:
      session.problem ??
      visibleLabel(
        summaryLine(
          session.state,
          session.cut,
          now - session.updatedAt,
          session.retryAt === undefined ? undefined : session.retryAt - now,
        ),
        'code',
      ),
    ...(several && { detail: visibleLabel(session.folder.name, 'code') }),
    session,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.session;
}

/** The only open folder, or the one that the user picks. Undefined when there is none or the user backed out. */
export async function pickFolder(placeHolder: string): Promise<FolderIdentity | undefined> {
  const folders = openFolders();
  if (folders.length < 2) return folders[0];
  const active = activeFolder();
  const first = active ? [active, ...folders.filter(({ uri }) => uri !== active.uri)] : folders;
  const items = first.map((folder) => ({
    label: visibleLabel(folder.name, 'code'),
    description: visibleLabel(folder.path, 'code'),
    ...(folder === active && { detail: 'The folder of the active editor' }),
    folder,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.folder;
}

/** A session of the open folders that the user picks. Undefined when there is none or the user backed out. */
export async function pickAny(runtime: Runtime, placeHolder: string): Promise<ListedSession | undefined> {
  const rows = await listAll(runtime.sessions);
  if (rows.length > 0) return pickSession(rows, placeHolder);
  tell(runtime, { level: 'info', text: 'There are no sessions in the open folders yet.' });
  return undefined;
}

/** The session that was named, else the open one, else the one that the user picks. */
export async function sessionFor(
  runtime: Runtime,
  sessionId: string | undefined,
  placeHolder: string,
): Promise<string | undefined> {
  return sessionId ?? runtime.panel.current?.id ?? (await pickAny(runtime, placeHolder))?.id;
}
