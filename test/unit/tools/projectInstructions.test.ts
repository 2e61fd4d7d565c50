import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
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
    (await projectInstructions(folder, (_path, error) => assert.fail(String(error)))).map(
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
});
