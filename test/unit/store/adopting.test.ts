import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FolderIdentity } from '../../../src/core/events.ts';
import { adoptableText } from '../../../src/projection/sessionView.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';

describe('adopting sessions of a folder that is gone', () => {
  let base = '';
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-adopting-')));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  async function folderAt(name: string): Promise<FolderIdentity> {
    await mkdir(join(base, name), { recursive: true });
    return identity(join(base, name));
  }
  const identity = (path: string): FolderIdentity => ({ uri: pathToFileURL(path).href, name: basename(path), path });

  function window(name: string, ...open: readonly FolderIdentity[]): SessionStore {
    const roots = ['w1', 'w2', 'w3'].map((each) => join(base, 'storage', each));
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

  /** A session of a folder that is removed then. */
  async function lost(name: string): Promise<{ readonly id: string; readonly path: string }> {
    const folder = await folderAt(name);
    const { id } = await window('w1', folder).create(folder);
    await rm(folder.path, { recursive: true });
    return { id, path: folder.path };
  }

  it('holds in every window of the folder, whichever one adopted', async () => {
    const { id } = await lost('here/project');
    const after = await folderAt('there/project');
    const store = window('w2', after);
    const [offer] = await store.adoptable(after);
    assert.ok(offer);
    await store.adopt(after, offer);
    const other = window('w3', after);
    assert.deepEqual(
      (await other.list(after.uri)).map((row) => [row.id, row.folder.path]),
      [[id, after.path]],
    );
    assert.deepEqual(await other.adoptable(after), []);
    assert.equal((await other.open(id)).folder.path, after.path);
  });

  it('is offered for folders of another name too, after those of the same name', async () => {
    const [renamed, same] = [await lost('here/old-name'), await lost('here/project')];
    const after = await folderAt('there/project');
    const offers = await window('w2', after).adoptable(after);
    assert.deepEqual(
      offers.map(({ from, sameName }) => [from, sameName]),
      [
        [same.path, true],
        [renamed.path, false],
      ],
    );
  });

  it('is not offered for a folder that was found again under another path', async () => {
    const before = await folderAt('here/project');
    await window('w1', before).create(before);
    await rename(before.path, join(base, 'moved'));
    const third = await folderAt('there/project');
    assert.equal((await window('w2', third).adoptable(third)).length, 1);
    const moved = identity(join(base, 'moved'));
    assert.equal((await window('w2', moved).list(moved.uri)).length, 1);
    assert.deepEqual(await window('w2', third).adoptable(third), []);
  });

  it('is worded by the end of the path', () => {
    assert.equal(adoptableText(3, '/home/dev/work/ml'), '3 sessions from …/work/ml');
    assert.equal(adoptableText(1, '/ml'), '1 session from /ml');
    assert.equal(adoptableText(2, 'C:\\Users\\dev\\ml', 'web'), '2 sessions from …/dev/ml, for web');
  });
});
