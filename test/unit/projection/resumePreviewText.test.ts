import assert from 'node:assert/strict';
import { fileLines, sentLines, type PreviewFacts } from '../../../src/projection/resumePreviewText.ts';

const facts: PreviewFacts = {
  tokens: 12_034,
  isCounted: true,
  newTokens: 900,
  cache: 'warm',
  openCalls: 0,
  isCompactedFirst: false,
  artifacts: { ok: true, value: [] },
};

describe('resume preview: its words', () => {
  it('say how much is sent, who counted it, and what of it is new', () => {
    assert.deepEqual(sentLines(facts), [
      '12,034 tokens, counted by the server',
      'About 900 of them new; the server may still have the rest in its cache',
    ]);
    const cold = sentLines({ ...facts, isCounted: false, cache: 'cold', openCalls: 1, isCompactedFirst: true });
    assert.match(cold[0] ?? '', /estimated$/);
    assert.match(cold[1] ?? '', /older than the 5 minutes/);
    assert.match(cold[2] ?? '', /compacted first/);
    assert.equal(cold[3], '1 call is settled first; what comes of that is unknown');
  });

  it('name what is missing before what was changed, and what is intact last', () => {
    const value = (['intact', 'missing', 'changed'] as const).map((verdict) => ({
      artifact: { path: `${verdict}.txt`, change: 'created' as const },
      verdict,
    }));
    assert.deepEqual(
      fileLines({ artifacts: { ok: true, value } }).map(({ path }) => path),
      ['missing.txt', 'changed.txt', 'intact.txt'],
    );
    assert.deepEqual(fileLines({ artifacts: { ok: false, reason: 'No folder.' } }), [
      { path: 'Files', words: 'unknown: No folder.' },
    ]);
  });
});
