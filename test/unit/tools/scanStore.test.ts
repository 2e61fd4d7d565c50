import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareScans } from '../../../src/tools/folderChanges.ts';
import { scanFolder, type FolderScan } from '../../../src/tools/folderScan.ts';
import { loadScan, ScanStore } from '../../../src/tools/scanStore.ts';
import { allPaths, createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('the scans kept of a session', () => {
  let folder: ToolFolder;
  let scans: ScanStore;
  beforeEach(async () => {
    folder = await createToolFolder();
    scans = new ScanStore();
  });
  afterEach(() => folder.remove());

  async function save(key: string, store = scans): Promise<FolderScan> {
    const scan = await scanFolder(folder.folder);
    await store.save(folder.storage, key, scan);
    return scan;
  }
  const kept = async (): Promise<readonly string[]> =>
    (await allPaths(folder.storage)).filter((path) => path.startsWith('scans/'));
  const pathOf = (key: string): string => join(folder.storage, 'scans', `${key}.jsonl.gz`);

  /** That what is kept for a key is this scan. */
  async function assertKept(key: string, scan: FolderScan): Promise<void> {
    const loaded = await loadScan(folder.storage, key);
    assert.ok(loaded, `no scan for ${key}`);
    assert.deepEqual([loaded.at, loaded.complete, loaded.fileCount], [scan.at, scan.complete, scan.fileCount]);
    const changes: string[] = [];
    await compareScans(loaded, scan, ({ path, change }) => changes.push(`${path} ${change}`));
    assert.deepEqual(changes, []);
  }

  it('are a whole one, and then only what is other', async () => {
    for (let i = 0; i < 300; i++) await folder.put(`many/file-${String(i)}.txt`, 'x');
    const first = await save('k1');
    const { size } = await lstat(pathOf('k1'));
    await folder.put('many/file-7.txt', 'changed');
    await folder.put('new/é ".txt', 'x');
    await rm(folder.at('many/file-8.txt'));
    const second = await save('k2');
    await folder.put('many/file-8.txt', 'again');
    await rm(folder.at('new'), { recursive: true });
    const third = await save('k3');
    const unchanged = await save('k4');
    assert.deepEqual(await kept(), ['scans/k1.jsonl.gz']);
    assert.ok((await lstat(pathOf('k1'))).size < size + 3 * 250);
    await assertKept('k1', first);
    await assertKept('k2', second);
    await assertKept('k3', third);
    await assertKept('k4', unchanged);
    const changes: string[] = [];
    const loaded = await loadScan(folder.storage, 'k2');
    assert.ok(loaded);
    await compareScans(loaded, first, ({ path, change }) => changes.push(`${path} ${change}`));
    assert.deepEqual(changes.sort(), ['many/file-7.txt changed', 'many/file-8.txt created', 'new/é ".txt deleted']);
  });

  it('begin anew when too much is other', async () => {
    const first = await save('k1');
    for (let i = 0; i < 1001; i++) await folder.put(`file-${String(i)}.txt`, '');
    const second = await save('k2');
    assert.deepEqual(await kept(), ['scans/k1.jsonl.gz', 'scans/k2.jsonl.gz']);
    await assertKept('k1', first);
    await assertKept('k2', second);
  });

  it('are found whichever window kept them', async () => {
    const first = await save('k1');
    await folder.put('a.txt', 'x');
    const other = await save('k2', new ScanStore());
    await folder.put('b.txt', 'x');
    const third = await save('k3');
    await assertKept('k1', first);
    await assertKept('k2', other);
    await assertKept('k3', third);
  });

  it('are for a command that was started again those of its last start', async () => {
    await save('k1');
    await save('k2');
    await folder.put('a.txt', 'x');
    await assertKept('k2', await save('k2'));
    await folder.put('b.txt', 'x');
    await assertKept('k2', await save('k2', new ScanStore()));
  });

  it('asked for at the same time are kept one after the other', async () => {
    const all: FolderScan[] = [];
    for (let i = 0; i < 5; i++) {
      await folder.put(`file-${String(i)}.txt`, 'x');
      all.push(await scanFolder(folder.folder));
    }
    await Promise.all(all.map((scan, i) => scans.save(folder.storage, `k${String(i)}`, scan)));
    assert.deepEqual(await kept(), ['scans/k0.jsonl.gz']);
    for (const [i, scan] of all.entries()) await assertKept(`k${String(i)}`, scan);
  });

  it('go on in a new file when theirs is gone, or can not be added to', async () => {
    await save('k1');
    await rm(pathOf('k1'));
    await assertKept('k2', await save('k2'));
    assert.equal(await loadScan(folder.storage, 'k1'), undefined);
    await rename(pathOf('k2'), pathOf('aside'));
    await mkdir(pathOf('k2'));
    await assert.rejects(save('k3'), { code: 'EISDIR' });
    await rm(pathOf('k2'), { recursive: true });
    await assertKept('k4', await save('k4'));
  });

  it('that are torn or damaged cost those behind the damage only', async () => {
    for (const name of ['a.txt', 'dir/a.txt', 'last/a.txt']) await folder.put(name, 'x');
    const first = await save('k1');
    const one = await readFile(pathOf('k1'));
    await folder.put('b.txt', 'x');
    const second = await save('k2');
    const two = await readFile(pathOf('k1'));
    for (let length = 0; length < two.length; length++) {
      await writeFile(pathOf('k1'), two);
      await truncate(pathOf('k1'), length);
      // Without its checksum a line that is whole still says what it says.
      if (length < two.length - 16) assert.equal(await loadScan(folder.storage, 'k2'), undefined, `${length} bytes`);
      else if (await loadScan(folder.storage, 'k2')) await assertKept('k2', second);
      if (length >= one.length) await assertKept('k1', first);
      else if (length < one.length - 16)
        assert.equal(await loadScan(folder.storage, 'k1'), undefined, `${length} bytes`);
    }
    for (const damaged of [
      Buffer.from('not compressed'),
      Buffer.from([...two.subarray(0, 30), 0, 0, 0, ...two.subarray(33)]),
    ]) {
      await writeFile(pathOf('k1'), damaged);
      assert.equal(await loadScan(folder.storage, 'k1'), undefined);
    }
    // What follows a torn end was written by another program.
    await writeFile(pathOf('k1'), Buffer.concat([two, Buffer.from('x')]));
    await assertKept('k1', first);
  });

  it('are dropped, the oldest first, as far as they do not fit', async () => {
    await save('k0');
    const { size } = await lstat(pathOf('k0'));
    for (const key of ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']) await save(key, new ScanStore(size * 4.5));
    assert.equal((await kept()).length, 4);
    assert.ok(await loadScan(folder.storage, 'k6'));
    assert.equal(await loadScan(folder.storage, 'nope'), undefined);
  });
});
