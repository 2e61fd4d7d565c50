import assert from 'node:assert/strict';
import { sentLines, stepLines, type PreviewFacts } from '../../../src/projection/resumePreviewText.ts';
import { priceOf } from '../../../src/model/prices.ts';

const facts: PreviewFacts = {
  request: { model: 'claude-sonnet-4-5' },
  tokens: 12_034,
  isCounted: true,
  newTokens: 900,
  cache: 'warm',
  isCompactedFirst: false,
  steps: [],
};
/** $3 to read a million, $3.75 to put them into the cache, $0.30 to take them out. */
const prices = (): ReturnType<typeof priceOf> => ({
  input: 3,
  output: 15,
  cacheWrite5m: 3.75,
  cacheWrite1h: 6,
  cacheRead: 0.3,
});

describe('resume preview: its words', () => {
  it('say how much is sent, who counted it, what of it is new, and what that costs', () => {
    assert.deepEqual(sentLines({ ...facts, tokens: 1_000_000, newTokens: 100_000 }, prices), [
      '1,000,000 tokens, counted by the server',
      'About 100,000 of them new; the server may still have the rest in its cache',
      'Costs $0.65 from the cache, $3.75 without it, and what the answer costs',
    ]);
    const cold = sentLines({ ...facts, isCounted: false, cache: 'cold', isCompactedFirst: true }, prices);
    assert.match(cold[0] ?? '', /estimated$/);
    assert.match(cold[1] ?? '', /older than the 5 minutes/);
    assert.equal(cold[2], 'Costs $0.05, and what the answer costs');
    assert.match(cold[3] ?? '', /compacted first/);
  });

  it('say that a price is not known, and give no range within a cent', () => {
    assert.equal(sentLines(facts, () => undefined)[2], 'The price of claude-sonnet-4-5 is not known');
    assert.equal(
      sentLines({ ...facts, tokens: 1_000, newTokens: 10 }, prices)[2],
      'Costs less than $0.01, and what the answer costs',
    );
  });

  it('name the steps whose files are missing before those that were changed, what is cut, and what is intact last', () => {
    const step = (verdict: PreviewFacts['steps'][number]['verdict'], files = 1): PreviewFacts['steps'][number] => ({
      title: `Ran ${verdict}`,
      verdict,
      files: Array.from({ length: files }, (_, index) => ({ path: `${verdict}-${String(index)}`, verdict })),
    });
    assert.deepEqual(
      stepLines({ steps: [step('intact', 2), step('unknown', 0), step('missing', 5), step('changed')] }),
      [
        {
          title: 'Ran missing',
          words: 'missing',
          files: 'missing-0 missing, missing-1 missing, missing-2 missing, and 2 more',
        },
        { title: 'Ran changed', words: 'changed', files: 'changed-0 changed' },
        { title: 'Ran unknown', words: 'cut: settled before anything is sent' },
        { title: 'Ran intact', words: '2 files intact' },
      ],
    );
  });
});
