// Looks for settings that are set where the editor does not use them. The editor tells nothing of these, so the files
// are read: those of the workspace, and where extensions run on a server those beside its storage.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { ignoredSettings, parseSettings, type FoundSettings, type SettingPlace } from '../core/ignoredSettings.ts';
import type { Log } from './log.ts';

const workspaceFileSchema = z.object({ settings: z.unknown() });

export class IgnoredSettings {
  readonly #userFolder: string;
  readonly #log: Log;
  #words: readonly string[] = [];

  /** @param storage the extension's folder for all workspaces, in the user's folder of the editor */
  constructor(storage: vscode.Uri, log: Log) {
    this.#userFolder = join(storage.fsPath, '..', '..');
    this.#log = log;
  }

  /** As of the last look, a sentence or two each. */
  words(): readonly string[] {
    return this.#words;
  }

  /** Never rejects: what cannot be read is not spoken of. Says whether there is something else to say than before. */
  async look(): Promise<boolean> {
    const before = this.#words.join('\n');
    try {
      const found = (await Promise.all(this.#files())).flat();
      const configuration = vscode.workspace.getConfiguration('ratchet');
      const isRemote = vscode.env.remoteName !== undefined;
      this.#words = [...new Set(ignoredSettings(found, (key) => configuration.get(key), isRemote))];
    } catch (error) {
      this.#log('Settings that are not used could not be looked for', error);
    }
    return this.#words.join('\n') !== before;
  }

  #files(): readonly Promise<readonly FoundSettings[]>[] {
    const { workspaceFolders = [], workspaceFile } = vscode.workspace;
    const own = workspaceFolders.flatMap(({ uri }) => (uri.scheme === 'file' ? [join(uri.fsPath, '.vscode')] : []));
    return [
      ...own.map((folder) => read('workspace', join(folder, 'settings.json'))),
      ...(workspaceFile?.scheme === 'file' ? [read('workspace', workspaceFile.fsPath, 'settings')] : []),
      ...(vscode.env.remoteName === undefined
        ? []
        : [
            read('user', join(this.#userFolder, 'settings.json')),
            read('machine', join(this.#userFolder, '..', 'Machine', 'settings.json')),
          ]),
    ];
  }
}

async function read(place: SettingPlace, file: string, part?: 'settings'): Promise<readonly FoundSettings[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  });
  if (text === undefined) return [];
  const parsed = parseSettings(text);
  const values = part === undefined ? parsed : workspaceFileSchema.safeParse(parsed).data?.settings;
  return [{ place, values }];
}
