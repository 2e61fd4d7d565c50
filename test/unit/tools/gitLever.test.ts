import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { askGit } from '../../../src/tools/git.ts';
import { gitState } from '../../../src/tools/gitState.ts';
import { listNames } from '../../../src/tools/workspaceListing.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { call, createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('git that Ratchet starts runs nothing of a repository', function () {
  this.timeout(30_000);
  let place: ToolFolder;
  let lever = '';
  let mark = '';

  beforeEach(async () => {
    place = await createToolFolder();
    mark = join(place.base, 'pulled');
    lever = join(place.base, 'lever.sh');
    await writeFile(lever, `#!/bin/sh\necho "$0 $*" >>${mark}\ncat\n`);
    await chmod(lever, 0o755);
  });
  afterEach(() => place.remove());

  const plainGit = (...args: string[]): void => {
    const options = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.ext.allow=never'];
    execFileSync('git', [...options, ...args], { cwd: place.folder, stdio: ['ignore', 'ignore', 'ignore'] });
  };
  const wasPulled = (): boolean => existsSync(mark);

  async function repository(): Promise<void> {
    plainGit('init', '-b', 'main');
    await place.put('a.txt', 'a\n');
    plainGit('add', '.');
    plainGit('commit', '-m', 'first');
  }
  /** The same content with another time: git has to look into it. */
  const touch = (): Promise<void> => utimes(place.at('a.txt'), 1_000_000, 1_000_000);
  const config = (text: string): Promise<void> => appendFile(place.at('.git/config'), `\n${text}\n`);

  async function bareLayout(folder: string): Promise<void> {
    await place.put(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    await place.put(join(folder, 'objects/info/packs'), '');
    await place.put(join(folder, 'refs/heads/.keep'), '');
    await place.put(
      join(folder, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${place.folder}\n\tfsmonitor = ${lever}\n`,
    );
  }

  /** What an ordinary git would run is not run, by any question that Ratchet asks. */
  async function assertNotPulled(): Promise<void> {
    await rm(mark, { force: true });
    await gitState(place.folder);
    await listNames(place.folder);
    assert.equal(wasPulled(), false);
  }

  /** The attack is real: an ordinary `git status` runs it. */
  function assertPulls(...args: string[]): void {
    try {
      plainGit(...(args.length > 0 ? args : ['status']));
    } catch (error) {
      assert.ok(error instanceof Error);
    }
    assert.equal(wasPulled(), true, 'an ordinary git would have run it');
  }

  it('of one that lies open in the folder', async () => {
    await bareLayout('.');
    assertPulls();
    await assertNotPulled();
    assert.equal(await gitState(place.folder), undefined);
  });

  it('of one that a .git file in the folder points to', async () => {
    await bareLayout('data');
    await place.put('.git', 'gitdir: data\n');
    assertPulls();
    await assertNotPulled();
  });

  it('by its own settings, also by those of a file that they include', async () => {
    await repository();
    await place.put(
      'more',
      `[core]\n\tfsmonitor = ${lever}\n\talternateRefsCommand = ${lever}\n[alias]\n\tstatus = !${lever}\n`,
    );
    await config(`[include]\n\tpath = ${place.at('more')}`);
    assertPulls();
    await assertNotPulled();
    assert.equal((await gitState(place.folder))?.branch, 'main');
  });

  for (const name of ['x', 'lf s', 'a.b']) {
    it(`by a filter for its files (${name})`, async () => {
      await repository();
      await config(`[filter "${name}"]\n\tclean = ${lever}\n\tprocess = ${lever}\n\trequired = true`);
      await place.put('.gitattributes', `* filter=${name.includes(' ') ? 'x' : name}\n`);
      await touch();
      if (!name.includes(' ')) assertPulls();
      await touch();
      await assertNotPulled();
      assert.deepEqual((await gitState(place.folder))?.changes, ['?? .gitattributes']);
    });
  }

  it('by a filter whose name no option can carry: nothing is asked then', async () => {
    await repository();
    await config(`[filter "a=b"]\n\tclean = ${lever}`);
    await place.put('.gitattributes', '* filter=a=b\n');
    await touch();
    await assertNotPulled();
    assert.equal(await gitState(place.folder), undefined);
    assert.deepEqual(await listNames(place.folder), ['.gitattributes', 'a.txt']);
  });

  it('by its hooks', async () => {
    await repository();
    await mkdir(place.at('.git/hooks'), { recursive: true });
    await cp(lever, place.at('.git/hooks/post-index-change'));
    await touch();
    assertPulls();
    await touch();
    await assertNotPulled();
  });

  it('by a submodule', async () => {
    await repository();
    const inner = place.at('sub');
    await cp(place.at('.git'), join(inner, '.git'), { recursive: true });
    await cp(place.at('a.txt'), join(inner, 'a.txt'));
    plainGit('add', 'sub');
    plainGit('commit', '-m', 'sub');
    await appendFile(join(inner, '.git/config'), `\n[core]\n\tfsmonitor = ${lever}\n`);
    assertPulls();
    await assertNotPulled();
  });

  it('to fetch what is missing from where its settings say', async () => {
    await repository();
    await place.put('a.txt', 'changed\n');
    plainGit('mv', 'a.txt', 'b.txt');
    await config(
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::${lever}\n\tpromisor = true\n\tuploadpack = ${lever}\n[protocol "ext"]\n\tallow = always`,
    );
    await rename(place.at('.git/objects'), place.at('.git/objects-gone'));
    await mkdir(place.at('.git/objects'));
    await assertNotPulled();
  });

  it('that an environment variable of the editor names', async () => {
    await repository();
    const added = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: lever,
      GIT_EXTERNAL_DIFF: lever,
      GIT_DIR: join(place.base, 'nowhere'),
    };
    const { env } = process;
    process.env = { ...env, ...added };
    try {
      await assertNotPulled();
      assert.equal((await gitState(place.folder))?.branch, 'main');
    } finally {
      process.env = env;
    }
  });

  it('but one of the PATH that does not lie in the folder', async () => {
    await repository();
    await cp(lever, place.at('git'));
    const limits = { timeoutMs: 10_000, maxBytes: 1_000_000 };
    const { PATH = '' } = process.env;
    process.env.PATH = [place.folder, '.', '', PATH].join(delimiter);
    try {
      const fresh = (await import(`../../../src/tools/git.ts?fresh=${String(Date.now())}`)) as {
        askGit: typeof askGit;
      };
      assert.match((await fresh.askGit(place.folder, ['status', '--porcelain'], limits)) ?? '', /\?\? git/);
    } finally {
      process.env.PATH = PATH;
    }
    assert.equal(wasPulled(), false);
  });
});

describe('the folder that git takes its settings from', () => {
  let place: ToolFolder;

  beforeEach(async () => {
    place = await createToolFolder();
  });
  afterEach(() => place.remove());

  const write = (path: string): Promise<unknown> =>
    call(createWriteTool(), { file_path: path, content: 'x' }, place.context());
  const refuses = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await assert.rejects(write(path), /folder that git takes its settings from/, path);
  };

  it('is not written to where it is laid open, and no folder is made into one', async () => {
    await write('HEAD');
    await write('config');
    await write('objects/a');
    await refuses('refs/a', 'refs/heads/deep/a');
    await write('sub/refs/a');
    await write('sub/objects/a');
    await refuses('sub/HEAD');
    await write('wt/commondir');
    await refuses('wt/HEAD');
  });

  it('is not written to where a .git file points, and where its settings are shared', async () => {
    await place.put('.git', 'gitdir: data/worktree\n');
    await place.put('data/worktree/commondir', '../common\n');
    await place.put('data/common/x', '');
    await refuses('data/worktree/config', 'data/common/config', 'data/common/hooks/pre-commit');
    await write('data/other');
  });

  it('is not written to by another spelling of its name, or through a link', async () => {
    await mkdir(place.at('.git'));
    await symlink('.git', place.at('link'));
    await refuses('.GIT/config', '.git./config', 'git~1/config', 'sub/.git/config', 'link/config');
  });

  it('is not looked for in files that are only called alike', async () => {
    for (const path of ['.gitignore', '.github/workflows/a.yml', 'HEAD.md', 'src/objects/a.ts', 'src/refs/b.ts'])
      await write(path);
  });
});
