import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FolderIdentity } from '../../../src/core/events.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';

describe('where sessions are found', () => {
  let base = '';
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-places-')));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  async function folderAt(name: string): Promise<FolderIdentity> {
    const path = join(base, name);
    await mkdir(path, { recursive: true });
    return identity(path);
  }
  const identity = (path: string): FolderIdentity => ({ uri: pathToFileURL(path).href, name: basename(path), path });

  /** The store of one window: its own root, and those of all others. */
  function window(name: string, ...open: readonly FolderIdentity[]): SessionStore {
    const roots = ['w1', 'w2', 'w3'].map((window) => join(base, 'storage', window));
    const root = join(base, 'storage', name);
    return createFileSessionStore({
      root,
      otherRoots: () => Promise.resolve(roots.filter((other) => other !== root)),
      openFolders: () => open,
      ownerId: name,
      now: () => 1_000,
      redact: (event) => event,
      log: () => undefined,
    });
  }
  const ids = async (store: SessionStore, folder: FolderIdentity): Promise<string[]> =>
    (await store.list(folder.uri)).map(({ id }) => id);

  it('lists what another window made in the same folder, and opens it', async () => {
    const folder = await folderAt('project');
    const { id } = await window('w1', folder).create(folder);
    const other = window('w2', folder);
    assert.deepEqual(await ids(other, folder), [id]);
    assert.equal((await other.open(id)).id, id);
  });

  it('keeps the sessions of two folders apart', async () => {
    const [a, b] = [await folderAt('a'), await folderAt('b')];
    const store = window('w1', a, b);
    const { id } = await store.create(a);
    assert.deepEqual(await ids(store, a), [id]);
    assert.deepEqual(await ids(store, b), []);
  });

  it('follows a folder that was renamed, and works in its new place', async () => {
    const before = await folderAt('old-name');
    const { id } = await window('w1', before).create(before);
    await rename(before.path, join(base, 'new-name'));
    const after = identity(join(base, 'new-name'));
    const store = window('w2', after);
    const rows = await store.list(after.uri);
    assert.deepEqual(
      rows.map((row) => [row.id, row.folder.path]),
      [[id, after.path]],
    );
    assert.equal((await store.open(id)).folder.path, after.path);
  });

  it('hides nothing when another folder has the old name now', async () => {
    const before = await folderAt('project');
    const { id } = await window('w1', before).create(before);
    await rename(before.path, join(base, 'moved'));
    const moved = identity(join(base, 'moved'));
    const next = await folderAt('project');
    assert.deepEqual(await ids(window('w2', moved), moved), [id]);
    assert.deepEqual(await ids(window('w2', next), next), [id]);
  });

  it('finds the sessions again when what it derived was deleted', async () => {
    const before = await folderAt('old-name');
    const store = window('w1', before);
    const { id, storage } = await store.create(before);
    await rm(join(storage, '..', 'folder.json'));
    assert.deepEqual(await ids(window('w2', before), before), [id]);
    await rename(before.path, join(base, 'new-name'));
    const after = identity(join(base, 'new-name'));
    assert.deepEqual(await ids(window('w2', after), after), [id]);
  });

  it('offers those of a vanished folder of the same name, and lists them once they are adopted', async () => {
    const before = await folderAt('here/project');
    const first = window('w1', before);
    const { id } = await first.create(before);
    await rm(before.path, { recursive: true });
    const after = await folderAt('there/project');
    const store = window('w2', after);
    assert.deepEqual(await ids(store, after), []);
    const [offer] = await store.adoptable(after);
    assert.deepEqual([offer?.from, offer?.count], [before.path, 1]);
    assert.ok(offer);
    await store.adopt(after, offer);
    assert.deepEqual(await ids(store, after), [id]);
    assert.deepEqual(await store.adoptable(after), []);
    assert.equal((await store.open(id)).folder.path, after.path);
  });

  it('offers nothing of a folder that is still there', async () => {
    const before = await folderAt('here/project');
    await window('w1', before).create(before);
    const other = await folderAt('there/project');
    assert.deepEqual(await window('w2', other).adoptable(other), []);
  });

  it('brings a session back to where it was deleted, from any window', async () => {
    const folder = await folderAt('project');
    const { id, storage } = await window('w1', folder).create(folder);
    const other = window('w2', folder);
    await other.moveToTrash(id);
    assert.deepEqual(await ids(other, folder), []);
    await window('w3', folder).restoreFromTrash(id);
    assert.deepEqual(await ids(other, folder), [id]);
    assert.equal((await other.open(id)).storage, storage);
  });
});
