import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { clockLag, showsChanges } from '../../../src/tools/fileTimes.ts';
import { compareScans } from '../../../src/tools/folderChanges.ts';
import { FolderLooks } from '../../../src/tools/folderLooks.ts';
import { loadScan, ScanStore } from '../../../src/tools/scanStore.ts';
import { allPaths, clockPasses, createToolFolder, type ToolFolder } from './toolFolder.ts';

type Work = (folder: ToolFolder) => Promise<unknown>;

const rewrite = async (path: string, content: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.truncate(0);
  await file.write(content);
  await file.close();
};
const putBack = async (path: string, work: () => Promise<unknown>): Promise<void> => {
  const { atime, mtime } = await stat(path);
  await work();
  await utimes(path, atime, mtime);
};

for (const sound of [true, false]) {
  describe(`looks at a folder whose times are ${sound ? 'sound' : 'not relied upon'}`, () => {
    let folder: ToolFolder;
    let looks: FolderLooks;
    beforeEach(async () => {
      folder = await createToolFolder();
      looks = new FolderLooks(undefined, () => Promise.resolve(sound));
      for (const path of ['a.txt', 'b.txt', 'dir/c.txt', 'dir/sub/d.txt', 'swap/e.txt']) await folder.put(path, 'old');
      await folder.put('spare/e.txt', 'own');
      await utimes(folder.at('a.txt'), 5, 5);
      await clockPasses(folder.at('a.txt'), clockLag + 5);
      // The command before.
      await looks.before(folder.folder, folder.storage);
      await looks.now(folder.folder, folder.storage);
    });
    afterEach(() => folder.remove());

    /** What the looks say, from memory and from disk, of a command that follows what somebody else does. */
    async function changes(byOthers: Work, byCommand: Work): Promise<readonly string[]> {
      await byOthers(folder);
      await clockPasses(await folder.put('../outside', ''), clockLag + 5);
      const before = await looks.before(folder.folder, folder.storage);
      await new ScanStore().save(folder.storage, 'key', before);
      // A command takes longer to start than the file system's clock takes to go on.
      await clockPasses(await folder.put('../outside', ''), clockLag + 5);
      await byCommand(folder);
      const now = await looks.now(folder.folder, folder.storage);
      const found: string[][] = [];
      for (const scan of [before, await loadScan(folder.storage, 'key')]) {
        assert.ok(scan);
        const paths: string[] = [];
        await compareScans(scan, now, ({ path, change }) => paths.push(`${path} ${change}`));
        found.push(paths.sort());
      }
      assert.deepEqual(found[1], found[0], 'from disk as from memory');
      return found[0] ?? [];
    }

    const nothing: Work = () => Promise.resolve();
    const works: readonly (readonly [what: string, work: Work, changed: readonly string[], soundOnly?: true])[] = [
      ['nothing', nothing, []],
      ['a change in place', ({ at }) => rewrite(at('dir/c.txt'), 'new'), ['dir/c.txt changed']],
      ['a file that is touched', ({ at }) => utimes(at('b.txt'), 9, 9), ['b.txt changed']],
      ['a new file in a new folder', ({ put }) => put('new/x/f.txt', 'x'), ['new/x/f.txt created']],
      ['a deleted file', ({ at }) => rm(at('dir/sub/d.txt')), ['dir/sub/d.txt deleted']],
      [
        'a deleted folder',
        ({ at }) => rm(at('dir'), { recursive: true }),
        ['dir/c.txt deleted', 'dir/sub/d.txt deleted'],
      ],
      [
        'a renamed folder',
        ({ at }) => rename(at('dir/sub'), at('moved')),
        ['dir/sub/d.txt deleted', 'moved/d.txt created'],
      ],
      [
        'a folder swapped for an older one',
        async ({ at }) => {
          await rm(at('swap'), { recursive: true });
          await rename(at('spare'), at('swap'));
        },
        ['spare/e.txt deleted', 'swap/e.txt changed'],
      ],
      [
        'a file swapped for an older one',
        ({ at }) => rename(at('spare/e.txt'), at('b.txt')),
        ['b.txt changed', 'spare/e.txt deleted'],
      ],
      [
        'a copy with the time of its original',
        async ({ at }) => {
          await copyFile(at('a.txt'), at('b.txt'));
          await utimes(at('b.txt'), 5, 5);
        },
        ['b.txt changed'],
      ],
      [
        'a new file in a folder whose time is put back',
        ({ at, put }) => putBack(at('dir'), () => put('dir/n.txt', 'x')),
        ['dir/n.txt created'],
      ],
      [
        'other content of the same size with the time put back',
        ({ at }) => putBack(at('a.txt'), () => rewrite(at('a.txt'), 'new')),
        ['a.txt changed'],
        true,
      ],
      ['another mode', ({ at }) => chmod(at('a.txt'), 0o700), []],
    ];
    for (const [what, work, changed, soundOnly] of works) {
      it(`name ${what} by the command`, async () => {
        assert.deepEqual(await changes(nothing, work), soundOnly && !sound ? [] : changed);
      });
      it(`do not name ${what} by somebody else before`, async () => {
        assert.deepEqual(await changes(work, nothing), []);
      });
    }

    it('name a change of what somebody else made or changed before', async () => {
      const found = await changes(
        async ({ at, put }) => {
          await put('made.txt', 'x');
          await rewrite(at('a.txt'), 'theirs');
        },
        async ({ at }) => {
          await rewrite(at('made.txt'), 'other');
          await rewrite(at('a.txt'), 'ours');
        },
      );
      assert.deepEqual(found, ['a.txt changed', 'made.txt changed']);
    });

    it('say of any work what a comparison of all contents says', async function () {
      this.timeout(60_000);
      const paths = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/sub/d.txt', 'dir/sub/x/y.txt', 'new.txt'];
      const path = fc.constantFrom(...paths);
      const work = fc.oneof(
        fc.record({ kind: fc.constant('write' as const), path }),
        fc.record({ kind: fc.constant('replace' as const), path }),
        fc.record({ kind: fc.constant('remove' as const), path }),
        fc.record({ kind: fc.constant('move' as const), path, to: path }),
      );
      let count = 0;
      const doAll = async (all: readonly (typeof work extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> => {
        for (const each of all) {
          const at = folder.at(each.path);
          const isThere = await readFile(at).then(
            () => true,
            () => false,
          );
          if (each.kind === 'remove') await rm(at, { force: true });
          else if (each.kind === 'move') {
            await mkdir(dirname(folder.at(each.to)), { recursive: true });
            if (isThere) await rename(at, folder.at(each.to));
          } else if (each.kind === 'write' && isThere) await rewrite(at, `content ${String(++count)}`);
          else if (each.kind === 'replace' && isThere) {
            await folder.put(`${each.path}~`, `content ${String(++count)}`);
            await rename(`${at}~`, at);
          } else await folder.put(each.path, `content ${String(++count)}`);
        }
      };
      const contents = async (): Promise<ReadonlyMap<string, string>> => {
        const files = new Map<string, string>();
        for (const name of paths) {
          const text = await readFile(folder.at(name), 'utf8').catch(() => undefined);
          if (text !== undefined) files.set(name, `${String((await stat(folder.at(name))).ino)} ${text}`);
        }
        return files;
      };
      const some = fc.array(work, { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(some, some, async (byOthers, byCommand) => {
          let before: ReadonlyMap<string, string> = new Map();
          const found = await changes(
            () => doAll(byOthers),
            async () => {
              before = await contents();
              await doAll(byCommand);
            },
          );
          const after = await contents();
          const expected = paths.flatMap((name) => {
            if (before.get(name) === after.get(name)) return [];
            const change = !before.has(name) ? 'created' : after.has(name) ? 'changed' : 'deleted';
            return [`${name} ${change}`];
          });
          assert.deepEqual(
            found.filter((line) => paths.some((name) => line.startsWith(`${name} `))),
            expected.sort(),
          );
        }),
        { numRuns: 25 },
      );
    });
  });
}

describe('a look that is prepared', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());

  it('is brought up to date when the command begins', async () => {
    const looks = new FolderLooks(undefined, () => Promise.resolve(true));
    await folder.put('a.txt', 'x');
    looks.prepare(folder.folder, folder.storage);
    looks.prepare(folder.folder, folder.storage);
    await folder.put('b.txt', 'x');
    const { fileCount } = await looks.before(folder.folder, folder.storage);
    assert.equal(fileCount, 2);
  });

  it('of a folder that is not there fails when the command begins', async () => {
    const looks = new FolderLooks(undefined, () => Promise.resolve(true));
    looks.prepare(folder.at('nope'), folder.storage);
    await assert.rejects(looks.before(folder.at('nope'), folder.storage), { code: 'ENOENT' });
  });
});

describe('the times of a file system', () => {
  it('are tried with a file of which nothing is left', async () => {
    const folder = await createToolFolder();
    assert.equal(await showsChanges(folder.folder), true);
    assert.deepEqual(await allPaths(folder.folder), []);
    await folder.remove();
  });
});
