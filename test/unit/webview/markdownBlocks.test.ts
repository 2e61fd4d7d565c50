import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linkTarget } from '../../../webview-ui/links.ts';
import { continueBlocks, escapeHtml, markdownBlocks, noBlocks } from '../../../webview-ui/markdownBlocks.ts';

const answer = `# Title

Some *text* with \`code\`.

- one
- two

  still two

\`\`\`python
def f():
    pass
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

The end.`;

const htmlOf = (markdown: string): string =>
  markdownBlocks(markdown)
    .map((block) => (block.kind === 'html' ? block.html : ''))
    .join('');

describe('webview markdown', () => {
  it('makes a block of each part and a code block of fenced code', () => {
    const blocks = markdownBlocks(answer);
    assert.deepEqual(
      blocks.map((block) => block.kind),
      ['html', 'html', 'html', 'code', 'html', 'html'],
    );
    const code = blocks[3];
    assert.deepEqual(code?.kind === 'code' && [code.language, code.text], ['python', 'def f():\n    pass']);
  });

  it('shows raw HTML as text and turns images into links', () => {
    assert.match(htmlOf('before <script>alert(1)</script> after'), /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.match(htmlOf('<img src=x onerror=alert(1)>\n'), /&lt;img/);
    const image = htmlOf('![a "chart"](https://example.com/c.png?a=1&b="2")');
    assert.ok(!image.includes('<img'), image);
    assert.match(image, /<a href="https:\/\/example.com\/c.png/);
  });

  it('gives the same blocks for a text that arrived in pieces as for the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        let streamed = noBlocks;
        let length = 0;
        for (let i = 0; length < answer.length; i++) {
          length += sizes[i % sizes.length] ?? 1;
          streamed = continueBlocks(streamed, answer.slice(0, length));
        }
        assert.deepEqual(
          [...streamed.stable, ...streamed.open].map((block) => ({ ...block, raw: block.raw.trim() })),
          markdownBlocks(answer).map((block) => ({ ...block, raw: block.raw.trim() })),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('does not touch the first blocks again while the text grows', () => {
    const first = continueBlocks(noBlocks, answer.slice(0, -3));
    const second = continueBlocks(first, answer);
    assert.ok(first.stable.length >= 3);
    for (const [index, block] of first.stable.entries()) assert.equal(second.stable[index], block);
  });

  it('shows an unclosed fence as code', () => {
    const { open } = continueBlocks(noBlocks, 'See:\n\n```ts\nconst a = 1;\nconst b');
    assert.deepEqual(open.at(-1)?.kind === 'code' && open.at(-1), {
      kind: 'code',
      raw: '```ts\nconst a = 1;\nconst b',
      language: 'ts',
      text: 'const a = 1;\nconst b',
    });
  });

  it('keeps up with texts that have carriage returns', () => {
    const text = answer.replaceAll('\n', '\r\n');
    const streamed = continueBlocks(continueBlocks(noBlocks, text.slice(0, 40)), text);
    assert.equal([...streamed.stable, ...streamed.open].length, 6);
  });

  it('escapes what would be markup', () => {
    assert.equal(escapeHtml(`<a b="c" d='e'>&`), '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  });
});

describe('webview links', () => {
  it('opens web addresses outside and relative paths in the editor', () => {
    assert.deepEqual(linkTarget('https://example.com/a'), { kind: 'web', href: 'https://example.com/a' });
    assert.deepEqual(linkTarget('./src/a%20b.ts#L10'), { kind: 'file', path: 'src/a b.ts' });
    assert.deepEqual(linkTarget('src/a.ts:10:2'), { kind: 'file', path: 'src/a.ts' });
    assert.deepEqual(linkTarget('100%.txt'), { kind: 'file', path: '100%.txt' });
  });

  it('leads nowhere for commands, scripts and fragments', () => {
    for (const href of [
      'command:x',
      'javascript:alert(1)',
      'vscode://x',
      'file:///etc/passwd',
      '//host/x',
      '#top',
      '',
    ]) {
      assert.equal(linkTarget(href), undefined, href);
    }
  });
});
