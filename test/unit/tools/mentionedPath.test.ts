import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookAtPath } from '../../../src/tools/mentionedPath.ts';
import { createPathIndex } from '../../../src/tools/pathIndex.ts';

describe('mentioned paths', () => {
  let around: string;
  let folder: string;
  beforeEach(async () => {
    around = await mkdtemp(join(tmpdir(), 'ratchet-mention-'));
    folder = join(around, 'job');
    await mkdir(join(folder, 'src'), { recursive: true });
    await writeFile(join(folder, 'src', 'a.ts'), 'let a; // 🎉');
    await writeFile(join(around, 'secret.txt'), 'no');
  });
  afterEach(() => rm(around, { recursive: true, force: true }));

  const look = (path: string, max = 1_000): ReturnType<typeof lookAtPath> => lookAtPath(folder, path, max);

  it('are read as text, the beginning of a long one, never half a character', async () => {
    assert.deepEqual(await look('src/a.ts'), {
      kind: 'file',
      path: 'src/a.ts',
      content: 'let a; // 🎉',
      isPart: false,
    });
    const part = await look('src/a.ts', 11);
    assert.deepEqual(part, { kind: 'file', path: 'src/a.ts', content: 'let a; // ', isPart: true });
  });

  it('are folders, binary files or nothing', async () => {
    await writeFile(join(folder, 'b.bin'), Buffer.from([1, 0, 2]));
    await writeFile(join(folder, 'latin.txt'), Buffer.from([0x63, 0xe9]));
    await writeFile(join(folder, 'empty.txt'), '');
    assert.deepEqual(await look('empty.txt'), { kind: 'file', path: 'empty.txt', content: '', isPart: false });
    assert.deepEqual(await look('src'), { kind: 'folder', path: 'src' });
    assert.deepEqual(await look('b.bin'), { kind: 'binary', path: 'b.bin', bytes: 3 });
    assert.equal((await look('latin.txt')).kind, 'binary');
    assert.deepEqual(await look('nowhere.ts'), { kind: 'missing' });
    assert.deepEqual(await look('src/a.ts/b'), { kind: 'missing' });
    assert.deepEqual(await look('x'.repeat(5_000)), { kind: 'missing' });
  });

  it('do not lead out of the folder, not by links either, and wait for nothing', async () => {
    await symlink(join(around, 'secret.txt'), join(folder, 'link.txt'));
    assert.deepEqual(await look('../secret.txt'), { kind: 'outside' });
    assert.deepEqual(await look('link.txt'), { kind: 'outside' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    assert.equal((await look('pipe')).kind, 'unreadable');
  });
});

describe('path index', () => {
  it('lists once while the list is fresh, and gives the old one while it lists again', async () => {
    let now = 0;
    const lists: PromiseWithResolvers<readonly string[]>[] = [];
    const paths = createPathIndex(
      () => now,
      () => {
        const list = Promise.withResolvers<readonly string[]>();
        lists.push(list);
        return list.promise;
      },
    );
    const names = async (): Promise<readonly string[]> => (await paths('/job')).map(({ path }) => path);
    const [first, second] = [names(), names()];
    assert.equal(lists.length, 1);
    lists[0]?.resolve(['a.ts']);
    assert.deepEqual(await Promise.all([first, second]), [['a.ts'], ['a.ts']]);
    now = 10_000;
    assert.deepEqual(await names(), ['a.ts']);
    assert.equal(lists.length, 2);
    lists[1]?.resolve(['src/b.ts']);
    await lists[1]?.promise;
    while ((await names())[0] !== 'src');
    assert.deepEqual(await names(), ['src', 'src/b.ts']);
    assert.equal(lists.length, 2);
  });

  it('tries again after a folder could not be read', async () => {
    let isThere = false;
    const paths = createPathIndex(
      () => 0,
      async () => {
        if (!isThere) throw new Error('ENOENT');
        return ['a.ts'];
      },
    );
    await assert.rejects(paths('/job'), /ENOENT/);
    isThere = true;
    assert.equal((await paths('/job')).length, 1);
  });
});
