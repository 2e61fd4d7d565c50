import assert from 'node:assert/strict';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderIdentity } from '../../../src/core/events.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { identityOf, useFolders } from './foldersFixture.ts';

describe('where sessions are found', () => {
  const folders = useFolders();

  const ids = async (store: SessionStore, folder: FolderIdentity): Promise<string[]> =>
    (await store.list(folder.uri)).map(({ id }) => id);

  it('lists what another window made in the same folder, and opens it', async () => {
    const folder = await folders().folderAt('project');
    const { id } = await folders().window('w1', folder).create(folder);
    const other = folders().window('w2', folder);
    assert.deepEqual(await ids(other, folder), [id]);
    assert.equal((await other.open(id)).id, id);
  });

  it('keeps the sessions of two folders apart', async () => {
    const [a, b] = [await folders().folderAt('a'), await folders().folderAt('b')];
    const store = folders().window('w1', a, b);
    const { id } = await store.create(a);
    assert.deepEqual(await ids(store, a), [id]);
    assert.deepEqual(await ids(store, b), []);
  });

  it('follows a folder that was renamed, and works in its new place', async () => {
    const before = await folders().folderAt('old-name');
    const { id } = await folders().window('w1', before).create(before);
    await rename(before.path, join(folders().base, 'new-name'));
    const after = identityOf(join(folders().base, 'new-name'));
    const store = folders().window('w2', after);
    const rows = await store.list(after.uri);
    assert.deepEqual(
      rows.map((row) => [row.id, row.folder.path]),
      [[id, after.path]],
    );
    assert.equal((await store.open(id)).folder.path, after.path);
  });

  it('hides nothing when another folder has the old name now', async () => {
    const before = await folders().folderAt('project');
    const { id } = await folders().window('w1', before).create(before);
    await rename(before.path, join(folders().base, 'moved'));
    const moved = identityOf(join(folders().base, 'moved'));
    const next = await folders().folderAt('project');
    assert.deepEqual(await ids(folders().window('w2', moved), moved), [id]);
    assert.deepEqual(await ids(folders().window('w2', next), next), [id]);
  });

  it('finds the sessions again when what it derived was deleted', async () => {
    const before = await folders().folderAt('old-name');
    const store = folders().window('w1', before);
    const { id, storage } = await store.create(before);
    await rm(join(storage, '..', 'folder.json'));
    assert.deepEqual(await ids(folders().window('w2', before), before), [id]);
    await rename(before.path, join(folders().base, 'new-name'));
    const after = identityOf(join(folders().base, 'new-name'));
    assert.deepEqual(await ids(folders().window('w2', after), after), [id]);
  });

  it('finds them beside places that cannot be read', async () => {
    const folder = await folders().folderAt('project');
    const store = folders().window('w1', folder);
    const { id, storage } = await store.create(folder);
    // Before and after it, in whatever order they are listed.
    for (let loop = 0; loop < 20; loop++) {
      const place = join(storage, '..', '..', `loop-${String(loop)}`);
      await symlink(place, place);
    }
    assert.deepEqual(await ids(store, folder), [id]);
    assert.equal((await store.open(id)).folder.path, folder.path);
    await assert.rejects(store.open('nowhere'), { code: 'storage' });
  });

  it('offers those of a vanished folder of the same name, and lists them once they are adopted', async () => {
    const before = await folders().folderAt('here/project');
    const first = folders().window('w1', before);
    const { id } = await first.create(before);
    await rm(before.path, { recursive: true });
    const after = await folders().folderAt('there/project');
    const store = folders().window('w2', after);
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
    const before = await folders().folderAt('here/project');
    await folders().window('w1', before).create(before);
    const other = await folders().folderAt('there/project');
    assert.deepEqual(await folders().window('w2', other).adoptable(other), []);
  });

  it('brings a session back to where it was deleted, from any window', async () => {
    const folder = await folders().folderAt('project');
    const { id, storage } = await folders().window('w1', folder).create(folder);
    const other = folders().window('w2', folder);
    await other.moveToTrash(id);
    assert.deepEqual(await ids(other, folder), []);
    await folders().window('w3', folder).restoreFromTrash(id);
    assert.deepEqual(await ids(other, folder), [id]);
    assert.equal((await other.open(id)).storage, storage);
  });
});
