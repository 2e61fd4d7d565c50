import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { surroundingsText } from '../../../src/core/surroundings.ts';
import { askGit } from '../../../src/tools/git.ts';
import { gitState, parseStatus } from '../../../src/tools/gitState.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('the state of the repository', () => {
  let place: ToolFolder;

  beforeEach(async () => {
    place = await createToolFolder();
  });

  afterEach(() => place.remove());

  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: place.folder,
      stdio: 'ignore',
    });
  };

  it('is the branch and what is changed, a renamed file by its new name', async () => {
    git('init', '-b', 'main');
    await place.put('a.txt', 'a');
    await place.put('naïve name.txt', 'b\nb\nb\n');
    assert.deepEqual((await gitState(place.folder))?.branch, 'main');
    git('add', '.');
    git('commit', '-m', 'first');
    assert.deepEqual(await gitState(place.folder), {
      branch: 'main',
      ahead: 0,
      behind: 0,
      changes: [],
      changeCount: 0,
    });
    git('mv', 'naïve name.txt', 'renamed.txt');
    await place.put('a.txt', 'changed');
    await place.put('new.txt', 'n');
    assert.deepEqual((await gitState(place.folder))?.changes, [' M a.txt', 'R  renamed.txt', '?? new.txt']);
  });

  it('is unknown where there is no repository', async () => {
    assert.equal(await gitState(place.folder), undefined);
  });

  it('names nothing of another folder that the repository gives out as its own', async () => {
    const other = await createToolFolder();
    try {
      await other.put('private.txt', 'p');
      git('init', '-b', 'main');
      git('config', 'core.worktree', other.folder);
      assert.equal(await gitState(place.folder), undefined);
      git('config', 'core.worktree', place.folder);
      assert.equal((await gitState(place.folder))?.branch, 'main');
    } finally {
      await other.remove();
    }
  });

  it('does not wait on a pipe that stands for a file of git', async () => {
    if (process.platform === 'win32') return;
    const patient = { timeoutMs: 600_000, maxBytes: 1024 * 1024 };
    git('init', '-b', 'main');
    await place.put('a.txt', 'a');
    execFileSync('mkfifo', ['pipe'], { cwd: place.folder });
    git('config', 'core.excludesFile', 'pipe');
    git('config', 'core.attributesFile', join(place.folder, 'pipe'));
    assert.match((await askGit(place.folder, ['status', '--short'], patient)) ?? '', /a\.txt/);
    git('config', 'include.path', '../pipe');
    assert.equal(await askGit(place.folder, ['status', '--short'], patient), undefined);
    await rm(join(place.folder, '.git'), { recursive: true });
    git('init', '-b', 'main');
    for (const file of ['.gitignore', '.gitattributes', '.git/info/exclude']) {
      await rm(join(place.folder, file), { force: true });
      execFileSync('mkfifo', [file], { cwd: place.folder });
      assert.equal(await askGit(place.folder, ['status', '--short'], patient), undefined, file);
      await rm(join(place.folder, file));
    }
    assert.match((await askGit(place.folder, ['status', '--short'], patient)) ?? '', /a\.txt/);
  });

  it('is read from the line about the branch, whatever it says', () => {
    const heads: readonly (readonly [string, string | undefined, number, number])[] = [
      ['## main', 'main', 0, 0],
      ['## main...origin/main', 'main', 0, 0],
      ['## feat/a.b...origin/feat/a.b [ahead 2, behind 13]', 'feat/a.b', 2, 13],
      ['## main...origin/main [gone]', 'main', 0, 0],
      ['## HEAD (no branch)', undefined, 0, 0],
      ['## No commits yet on trunk', 'trunk', 0, 0],
    ];
    for (const [head, branch, ahead, behind] of heads) {
      const state = parseStatus(`${head}\0`);
      assert.deepEqual([state.branch, state.ahead, state.behind], [branch, ahead, behind], head);
    }
  });

  it('is told in a few lines, with what was left out counted', () => {
    const changes = Array.from({ length: 30 }, (_, index) => ` M f${index}.ts`);
    const text = surroundingsText({
      git: parseStatus(`## main...o/main [ahead 1]\0${changes.join('\0')}\0`),
      editors: {
        ok: true,
        value: [
          { path: 'a.ts', active: true, unsaved: true },
          { path: 'b.ts', active: false, unsaved: false },
        ],
      },
    });
    const lines = text.split('\n');
    assert.equal(lines[0], 'Git: branch main, 1 ahead; 30 changed files:');
    assert.equal(lines[20], '   M f19.ts');
    assert.deepEqual(lines.slice(21), ['  and 10 more', 'Open editors: a.ts (active, unsaved), b.ts']);
    assert.equal(surroundingsText({ editors: { ok: false, reason: 'closed' } }), '');
  });
});
