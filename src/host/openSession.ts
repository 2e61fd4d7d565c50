// Remembers which session is open in this window: in a file of the workspace's storage, which is there at once, and in
// the editor's own memory, which follows where the storage is another one after a reload.
import { join } from 'node:path';
import type * as vscode from 'vscode';
import {
  newerNote,
  parseOpenSessionNote,
  readOpenSessionNote,
  writeOpenSessionNote,
} from '../store/openSessionNote.ts';
import type { Log } from './log.ts';

const key = 'ratchet.openSessionNote';
/** Of versions that kept the id only. */
const oldKey = 'ratchet.openSession';

export interface OpenSessionMemory {
  readonly recall: () => string | undefined;
  readonly remember: (sessionId: string | undefined) => void;
}

export function createOpenSessionMemory(
  { workspaceState, storageUri }: Pick<vscode.ExtensionContext, 'workspaceState' | 'storageUri'>,
  log: Log,
): OpenSessionMemory {
  const file = storageUri && join(storageUri.fsPath, 'open-session.json');
  const fromFile = (): ReturnType<typeof readOpenSessionNote> => {
    try {
      return file === undefined ? undefined : readOpenSessionNote(file);
    } catch (error) {
      log('The open session could not be read from its file', error);
      return undefined;
    }
  };
  return {
    recall: () => {
      const note = newerNote(fromFile(), parseOpenSessionNote(workspaceState.get(key)));
      return note ? (note.sessionId ?? undefined) : workspaceState.get<string>(oldKey);
    },
    remember: (sessionId) => {
      const note = { sessionId: sessionId ?? null, at: Date.now() };
      try {
        if (file !== undefined) writeOpenSessionNote(file, note);
      } catch (error) {
        log('The open session could not be written to its file', error);
      }
      workspaceState.update(key, note).then(undefined, (error: unknown) => {
        log('The open session could not be remembered', error);
      });
    },
  };
}
