// The sandbox of this editor's machine, as the settings want it and with what of the editor's own may never be seen inside.
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type * as vscode from 'vscode';
import { confinementProblem } from '../jobs/bubblewrap.ts';
import { findSandbox, type FoundSandbox } from '../jobs/findSandbox.ts';
import type { SandboxPort } from '../runner/sandboxPort.ts';
import type { Log } from './log.ts';
import { setting } from './settings.ts';

/** A sandbox that was not there is looked for again after so many milliseconds. */
const lookAgainMs = 30_000;

export interface Sandbox extends SandboxPort {
  /** Why there is none; undefined when there is one, or nobody looked yet. */
  readonly missing: () => string | undefined;
  /** Looks whether there is one. */
  find(): Promise<FoundSandbox>;
}

export function createSandbox(context: vscode.ExtensionContext, log: Log): Sandbox {
  const hidden = editorPlaces(context);
  let looked: { readonly at: number; readonly found: Promise<FoundSandbox> } | undefined;
  let last: FoundSandbox | undefined;
  const find = async (): Promise<FoundSandbox> => {
    if (!looked || (last?.kind === 'none' && Date.now() - looked.at > lookAgainMs)) {
      looked = { at: Date.now(), found: findSandbox() };
    }
    last = await looked.found;
    return last;
  };
  return {
    find,
    missing: () => (last?.kind === 'none' ? last.why : undefined),
    alsoForRules: () => setting('sandbox.alsoForRules'),
    async look(folder, storage) {
      const found = await find();
      if (found.kind === 'none') {
        log(`Commands cannot be confined: ${found.why}`);
        return found;
      }
      const confinement = {
        program: found.program,
        folder: await realpath(folder.path),
        temporary: join(storage, 'tmp'),
        home: await realpath(homedir()),
        hidden,
        domains: setting('sandbox.allowedDomains')
          .map((domain) => domain.trim())
          .filter((domain) => domain !== ''),
        writable: setting('sandbox.allowedWrites').map(expanded).filter(isAbsolute),
      };
      const why = confinementProblem(confinement);
      return why === undefined ? { kind: 'ready', confinement } : { kind: 'none', why };
    },
  };
}

function expanded(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

/** The editor's own data: sessions of all folders, secrets, cookies, logs. */
function editorPlaces({ globalStorageUri, storageUri, logUri }: vscode.ExtensionContext): readonly string[] {
  const user = dirname(dirname(globalStorageUri.fsPath));
  const data = basename(user) === 'User' ? dirname(user) : user;
  const own = storageUri === undefined ? [] : [dirname(dirname(storageUri.fsPath))];
  return [data, dirname(globalStorageUri.fsPath), ...own, logUri.fsPath];
}
