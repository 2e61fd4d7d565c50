// Offers the sessions of folders that are gone to the open ones. Which belong together is for the user to say.
import * as vscode from 'vscode';
import type { FolderIdentity } from '../core/events.ts';
import { adoptableText } from '../projection/sessionView.ts';
import type { AdoptableSessions } from '../runner/sessionStore.ts';
import { openFolders } from './folders.ts';
import { tell, type Runtime } from './runtime.ts';

interface AdoptPick extends vscode.QuickPickItem {
  readonly folder: FolderIdentity;
  readonly sessions: AdoptableSessions;
}

/** Asks which sessions become those of an open folder; words when there are none. */
export async function adoptSessions(runtime: Runtime): Promise<void> {
  const items = await adoptable(runtime);
  if (items.length === 0) {
    tell(runtime, { level: 'info', text: 'There are no sessions of a folder that is gone.' });
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: 'Sessions of a folder that is gone, to be listed here from now on',
    matchOnDescription: true,
  });
  if (!picked) return;
  await runtime.sessions.adopt(picked.folder, picked.sessions);
  await runtime.refresh();
}

async function adoptable(runtime: Runtime): Promise<readonly AdoptPick[]> {
  const folders = openFolders();
  const several = folders.length > 1;
  const lists = await Promise.all(
    folders.map(async (folder) =>
      (await runtime.sessions.adoptable(folder)).map((sessions): AdoptPick => ({
        label: adoptableText(sessions.count, sessions.from, several ? folder.name : undefined),
        description: sessions.from,
        folder,
        sessions,
      })),
    ),
  );
  return lists.flat();
}
