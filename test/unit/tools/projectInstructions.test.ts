import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectInstructions } from '../../../src/tools/projectInstructions.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('project instructions', () => {
  let place: ToolFolder;

  beforeEach(async () => {
    place = await createToolFolder();
  });

  afterEach(() => place.remove());

  const found = async (folder = place.folder): Promise<readonly (readonly [string, string])[]> =>
    (await projectInstructions(folder, (problem) => assert.fail(problem))).map(
      ({ path, text }) => [path, text] as const,
    );

  it('are those of the folder and of its parents up to the root of the repository, nearest last', async () => {
    await writeFile(join(place.base, 'AGENTS.md'), 'beyond the repository');
    await mkdir(place.at('.git'));
    await place.put('AGENTS.md', 'of the root');
    await place.put('packages/app/CLAUDE.md', 'of the package');
    assert.deepEqual(await found(place.at('packages/app')), [
      ['../../AGENTS.md', 'of the root'],
      ['CLAUDE.md', 'of the package'],
    ]);
  });

  it('are only those of the folder itself where there is no repository', async () => {
    await place.put('AGENTS.md', 'outer');
    await place.put('app/AGENTS.md', 'inner');
    assert.deepEqual(await found(place.at('app')), [['AGENTS.md', 'inner']]);
  });

  it('are given once when one file is a link to the other, and not when blank', async () => {
    await place.put('AGENTS.md', 'the same');
    await symlink('AGENTS.md', place.at('CLAUDE.md'));
    assert.deepEqual(await found(), [['AGENTS.md', 'the same']]);
    await place.put('AGENTS.md', ' \n');
    assert.deepEqual(await found(), []);
  });

  it('are cut where they are long, never inside of a character, and say so', async () => {
    await place.put('AGENTS.md', `${'x'.repeat(32 * 1024 - 1)}é and more`);
    const [only] = await projectInstructions(place.folder, () => undefined);
    assert.equal(only?.cut, true);
    assert.equal(only.text, 'x'.repeat(32 * 1024 - 1));
  });

  it('are never waited for in a pipe, and a folder of that name is none', async () => {
    execFileSync('mkfifo', [place.at('AGENTS.md')]);
    await mkdir(place.at('CLAUDE.md'));
    assert.deepEqual(await found(), []);
  });

  describe('behind a link', () => {
    const problems: string[] = [];
    const read = async (): Promise<string> => {
      problems.length = 0;
      return JSON.stringify(await projectInstructions(place.folder, (problem) => problems.push(problem)));
    };

    it('are not read from anywhere outside of the repository, and that is said', async () => {
      await writeFile(join(place.base, 'secret.md'), 'the secret');
      await mkdir(join(place.base, 'workspace-twin'));
      await writeFile(join(place.base, 'workspace-twin', 'AGENTS.md'), 'the secret');
      await mkdir(place.at('.git'));
      for (const target of [
        join(place.base, 'secret.md'),
        '../secret.md',
        '../workspace-twin/AGENTS.md',
        '/proc/self/environ',
        '/proc/thread-self/environ',
        '/dev/zero',
        '/etc/passwd',
      ]) {
        for (const name of ['AGENTS.md', 'CLAUDE.md']) {
          await symlink(target, place.at(name));
          assert.equal(await read(), '[]', target);
          assert.deepEqual(problems, [
            `${name} is a link that leads out of the repository, or to a file that is not for agents. It was not read.`,
          ]);
          await rm(place.at(name));
        }
      }
    });

    it('are not read through a folder that leads out, nor through a chain of links', async () => {
      await mkdir(place.at('.git'));
      await writeFile(join(place.base, 'AGENTS.md'), 'the secret');
      await symlink(place.base, place.at('docs'));
      await symlink('docs/AGENTS.md', place.at('chain.md'));
      await symlink('chain.md', place.at('AGENTS.md'));
      assert.equal(await read(), '[]');
      assert.equal(problems.length, 1);
    });

    it('are not a secret of the folder itself', async () => {
      await place.put('.env', 'API_KEY=the-secret');
      await symlink('.env', place.at('AGENTS.md'));
      assert.equal(await read(), '[]');
      assert.equal(problems.length, 1);
    });

    it('are read where it leads to others of the repository', async () => {
      await mkdir(place.at('.git'));
      await place.put('docs/for-agents.md', 'from the docs');
      await place.put('packages/app/x', '');
      await symlink('../../docs/for-agents.md', place.at('packages/app/CLAUDE.md'));
      assert.deepEqual(await found(place.at('packages/app')), [['CLAUDE.md', 'from the docs']]);
    });

    it('are read in a folder that is itself opened through a link', async () => {
      await place.put('AGENTS.md', 'here');
      await rename(place.folder, `${place.folder}-real`);
      await symlink(`${place.folder}-real`, place.folder);
      assert.deepEqual(await found(), [['AGENTS.md', 'here']]);
      await rm(place.folder);
      await rename(`${place.folder}-real`, place.folder);
    });
  });
});
