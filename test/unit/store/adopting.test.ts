import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptableText } from '../../../src/projection/sessionView.ts';
import { identityOf, useFolders } from './foldersFixture.ts';

describe('adopting sessions of a folder that is gone', () => {
  const folders = useFolders();

  /** A session of a folder that is removed then. */
  async function lost(name: string): Promise<{ readonly id: string; readonly path: string }> {
    const folder = await folders().folderAt(name);
    const { id } = await folders().window('w1', folder).create(folder);
    await rm(folder.path, { recursive: true });
    return { id, path: folder.path };
  }

  it('holds in every window of the folder, whichever one adopted', async () => {
    const { id } = await lost('here/project');
    const after = await folders().folderAt('there/project');
    const store = folders().window('w2', after);
    const [offer] = await store.adoptable(after);
    assert.ok(offer);
    await store.adopt(after, offer);
    const other = folders().window('w3', after);
    assert.deepEqual(
      (await other.list(after.uri)).map((row) => [row.id, row.folder.path]),
      [[id, after.path]],
    );
    assert.deepEqual(await other.adoptable(after), []);
    assert.equal((await other.open(id)).folder.path, after.path);
  });

  it('is offered for folders of another name too, after those of the same name', async () => {
    const [renamed, same] = [await lost('here/old-name'), await lost('here/project')];
    const after = await folders().folderAt('there/project');
    const offers = await folders().window('w2', after).adoptable(after);
    assert.deepEqual(
      offers.map(({ from, sameName }) => [from, sameName]),
      [
        [same.path, true],
        [renamed.path, false],
      ],
    );
  });

  it('is not offered for a folder that was found again under another path', async () => {
    const before = await folders().folderAt('here/project');
    await folders().window('w1', before).create(before);
    await rename(before.path, join(folders().base, 'moved'));
    const third = await folders().folderAt('there/project');
    assert.equal((await folders().window('w2', third).adoptable(third)).length, 1);
    const moved = identityOf(join(folders().base, 'moved'));
    assert.equal((await folders().window('w2', moved).list(moved.uri)).length, 1);
    assert.deepEqual(await folders().window('w2', third).adoptable(third), []);
  });

  it('is worded by the end of the path', () => {
    assert.equal(adoptableText(3, '/home/dev/work/ml'), '3 sessions from …/work/ml');
    assert.equal(adoptableText(1, '/ml'), '1 session from /ml');
    assert.equal(adoptableText(2, 'C:\\Users\\dev\\ml', 'web'), '2 sessions from …/dev/ml, for web');
  });
});
