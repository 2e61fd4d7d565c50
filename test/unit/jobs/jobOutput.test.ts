import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanOutput, createLiveTail, shapeOutput, windowOf } from '../../../src/core/jobOutput.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const shape = (text: string, headBytes: number, tailBytes: number): string =>
  shapeOutput(windowOf(bytesOf(text), { headBytes, tailBytes })).text;

describe('job output', () => {
  it('is given whole when it fits', () => {
    assert.deepEqual(shapeOutput(windowOf(bytesOf('a\nb'), { headBytes: 2, tailBytes: 1 })), {
      text: 'a\nb',
      totalBytes: 3,
      omittedBytes: 0,
      omittedLines: 0,
      isBinary: false,
    });
    assert.equal(shape('', 1, 1), '');
  });

  it('is cut between lines where it can be, and what is left out is counted', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${String(index).padStart(2, '0')}\n`).join('');
    const shaped = shapeOutput(windowOf(bytesOf(text), { headBytes: 18, tailBytes: 26 }));
    assert.equal(shaped.text, 'line 00\nline 01\n[… 760 bytes, 95 lines left out …]\nline 97\nline 98\nline 99\n');
    assert.deepEqual([shaped.omittedBytes, shaped.omittedLines], [760, 95]);
  });

  it('is never cut inside a character', () => {
    const text = '🙂'.repeat(50);
    for (let head = 1; head < 12; head++) {
      for (let tail = 1; tail < 12; tail++) {
        const shaped = shape(text, head, tail);
        const expected = `${'🙂'.repeat(Math.floor(head / 4))}|${'🙂'.repeat(Math.floor(tail / 4))}`;
        assert.equal(shaped.replace(/\n?\[…[^\]]*\]\n?/, '|'), expected, `${head} ${tail}`);
      }
    }
  });

  it('is well-formed text whatever the bytes and the limits are', () => {
    const limit = fc.nat(40);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), limit, limit, (bytes, headBytes, tailBytes) => {
        const shaped = shapeOutput(windowOf(bytes, { headBytes, tailBytes }));
        return shaped.text.isWellFormed() && !shaped.text.includes('\u001b') && shaped.omittedBytes <= bytes.length;
      }),
    );
  });

  it('that is binary is named, not shown', () => {
    const bytes = Uint8Array.from({ length: 12_345 }, (_, index) => (index * 7919) % 256);
    const shaped = shapeOutput(windowOf(bytes, { headBytes: 100, tailBytes: 100 }));
    assert.deepEqual([shaped.text, shaped.isBinary], ['binary output, 12,345 bytes', true]);
    assert.equal(shape('./first/file.txt\0./second/file.txt\0', 100, 0), './first/file.txt␀./second/file.txt␀');
  });

  it('has no escape sequences, also not cut ones', () => {
    const link = '\u001b]8;;https://example.com\u001b\\name\u001b]8;;\u0007';
    assert.equal(cleanOutput(`\u001b[1;31mred\u001b[0m ${link} \u001b(Bx\u001b[?25l\u001b7`), 'red name x');
    assert.equal(cleanOutput('end\u001b[3'), 'end');
    assert.equal(cleanOutput('end\u001b'), 'end');
    assert.equal(cleanOutput('a\u001b]0;title without an end\nnext'), 'a\nnext');
  });

  it('shows the last state of a line that was written over', () => {
    assert.equal(cleanOutput('10%\r50%\r100%\ndone\r\n'), '100%\ndone\n');
    assert.equal(cleanOutput('\u001b[2K\r[1/2] a\u001b[2K\r[2/2] b\r'), '[2/2] b');
    assert.equal(cleanOutput('work |\b/\b-\b done🙂\b!'), 'work  done!');
  });
});

describe('live tail', () => {
  const feed = (bytes: Uint8Array, size: number, lines: number): readonly string[] => {
    const tail = createLiveTail(lines);
    for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size));
    return tail.lines();
  };

  it('gives the same lines however the bytes are cut into chunks', () => {
    const bytes = bytesOf('one 🙂\n\u001b[32mtwo\u001b[0m\n1%\r99%\r\nthé end');
    for (let size = 1; size <= bytes.length; size++) {
      assert.deepEqual(feed(bytes, size, 3), ['two', '99%', 'thé end'], String(size));
    }
  });

  it('keeps the last lines, the unfinished one included', () => {
    assert.deepEqual(feed(bytesOf('a\nb\nc\nd'), 3, 2), ['c', 'd']);
    assert.deepEqual(feed(bytesOf('a\nb\nc\n'), 3, 2), ['b', 'c']);
    assert.deepEqual(feed(bytesOf(''), 1, 2), []);
  });

  it('stays small on a line that never ends', () => {
    const progress = Array.from({ length: 20_000 }, (_, index) => `step ${index}\r`).join('');
    assert.deepEqual(feed(bytesOf(progress), 1000, 5), ['step 19999']);
    const [line = ''] = feed(bytesOf('🙂'.repeat(20_000)), 1001, 5);
    assert.ok(line.length <= 2000 && line.isWellFormed());
  });

  it('names what is binary', () => {
    assert.deepEqual(feed(new Uint8Array(3000), 500, 5), ['binary output, 3,000 bytes']);
  });
});
