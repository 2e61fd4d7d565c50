import assert from 'node:assert/strict';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { scanFolder } from '../../../src/tools/folderScan.ts';
import { loadScan, saveScan } from '../../../src/tools/scanStore.ts';
import { allPaths, createToolFolder, type ToolFolder } from './toolFolder.ts';

/** Runs some work; counts how often it calls a method, at most, between two turns of the event loop. */
async function longestStretch<K extends string, T>(
  owner: Record<K, (...args: never[]) => unknown>,
  method: K,
  work: () => Promise<T>,
): Promise<readonly [result: T, calls: number]> {
  const original = owner[method];
  let longest = 0;
  let calls = 0;
  let isWorking = true;
  const turn = (): void => {
    longest = Math.max(longest, calls);
    calls = 0;
    if (isWorking) setImmediate(turn);
  };
  turn();
  owner[method] = function (this: unknown, ...args: never[]) {
    calls += 1;
    return original.apply(this, args);
  };
  try {
    const result = await work();
    return [result, Math.max(longest, calls)];
  } finally {
    owner[method] = original;
    isWorking = false;
  }
}

describe('a scan of a folder', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());

  it('lists own files first, then folders by name, and links without following them', async () => {
    for (const path of [
      'b/x.txt',
      'a/y.txt',
      'z.txt',
      'A.txt',
      'a/.git/HEAD',
      'venv/p',
      'target/out',
      '.ratchet-0123456789ab.tmp',
    ]) {
      await folder.put(path, 'x');
    }
    await symlink('/', folder.at('link'));
    const { files, complete } = await scanFolder(folder.folder);
    assert.deepEqual([...files.keys()], ['A.txt', 'link', 'z.txt', 'a/y.txt', 'b/x.txt', 'target/out']);
    assert.equal(complete, true);
  });

  for (const [limit, complete] of [
    [3, true],
    [2, false],
    [0, false],
  ] as const) {
    it(`of 3 files lists ${String(limit)} at most and says whether that was all`, async () => {
      for (const path of ['a', 'b', 'c/d']) await folder.put(path, 'x');
      const scan = await scanFolder(folder.folder, limit);
      assert.equal(scan.files.size, limit);
      assert.equal(scan.complete, complete);
    });
  }

  it('fails on a folder that is not there', async () => {
    await assert.rejects(scanFolder(folder.at('nope')), { code: 'ENOENT' });
  });

  it('of 20,000 files, stored and read back, is the same, and never holds up the event loop', async function () {
    this.timeout(20_000);
    // Names of one file a folder: 20,000 files of their own take many times as long to make.
    for (let d = 0; d < 20; d++) {
      const first = folder.at(`d${String(d)}/f0`);
      mkdirSync(folder.at(`d${String(d)}`));
      writeFileSync(first, '');
      for (let f = 1; f < 1000; f++) linkSync(first, folder.at(`d${String(d)}/f${String(f)}`));
    }
    const [scan, scanned] = await longestStretch(Map.prototype, 'set', () => scanFolder(folder.folder));
    const [, stored] = await longestStretch(JSON, 'stringify', () => saveScan(folder.storage, 'key', scan));
    const [loaded, read] = await longestStretch(Map.prototype, 'set', () => loadScan(folder.storage, 'key'));
    assert.equal(scan.files.size, 20_000);
    assert.deepEqual(loaded, scan);
    // In files: some milliseconds each. All of one folder, or of the scan, would be 1,000 or 20,000.
    assert.ok(scanned > 0 && scanned <= 500, `${String(scanned)} files scanned in one stretch`);
    assert.ok(stored > 0 && stored <= 1000, `${String(stored)} lines stored in one stretch`);
    assert.ok(read > 0 && read <= 5000, `${String(read)} lines read in one stretch`);
  });

  it('is kept for the newest commands only, as far as they fit', async () => {
    const scan = await scanFolder(folder.folder);
    await saveScan(folder.storage, 'k0', scan);
    const [first = ''] = (await allPaths(folder.storage)).filter((path) => path.endsWith('k0.jsonl'));
    const { size } = await stat(join(folder.storage, first));
    for (const key of ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']) await saveScan(folder.storage, key, scan, size * 4);
    assert.equal((await allPaths(folder.storage)).filter((path) => path.endsWith('.jsonl')).length, 4);
    assert.ok(await loadScan(folder.storage, 'k6'));
    assert.equal(await loadScan(folder.storage, 'nope'), undefined);
  });
});
