import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRevertEvent } from '../../src/core/reverts.ts';
import { Transcript } from '../../src/projection/transcript.ts';
import { header } from './histories.ts';
import { wholeHistory } from './wholeHistories.ts';

describe('the transcript of a history', () => {
  it('shows the same whether somebody looked all the time, came later, or looked now and then', () => {
    fc.assert(
      fc.property(wholeHistory, fc.nat(60), fc.array(fc.nat(60), { maxLength: 4 }), (plan, cameAt, lookedAt) => {
        const events = plan
          .map((event, index) => ({ seq: index + 1, at: header.createdAt + index, ...event }))
          .filter((event) => !isRevertEvent(event));
        const [watched, later] = [new Transcript(), new Transcript()];
        for (const [index, event] of events.entries()) {
          const changed = watched.apply(event);
          if (index < cameAt) later.applyHistory(event);
          else assert.deepEqual(later.apply(event), changed);
          if (lookedAt.includes(index)) assert.deepEqual(later.page(20), watched.page(20));
        }
        assert.deepEqual(later.cutOpenSteps(), watched.cutOpenSteps());
        assert.deepEqual(later.page(1_000), watched.page(1_000));
      }),
      { numRuns: 1_000 },
    );
  });
});
