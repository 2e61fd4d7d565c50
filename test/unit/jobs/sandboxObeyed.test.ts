// What programs outside of the sandbox run or obey by themselves, in the folder of a confined command: what counts is what is
// there afterwards.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { obeyedNames } from '../../../src/core/confinement.ts';
import { openSandboxFixture, type SandboxFixture } from '../../support/sandbox/sandboxFixture.ts';
import { until } from './jobsFixture.ts';

(process.platform === 'linux' ? describe : describe.skip)('what a confined command can make others run', function () {
  this.timeout(60_000);
  let fixture: SandboxFixture;
  beforeEach(async () => {
    fixture = await openSandboxFixture();
  });
  afterEach(() => fixture.dispose());

  const put = (path: string, text = 'as it was\n'): void => {
    mkdirSync(dirname(join(fixture.folder, path)), { recursive: true });
    writeFileSync(join(fixture.folder, path), text);
  };
  const read = (path: string): string => readFileSync(join(fixture.folder, path), 'utf8');
  const git = (...values: readonly string[]): string =>
    execFileSync('git', ['-C', fixture.folder, ...values], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const append = '[core]\\n\\tfsmonitor = evil\\n';

  it('files and folders of the list stay as they are, wherever they stand', async () => {
    const paths = [
      ...['.github/workflows/ci.yml', 'eslint.config.js', 'GEMINI.md', '.cursorrules', '.gitattributes', 'mise.toml'],
      ...['.githooks/pre-commit', 'CLAUDE.local.md', 'pkg/.vscode/tasks.json', 'pkg/AGENTS.md', 'a/b/c/.envrc'],
    ];
    for (const path of paths) put(path);
    const tries = paths.map((path) => `echo evil >> ${path}; echo evil > y; mv -f y ${path}; rm -f ${path}`);
    await fixture.run(`${tries.join('; ')}; mv .github g; mkdir -p .github/workflows; mv pkg/.vscode v`);
    for (const path of paths) assert.equal(read(path), 'as it was\n', path);
  });

  it('what an installation writes can be written', async () => {
    const paths = [
      'package.json',
      'package-lock.json',
      'node_modules/a/package.json',
      '.venv/bin/a',
      'sub/package.json',
    ];
    const written = [...paths, 'model.pth', '.yarn/install-state.gz', 'composer.json'];
    for (const path of written) put(path);
    await fixture.run(written.map((path) => `echo new > ${path}.1 && mv ${path}.1 ${path}`).join('; '));
    for (const path of written) assert.equal(read(path), 'new\n', path);
  });

  it('what a link of such a name leads to stays as it is and where it is', async () => {
    put('docs/A.md');
    put('cfg/settings.json');
    symlinkSync('docs/A.md', join(fixture.folder, 'AGENTS.md'));
    symlinkSync('cfg', join(fixture.folder, '.claude'));
    await fixture.run(
      'echo evil >> AGENTS.md; echo evil > .claude/settings.json; mv docs d; mkdir docs; echo evil > docs/A.md; rm -rf cfg',
    );
    assert.deepEqual([read('AGENTS.md'), read('.claude/settings.json')], ['as it was\n', 'as it was\n']);
  });

  it('none of the well-known names can be made, and nothing is left of what stood for them', async () => {
    const tries = obeyedNames.map(
      (name) => `mkdir -p ${name}/x; echo evil > ${name}; rmdir ${name}; echo evil > ${name}`,
    );
    await fixture.run(tries.join('; '));
    assert.deepEqual(readdirSync(fixture.folder), []);
    put('.github/labels.yml');
    await fixture.run('mkdir -p .github/workflows; echo evil > .github/workflows/a.yml; mv .github g; mkdir .github');
    assert.deepEqual(readdirSync(join(fixture.folder, '.github')), ['labels.yml']);
  });

  it('a file of the user that was made meanwhile in place of one is kept', async () => {
    await fixture.start('long', 'echo > ready; while [ ! -e done ]; do sleep 0.05; done');
    await until(() => existsSync(join(fixture.folder, 'ready')));
    put('.claude/mine');
    put('done');
    await fixture.jobs.follow('long', 0, () => undefined, new AbortController().signal);
    assert.equal(read('.claude/mine'), 'as it was\n');
    assert.deepEqual(readdirSync(fixture.folder).sort(), ['.claude', 'done', 'ready']);
  });

  for (const [title, there] of [
    ['', []],
    [', where refs is there', ['refs/x']],
    [', where refs and objects are there', ['refs/x', 'objects/x']],
  ] as const) {
    it(`the folder itself does not become a repository${title}`, async () => {
      for (const path of there) put(path);
      await fixture.run(
        `mkdir objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\\nrepositoryformatversion = 0\\nbare = false\\nworktree = .\\nfsmonitor = evil\\n' > config; rm -f refs; mkdir -p refs`,
      );
      assert.throws(() => git('config', '--local', 'core.fsmonitor'));
    });
  }

  it('nothing is confined to the inside of a repository', async () => {
    git('init', '-q', '--bare', '.');
    const { exit } = await fixture.run('touch ran');
    assert.match(exit.message ?? '', /is the inside of a git repository/);
    assert.equal(existsSync(join(fixture.folder, 'ran')), false);
  });

  it('the folder that a file .git points to stays as it is', async () => {
    mkdirSync(join(fixture.folder, 'own'));
    git('init', '-q', '--separate-git-dir', join(fixture.folder, 'own', '.repo'));
    const before = read('own/.repo/config');
    await fixture.run(
      `printf '${append}' >> own/.repo/config; echo x > own/.repo/hooks/post-commit; mv own o; mkdir own; cp -r o/.repo own; printf '${append}' >> own/.repo/config; echo gitdir: /x > .git`,
    );
    assert.equal(read('own/.repo/config'), before);
    assert.equal(existsSync(join(fixture.folder, 'own/.repo/hooks/post-commit')), false);
    assert.match(git('status', '--short'), /own/);
  });

  it('a repository below stays as it is: its folder .git, and one without', async () => {
    git('init', '-q', '.');
    git('init', '-q', 'a/sub');
    git('init', '-q', '--bare', 'b/store');
    const paths = ['a/sub/.git/config', 'b/store/config'];
    const before = paths.map(read);
    await fixture.run(
      `${paths.map((path) => `printf '${append}' >> ${path}`).join('; ')}; echo x > a/sub/.git/hooks/post-commit; mv a/sub a/s; mv a c; mv b d; mkdir b`,
    );
    assert.deepEqual(paths.map(read), before);
    assert.equal(existsSync(join(fixture.folder, 'a/sub/.git/hooks/post-commit')), false);
  });

  it('a named pipe outside of the folder is not written', async () => {
    const pipes = [join(fixture.home, 'a', 'control'), join(fixture.base, 'beside')];
    mkdirSync(join(fixture.home, 'a'));
    for (const path of pipes) execFileSync('mkfifo', [path]);
    // Open for both, so that nobody waits for the other end.
    const ends = pipes.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
    try {
      await fixture.run(pipes.map((path) => `echo evil > ${path}`).join('; '));
      for (const end of ends) assert.throws(() => readSync(end, Buffer.alloc(8)), { code: 'EAGAIN' });
    } finally {
      for (const end of ends) closeSync(end);
    }
  });
});
