// Workspace folders and the stores of three windows, each with a root of its own; all is removed after each test.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FolderIdentity } from '../../../src/core/events.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';

export interface FoldersFixture {
  readonly base: string;
  /** Makes a folder below the base. */
  folderAt(name: string): Promise<FolderIdentity>;
  /** The store of the window w1, w2 or w3, in which these folders are open. */
  window(name: 'w1' | 'w2' | 'w3', ...open: readonly FolderIdentity[]): SessionStore;
}

export function identityOf(path: string): FolderIdentity {
  return { uri: pathToFileURL(path).href, name: basename(path), path };
}

export function useFolders(): () => FoldersFixture {
  let fixture: FoldersFixture | undefined;
  beforeEach(async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-folders-')));
    const rootOf = (window: string): string => join(base, 'storage', window);
    fixture = {
      base,
      folderAt: async (name) => {
        await mkdir(join(base, name), { recursive: true });
        return identityOf(join(base, name));
      },
      window: (name, ...open) =>
        createFileSessionStore({
          root: rootOf(name),
          otherRoots: () => Promise.resolve(['w1', 'w2', 'w3'].filter((other) => other !== name).map(rootOf)),
          openFolders: () => open,
          ownerId: name,
          now: () => 1_000,
          redact: (event) => event,
          log: () => undefined,
        }),
    };
  });
  afterEach(async () => {
    if (fixture) await rm(fixture.base, { recursive: true, force: true });
  });
  return () => {
    if (!fixture) throw new Error('only inside of a test');
    return fixture;
  };
}
