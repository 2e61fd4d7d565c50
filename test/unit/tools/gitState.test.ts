import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { surroundingsText } from '../../../src/core/surroundings.ts';
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
