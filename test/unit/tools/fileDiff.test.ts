import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { fileDiff } from '../../../src/core/fileDiff.ts';

const lines = (count: number, mark = ''): string =>
  Array.from({ length: count }, (_, i) => `line ${String(i)}${mark}\n`).join('');

describe('fileDiff', () => {
  it('shows a change with its surroundings and the right line numbers', () => {
    const before = lines(1000);
    const after = before.replace('line 500\n', 'new\nlines\n');
    assert.deepEqual(fileDiff('a.txt', before, after), {
      text: '--- a/a.txt\n+++ b/a.txt\n@@ -498,7 +498,8 @@\n line 497\n line 498\n line 499\n-line 500\n+new\n+lines\n line 501\n line 502\n line 503\n',
      added: 2,
      removed: 1,
    });
  });

  it('shows a new file, and no change', () => {
    assert.equal(fileDiff('a', null, 'x\n').text, '--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n');
    assert.deepEqual(fileDiff('a', 'x\n', 'x\n'), { text: '--- a/a\n+++ b/a\n(no change)\n', added: 0, removed: 0 });
  });

  it('is a valid diff for any two texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '', '\n', '\n\n', 'a\nb\n', '\r\n', '-x\n', '+y'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = fileDiff('f', before, after);
        if (before === after) assert.deepEqual([diff.added, diff.removed], [0, 0]);
        else assert.equal(applyPatch(before, diff.text), after);
      }),
      { numRuns: 500 },
    );
  });

  it('of texts that have nothing in common is valid too, without a search for the smallest', () => {
    const before = lines(5000);
    const after = lines(5000, 'x');
    const diff = fileDiff('f', before, after, Infinity);
    assert.deepEqual([diff.added, diff.removed], [5000, 5000]);
    assert.equal(applyPatch(before, diff.text), after);
  });

  it('of a region that is too large is counted only', () => {
    const before = `same\n${lines(60_000)}same\n`;
    assert.deepEqual(fileDiff('f', before, before.replaceAll('line', 'row')), {
      text: '--- a/f\n+++ b/f\n(60,000 lines replaced by 60,000 lines: too many to show)\n',
      added: 60_000,
      removed: 60_000,
    });
  });

  it('is cut between lines, and counts what is left out', () => {
    const { text, added } = fileDiff('f', null, lines(1000), 200);
    assert.equal(added, 1000);
    assert.ok(text.length < 260);
    const shown = text.split('\n').filter((line) => line.startsWith('+line')).length;
    assert.ok(text.endsWith(`\n(${String(1000 - shown)} more lines of the diff left out)\n`));
    assert.ok(fileDiff('f', null, '😀'.repeat(1000), 201).text.isWellFormed());
  });
});
