import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { ToolInputError } from '../../src/runner/ports.ts';
import { confine } from '../../src/tools/sdkTools.ts';
import { createWriteTool } from '../../src/tools/writeTool.ts';

/** Where a path really leads: that of its longest part that exists, links followed, and the rest. */
async function leadsTo(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await leadsTo(parent), path.slice(parent.length));
  }
}

describe('confinement: fuzzed', function () {
  this.timeout(60_000);
  let base: string;
  let folder: string;
  let storage: string;

  before(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-confined-')));
    folder = join(base, 'work');
    storage = join(base, 'storage');
    for (const each of ['work/sub/deep', 'work-twin', 'outside/deep', 'storage'])
      await mkdir(join(base, each), { recursive: true });
    for (const each of ['outside/secret.txt', 'outside/deep/secret.txt', 'work-twin/secret.txt', 'secret.txt'])
      await writeFile(join(base, each), 'secret');
    await writeFile(join(folder, 'in.txt'), 'in');
    const links: readonly (readonly [name: string, to: string])[] = [
      ['out', join(base, 'outside')],
      ['out-relative', '../outside'],
      ['out-file', '../outside/secret.txt'],
      ['chain', 'out'],
      ['up', '..'],
      ['sub/up', '../..'],
      ['root', '/'],
      ['dangling', '../outside/new.txt'],
      ['loop', 'loop'],
      ['in', 'sub/deep'],
      ['in-absolute', join(folder, 'sub')],
    ];
    for (const [name, to] of links) await symlink(to, join(folder, name));
  });
  after(() => rm(base, { recursive: true, force: true }));

  const part = fc.constantFrom(
    ...['..', '.', '', 'sub', 'deep', 'in.txt', 'new.txt', 'secret.txt', 'outside', 'work', 'work-twin', '...', '..x'],
    ...['out', 'out-relative', 'out-file', 'chain', 'up', 'root', 'dangling', 'loop', 'in', 'in-absolute'],
    ...[
      'OUT',
      'Sub',
      'IN.TXT',
      '~',
      'C:',
      '\\\\server\\share',
      '..\\..\\outside',
      '%2e%2e',
      '．．',
      'a\u0000b',
      '\u202e',
    ],
  );
  const path = fc
    .record({
      start: fc.constantFrom(
        '',
        '',
        '',
        '',
        '/',
        '//',
        './',
        'BASE/',
        'FOLDER/',
        'FOLDER/../',
        'file:///',
        '\\\\?\\',
        '~/',
      ),
      parts: fc.array(part, { minLength: 1, maxLength: 6 }),
      separator: fc.constantFrom('/', '/', '/', '//', '\\'),
      end: fc.constantFrom('', '', '/', '/.', '/..'),
    })
    .map(({ start, parts, separator, end }) => start + parts.join(separator) + end);
  const placed = (text: string): string => text.replace('BASE', base).replace('FOLDER', folder);
  const isInside = (real: string): boolean => real === folder || real.startsWith(folder + sep);

  it('a path is refused, or leads into the folder with every link followed', async () => {
    let taken = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(path, async (text) => {
        try {
          const { real, relative: named } = await confine(folder, placed(text));
          taken += 1;
          assert.ok(isInside(real), real);
          assert.ok(isInside(await leadsTo(real)), `${real} leads out of the folder`);
          assert.equal(resolve(folder, named), real);
          assert.ok(!named.split('/').includes('..'), named);
        } catch (error) {
          if (!(error instanceof ToolInputError)) throw error;
          refused += 1;
        }
      }),
      { numRuns: 1_500 },
    );
    assert.ok(taken > 100 && refused > 100, `${String(taken)} taken, ${String(refused)} refused`);
  });

  it('whatever a write is asked for, nothing outside of the folder changes', async () => {
    const outside = async (): Promise<string> => {
      // Not through the links of the folder itself: they lead everywhere.
      const below = ['outside', 'work-twin'].map(async (name) =>
        (await readdir(join(base, name), { recursive: true })).map((each) => join(name, each)),
      );
      const names = [...(await readdir(base)), ...(await Promise.all(below)).flat()].sort();
      const files = names.filter((name) => name.endsWith('.txt'));
      return JSON.stringify([names, await Promise.all(files.map((name) => readFile(join(base, name), 'utf8')))]);
    };
    const before = await outside();
    const context = {
      ...{ sessionId: 's', stepId: 'step', folder, storage, tasks: [] },
      signal: new AbortController().signal,
      showOutput: () => undefined,
      done: () => [],
      log: () => undefined,
    };
    let written = 0;
    await fc.assert(
      fc.asyncProperty(path, async (text) => {
        try {
          const plan = await createWriteTool().plan({ file_path: placed(text), content: 'overwritten' }, context);
          const { outcome } = await plan.execute();
          if (outcome === 'succeeded') written += 1;
        } catch (error) {
          if (!(error instanceof ToolInputError)) throw error;
        }
        assert.equal(await outside(), before, relative(base, placed(text)));
      }),
      { numRuns: 250 },
    );
    assert.ok(written > 10, String(written));
  });
});
