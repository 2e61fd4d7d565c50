import assert from 'node:assert/strict';
import { offerVerdict } from '../../../src/projection/resumeOffer.ts';

describe('an offer to go on, taken up later', () => {
  it('stands while nothing has happened since', () => {
    assert.deepEqual(offerVerdict({ run: 1 }, { name: '"Train"', state: 'interrupted', run: 1 }), {
      kind: 'stands',
      mode: 'resume',
    });
    assert.deepEqual(offerVerdict({ run: 1 }, { name: '"Train"', state: 'failed', run: 1 }), {
      kind: 'stands',
      mode: 'retry',
    });
  });

  for (const [state, words] of [
    ['done', /^"Train" is done: it was resumed meanwhile\. Nothing was sent\.$/],
    ['running', /^"Train" is running again already\./],
    ['cancelled', /^"Train" was resumed meanwhile and then stopped\./],
    ['interrupted', /^"Train" was resumed meanwhile and cut again\./],
  ] as const) {
    it(`is over when somebody went on since and it is ${state} now: that is said, and nothing is sent`, () => {
      const verdict = offerVerdict({ run: 1 }, { name: '"Train"', state, run: 2 });
      assert.ok(verdict.kind === 'over');
      assert.match(verdict.words, words);
    });
  }
});
