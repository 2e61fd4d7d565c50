import assert from 'node:assert/strict';
import { Stats, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { pathIn, scanFolder, type FolderScan } from '../../../src/tools/folderScan.ts';
import { loadScan, ScanStore } from '../../../src/tools/scanStore.ts';
import { clockPasses, createToolFolder, type ToolFolder } from './toolFolder.ts';

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

function paths({ folders }: FolderScan): readonly string[] {
  return [...folders.values()].flatMap((folder) => folder.names.map((_name, index) => pathIn(folder, index)));
}

/** What of a scan is kept on disk. */
function kept({ at, complete, fileCount, folders }: FolderScan): unknown {
  const files = [...folders.values()].flatMap((folder) =>
    folder.names.map((_name, index) => [pathIn(folder, index), folder.contentMarks[index], folder.restMarks[index]]),
  );
  return { at, complete, fileCount, files: files.sort() };
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
    const scan = await scanFolder(folder.folder);
    assert.deepEqual(paths(scan), ['A.txt', 'link', 'z.txt', 'a/y.txt', 'b/x.txt', 'target/out']);
    assert.equal(scan.complete, true);
  });

  it('follows the root itself when that is a link', async () => {
    await folder.put('a/b.txt', 'x');
    await symlink(folder.folder, `${folder.base}/link`);
    assert.deepEqual(paths(await scanFolder(`${folder.base}/link`)), ['a/b.txt']);
  });

  for (const [limit, complete] of [
    [3, true],
    [2, false],
    [0, false],
  ] as const) {
    it(`of 3 files lists ${String(limit)} at most and says whether that was all`, async () => {
      for (const path of ['a', 'b', 'c/d']) await folder.put(path, 'x');
      const scan = await scanFolder(folder.folder, { limit });
      assert.equal(scan.fileCount, limit);
      assert.equal(scan.complete, complete);
      const again = await scanFolder(folder.folder, { limit, known: scan, sound: true });
      assert.deepEqual([again.fileCount, again.complete], [limit, complete]);
    });
  }

  it('fails on a folder that is not there', async () => {
    await assert.rejects(scanFolder(folder.at('nope')), { code: 'ENOENT' });
  });

  it('goes on from an earlier one: what is the same is not listed again and shares its memory', async () => {
    await folder.put('same/a.txt', 'x');
    await clockPasses(await folder.put('other/b.txt', 'x'));
    const known = await scanFolder(folder.folder, { sound: true });
    await folder.put('other/b.txt', 'longer');
    await folder.put('new/c.txt', 'x');
    const quick = await scanFolder(folder.folder, { sound: true, known, stamps: 'unknown' });
    assert.deepEqual(paths(quick), ['new/c.txt', 'other/b.txt', 'same/a.txt']);
    assert.equal(quick.folders.get('same'), known.folders.get('same'));
    assert.equal(quick.folders.get('other'), known.folders.get('other'));
    const full = await scanFolder(folder.folder, { sound: true, known: quick });
    assert.equal(full.folders.get('same'), known.folders.get('same'));
    assert.notDeepEqual(full.folders.get('other')?.contentMarks, known.folders.get('other')?.contentMarks);
    assert.equal(full.folders.get('other')?.names, known.folders.get('other')?.names);
  });

  it('does not rely on the times of a folder that changed just now, nor of one whose times say nothing', async () => {
    await folder.put('a/b.txt', 'x');
    const now = await scanFolder(folder.folder, { sound: true });
    assert.equal(now.folders.get('a')?.listedAs, undefined);
    await clockPasses(folder.at('a'));
    assert.ok((await scanFolder(folder.folder, { sound: true })).folders.get('a')?.listedAs);
    assert.equal((await scanFolder(folder.folder)).folders.get('a')?.listedAs, undefined);
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
    const scans = new ScanStore();
    const [scan, scanned] = await longestStretch(Stats.prototype, 'isDirectory', () => scanFolder(folder.folder));
    const [, stored] = await longestStretch(JSON, 'stringify', () => scans.save(folder.storage, 'key', scan));
    const [loaded, read] = await longestStretch(JSON, 'parse', () => loadScan(folder.storage, 'key'));
    assert.equal(scan.fileCount, 20_000);
    assert.ok(loaded);
    assert.deepEqual(kept(loaded), kept(scan));
    // In files: some milliseconds each. All of one folder, or of the scan, would be 1,000 or 20,000.
    assert.ok(scanned > 0 && scanned <= 500, `${String(scanned)} files scanned in one stretch`);
    // In lines of a thousand files each.
    assert.ok(stored > 0 && stored <= 12, `${String(stored)} lines stored in one stretch`);
    assert.ok(read > 0 && read <= 12, `${String(read)} lines read in one stretch`);
  });
});
