import assert from 'node:assert/strict';
import { countAlternatives } from '../../../src/core/globPattern.ts';

describe('the number of patterns that a glob pattern stands for', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['**/*.ts', 1],
    ['*.{ts,tsx}', 2],
    ['{a,b}{c,d,e}', 6],
    ['{a,{b,c}{d,e}}', 5],
    ['{a}', 1],
    ['{}', 1],
    ['{a,b', 2],
    ['a,b}', 1],
    ['\\{a,b}', 1],
    ['{1..100}', 100],
    ['{9..1..2}', 5],
    ['{a..e}', 5],
    ['{x{1..4}}', 4],
    ['{a,b}'.repeat(20), 2 ** 20],
    ['{1..999999}{1..999999}', 999_999 ** 2],
  ];
  for (const [pattern, count] of cases) {
    it(`is ${String(count)} for ${pattern}`, () => {
      assert.equal(countAlternatives(pattern), count);
    });
  }

  it('is too many for braces that are nested or repeated without end', () => {
    assert.equal(countAlternatives('{a,'.repeat(100_000)), Infinity);
    assert.equal(countAlternatives('{a,b}'.repeat(100_000)), Infinity);
  });
});
