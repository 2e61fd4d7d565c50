import assert from 'node:assert/strict';
import { attachmentLimits, buildAttachments, type FoundContent } from '../../../src/core/attachments.ts';

const file = (content: string, more: Partial<FoundContent> = {}): FoundContent => ({
  kind: 'file',
  label: 'a.ts',
  path: 'a.ts',
  content,
  ...more,
});

describe('attachments', () => {
  it('are one tagged block each, with where it is from', () => {
    assert.deepEqual(buildAttachments([file('let a;\n')]), [
      {
        kind: 'file',
        label: 'a.ts',
        path: 'a.ts',
        text: '<attachment kind="file" path="a.ts">\nlet a;\n\n</attachment>',
      },
    ]);
    const [selection] = buildAttachments([
      { kind: 'selection', label: 'a.ts:3-9', path: 'a "b".ts', firstLine: 3, lastLine: 9, content: 'x' },
    ]);
    assert.equal(
      selection?.text,
      '<attachment kind="selection" path="a &quot;b&quot;.ts" lines="3-9">\nx\n</attachment>',
    );
    assert.equal(selection.line, 3);
  });

  it('are cut to their limit by code point, and say so to both', () => {
    const [cut] = buildAttachments([file(`${'a'.repeat(attachmentLimits.each - 1)}🎉`)]);
    assert.ok(cut);
    assert.ok(cut.text.isWellFormed());
    assert.equal(cut.problem, 'Only the first 59,999 characters are attached.');
    assert.ok(cut.text.endsWith('a\n(Only the first 59,999 characters are attached.)\n</attachment>'));
  });

  it('keep the end of an output', () => {
    const [cut] = buildAttachments([file(`begin${'b'.repeat(attachmentLimits.each)}end`, { keeps: 'end' })]);
    assert.ok(cut?.text.includes('bend\n(Only the last 60,000 characters are attached.)'));
    assert.doesNotMatch(cut?.text ?? '', /begin/);
  });

  it('of one message have a limit together, in number too', () => {
    const large = buildAttachments(Array.from({ length: 5 }, () => file('x'.repeat(attachmentLimits.each))));
    const sum = large.reduce((total, { text }) => total + text.length, 0);
    assert.ok(sum < attachmentLimits.all + 2_000, String(sum));
    assert.match(large.at(-1)?.problem ?? '', /^Left out/);
    const many = buildAttachments(Array.from({ length: attachmentLimits.count + 1 }, () => file('x')));
    assert.equal(many.at(-2)?.problem, undefined);
    assert.match(many.at(-1)?.text ?? '', /Left out/);
  });

  it('that are missing say why, to the model too', () => {
    const [missing] = buildAttachments([file('', { problem: 'It was not there when the message was sent.' })]);
    assert.equal(
      missing?.text,
      '<attachment kind="file" path="a.ts">\n(It was not there when the message was sent.)\n</attachment>',
    );
  });
});
