import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, symlink, truncate, utimes } from 'node:fs/promises';
import type { Artifact } from '../../../src/core/recordedFiles.ts';
import { checkArtifacts } from '../../../src/tools/artifactCheck.ts';
import { FileStamper } from '../../../src/tools/fileStamper.ts';
import { hashBytes, hashFile } from '../../../src/tools/fileHash.ts';
import { listWorkspace } from '../../../src/tools/workspaceListing.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

/** Limits by which every disk is fast, and every one is slow once that can be judged. */
const disks = [
  { disk: 'fast', limits: { inTurn: 10, slowMs: Infinity } },
  { disk: 'slow', limits: { inTurn: 10, slowMs: -1 } },
] as const;

describe('what is in the workspace now', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder.folder, stdio: 'pipe' });

  describe('listing', () => {
    it('shows tracked and new files of a repository, not ignored and not deleted ones', async () => {
      git('init', '-q');
      await folder.put('.gitignore', 'ignored/\n');
      await folder.put('tracked.txt', 'x');
      await folder.put('gone.txt', 'x');
      git('add', '.');
      await rm(folder.at('gone.txt'));
      await folder.put('ignored/big.bin', 'x');
      await folder.put('node_modules/a/index.js', 'x');
      await folder.put('né w.txt', 'four');
      const { entries, truncated } = await listWorkspace(folder.folder, { limit: 100 });
      assert.deepEqual(
        entries.map(({ path }) => path),
        ['.gitignore', 'né w.txt', 'tracked.txt'],
      );
      assert.equal(entries[1]?.size, 4);
      assert.equal(truncated, false);
    });

    it('does not let the settings of a repository run programs', async () => {
      git('init', '-q');
      await folder.put('hook.sh', '#!/bin/sh\necho ran >> ran.txt\n');
      git('config', 'core.fsmonitor', `sh ${folder.at('hook.sh')}`);
      const { entries } = await listWorkspace(folder.folder, { limit: 100 });
      assert.deepEqual(
        entries.map(({ path }) => path),
        ['hook.sh'],
      );
      const again = await listWorkspace(folder.folder, { limit: 100 });
      assert.deepEqual(
        again.entries.map(({ path }) => path),
        ['hook.sh'],
      );
    });

    for (const repository of [true, false]) {
      it(`is capped, with the wanted files first (${repository ? 'with' : 'without'} a repository)`, async () => {
        if (repository) git('init', '-q');
        for (const path of ['a.txt', 'b.txt', 'c/d.txt', 'e.txt', 'node_modules/x.js']) await folder.put(path, 'x');
        const { entries, total, truncated } = await listWorkspace(folder.folder, {
          limit: 3,
          first: ['e.txt', 'nope'],
        });
        assert.deepEqual(
          entries.map(({ path }) => path),
          ['e.txt', 'a.txt', 'b.txt'],
        );
        assert.deepEqual({ total, truncated }, { total: 4, truncated: true });
      });
    }

    it('looks itself where git has nothing to say', async () => {
      assert.deepEqual(await listWorkspace(folder.folder, { limit: 3 }), { entries: [], total: 0, truncated: false });
      await assert.rejects(listWorkspace(folder.at('nope'), { limit: 3 }), { code: 'ENOENT' });
    });
  });

  for (const { disk, limits } of disks)
    it(`stamps what is there, and nothing for what is not, on a ${disk} disk`, async () => {
      for (const path of ['a.txt', 'b.txt']) await folder.put(path, path);
      await symlink('nowhere', folder.at('link'));
      const stamper = new FileStamper(limits);
      const names = ['a.txt', 'nope', 'a.txt/below', 'link', 'b.txt'];
      // The last ones when it is known how slow the disk is.
      for (let time = 0; time < 20; time++) {
        const stamps = await stamper.take(names.map((name) => folder.at(name)));
        assert.deepEqual(
          stamps.map((stats) => stats && [stats.size, stats.isSymbolicLink()]),
          [[5, false], undefined, undefined, [7, true], [5, false]],
        );
      }
    });

  describe('artifacts', () => {
    const record = async (path: string, limit?: number): Promise<Artifact> => {
      const hash = await hashFile(folder.at(path), limit);
      assert.ok(hash);
      return { path, change: 'created', ...hash };
    };

    it('are intact, changed or missing', async () => {
      for (const path of ['same', 'grown', 'edited', 'removed', 'replaced']) await folder.put(path, 'content');
      await symlink('same', folder.at('link'));
      const artifacts = await Promise.all(
        ['same', 'grown', 'edited', 'removed', 'replaced', 'link'].map((path) => record(path)),
      );
      await folder.put('grown', 'content and more');
      await folder.put('edited', 'CONTENT');
      await rm(folder.at('removed'));
      await rm(folder.at('replaced'));
      await folder.put('replaced/by/folder', 'x');
      await utimes(folder.at('same'), 1, 1);
      assert.deepEqual(Object.fromEntries(await checkArtifacts(folder.folder, artifacts)), {
        same: 'intact',
        grown: 'changed',
        edited: 'changed',
        removed: 'missing',
        replaced: 'changed',
        link: 'intact',
      });
    });

    for (const { disk, limits } of disks)
      it(`that are too many and too large to be read in one go are told as the small ones are, on a ${disk} disk`, async () => {
        const paths = Array.from({ length: 100 }, (_, index) => `many/${String(index)}`);
        for (const [index, path] of paths.entries())
          await folder.put(path, `${path} `.repeat(index % 10 === 0 ? 9_000 : 1));
        const artifacts = await Promise.all(paths.map((path) => record(path)));
        // Of the same size as before, one small and one large.
        await folder.put('many/5', 'MANY/5 ');
        await folder.put('many/50', 'MANY/50 '.repeat(9_000));
        const verdicts = await checkArtifacts(folder.folder, artifacts, limits);
        assert.deepEqual([...verdicts.keys()], paths);
        assert.deepEqual(
          [...verdicts].filter(([, verdict]) => verdict !== 'intact'),
          [
            ['many/5', 'changed'],
            ['many/50', 'changed'],
          ],
        );
      });

    it('whose place a pipe has taken are changed, and nobody waits for who writes into it', async () => {
      await folder.put('file', '');
      const artifact = await record('file');
      await rm(folder.at('file'));
      execFileSync('mkfifo', [folder.at('file')]);
      assert.deepEqual([...(await checkArtifacts(folder.folder, [artifact])).values()], ['changed']);
    });

    it('that were deleted are intact while they are gone', async () => {
      await folder.put('back', 'x');
      const deleted = (path: string): Artifact => ({ path, change: 'deleted', size: 0, sha256: null });
      const verdicts = await checkArtifacts(folder.folder, [deleted('gone'), deleted('back')]);
      assert.deepEqual([...verdicts.values()], ['intact', 'changed']);
    });

    it('count by their last record', async () => {
      await folder.put('file', 'first');
      const first = await record('file');
      await folder.put('file', 'second');
      const verdicts = await checkArtifacts(folder.folder, [first, await record('file')]);
      assert.deepEqual([...verdicts], [['file', 'intact']]);
    });

    it('that are large are judged by size, time and ends', async () => {
      const path = await folder.put('large', '');
      await truncate(path, 5 * 1024 * 1024);
      const artifact = await record('large', 1024);
      assert.match(artifact.sha256 ?? '', /^partial:[0-9a-f]{64}$/);
      assert.deepEqual([...(await checkArtifacts(folder.folder, [artifact])).values()], ['intact']);
      await utimes(path, 1, 1);
      assert.deepEqual([...(await checkArtifacts(folder.folder, [artifact])).values()], ['changed']);
    });
  });

  it('hashes contents, and nothing that is no file', async () => {
    await folder.put('a', 'hello');
    assert.deepEqual(await hashFile(folder.at('a')), { size: 5, sha256: hashBytes('hello') });
    assert.equal(hashBytes('hello'), '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    execFileSync('mkfifo', [folder.at('pipe')]);
    for (const path of ['nope', 'a/b', 'pipe', '.']) assert.equal(await hashFile(folder.at(path)), undefined);
  });
});
