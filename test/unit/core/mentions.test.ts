import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mentionsIn, mentionText, normalPath } from '../../../src/core/mentions.ts';

const names = (text: string): readonly string[] => mentionsIn(text).map(({ name }) => name);

describe('mentions', () => {
  it('are found at the beginning of words, without the punctuation behind them', () => {
    assert.deepEqual(names('@src/a.ts and (@b.ts), "@c.ts". Then @selection: @problems?'), [
      'src/a.ts',
      'b.ts',
      'c.ts',
      'selection',
      'problems',
    ]);
    assert.deepEqual(names('line\n@d.ts\n\t@e/'), ['d.ts', 'e/']);
  });

  it('are not found in addresses, in words or alone', () => {
    assert.deepEqual(names('me@example.com a@b @ @. @@'), ['@']);
  });

  it('have quotes where the path has blanks', () => {
    assert.deepEqual(names('See @"docs/my notes.md" and @"half'), ['docs/my notes.md']);
    assert.equal(mentionText('docs/my notes.md'), '@"docs/my notes.md"');
    assert.equal(mentionText('a.ts'), '@a.ts');
    assert.equal(mentionText('what?'), '@"what?"');
  });

  it('say where they stand', () => {
    const text = 'Go @a.ts, then @"b c".';
    assert.deepEqual(
      mentionsIn(text).map(({ start, end }) => text.slice(start, end)),
      ['@a.ts', '@"b c"'],
    );
  });

  it('are found again as they were written, whatever the path', () => {
    const path = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((name) => !/["\n\u2028\u2029\r]/.test(name) && name.isWellFormed());
    fc.assert(fc.property(path, (name) => assert.deepEqual(names(`a ${mentionText(name)} b`), [name])));
  });

  it('mean the same path however it is begun and ended', () => {
    assert.deepEqual(['./src/', '/src', 'src', 'src\\'].map(normalPath), ['src', 'src', 'src', 'src']);
    assert.equal(normalPath('.env'), '.env');
  });
});
