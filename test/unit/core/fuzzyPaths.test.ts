import assert from 'node:assert/strict';
import { createPathSearch, indexPaths, type IndexedPath } from '../../../src/core/fuzzyPaths.ts';

function findPaths(
  query: string,
  paths: readonly IndexedPath[],
  limit: number,
  first?: ReadonlySet<string>,
): readonly IndexedPath[] {
  const search = createPathSearch(query, limit, first);
  // In pieces, as a large folder is looked through.
  for (let from = 0; from < paths.length; from += 7_000) search.add(paths.slice(from, from + 7_000));
  return search.best();
}

const files = [
  'README.md',
  'src/app.ts',
  'src/core/redact.ts',
  'src/core/words.ts',
  'src/runner/sessions.ts',
  'test/unit/core/words.test.ts',
  'webview-ui/components/Composer.tsx',
];
const index = indexPaths(files);
const find = (query: string, limit = 3, first?: ReadonlySet<string>): readonly string[] =>
  findPaths(query, index, limit, first).map(({ path }) => path);

describe('fuzzy paths', () => {
  it('finds by the beginning of the name first, then by the path, then by single letters', () => {
    assert.deepEqual(find('words'), ['src/core/words.ts', 'test/unit/core/words.test.ts']);
    assert.equal(find('COMP')[0], 'webview-ui/components');
    assert.equal(find('composer')[0], 'webview-ui/components/Composer.tsx');
    assert.equal(find('core/re')[0], 'src/core/redact.ts');
    assert.equal(find('srss')[0], 'src/runner/sessions.ts');
    assert.deepEqual(find('nowhere'), []);
  });

  it('begins with what lies at the top, and knows folders', () => {
    assert.equal(find('', 4)[0], 'README.md');
    assert.deepEqual(find('', 4).toSorted(), ['README.md', 'src', 'test', 'webview-ui']);
    assert.ok(findPaths('runner', index, 1)[0]?.isFolder);
  });

  it('puts open files first among those that fit alike', () => {
    assert.equal(find('words', 1, new Set(['test/unit/core/words.test.ts']))[0], 'test/unit/core/words.test.ts');
  });

  it('looks through the paths of a large folder without dropping any', () => {
    const many = indexPaths(
      Array.from({ length: 100_000 }, (_, n) => `packages/p${String(n % 500)}/src/file${String(n)}.ts`),
    );
    assert.equal(findPaths('file99999', many, 50)[0]?.path, 'packages/p499/src/file99999.ts');
    assert.equal(findPaths('p', many, 50).length, 50);
  });
});
