import assert from 'node:assert/strict';
import { cutOf } from '../../../webview-ui/cutText.ts';

const lines = (count: number, text = 'echo x'): string => Array.from({ length: count }, () => text).join('\n');

describe('the box of what is asked for', () => {
  it('shows all of what an eye takes in', () => {
    assert.equal(cutOf('npm test', 'shell'), undefined);
    assert.equal(cutOf(`${lines(12)}\n`, 'shell'), undefined);
    assert.equal(cutOf(lines(28, '+x'), 'diff'), undefined);
  });

  it('says how many lines are below the cut', () => {
    assert.deepEqual(cutOf(lines(60), 'shell'), { head: lines(12), words: '48 more lines' });
    assert.deepEqual(cutOf(lines(13), 'shell'), { head: lines(12), words: '1 more line' });
    assert.equal(cutOf(lines(29, '+x'), 'diff')?.words, '1 more line');
  });

  it('says how many characters of a long line are below it', () => {
    assert.equal(cutOf('x'.repeat(5_000), 'shell')?.words, '4,100 more characters');
    assert.match(cutOf(`${'x'.repeat(5_000)}\nrm y`, 'shell')?.words ?? '', /^4,105 more characters in 2 lines$/);
  });

  it('does not cut what is counted in a mark: what comes after many line ends or blanks is seen', () => {
    assert.equal(cutOf(`ls${'\n'.repeat(60)}rm -rf x`, 'shell'), undefined);
    assert.equal(cutOf(`ls${' '.repeat(40_000)}; rm -rf x`, 'shell'), undefined);
    const cut = cutOf(`${lines(3)}${'\n'.repeat(60)}rm x\n${lines(40)}`, 'shell');
    assert.match(cut?.head ?? '', /rm x/);
  });

  it('cuts no pair of surrogates and counts all that is left out', () => {
    const text = `${'x'.repeat(899)}😀${'y'.repeat(100)}`;
    const cut = cutOf(text, 'shell');
    assert.ok(cut);
    assert.ok(cut.head.isWellFormed());
    assert.equal(cut.words, `${String(text.length - cut.head.length)} more characters`);
  });
});
