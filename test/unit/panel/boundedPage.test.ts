import assert from 'node:assert/strict';
import { boundedPage } from '../../../src/panel/boundedPage.ts';
import type { TranscriptItem } from '../../../src/protocol/view.ts';

const item = (id: string, length: number): TranscriptItem => ({
  kind: 'assistant',
  ...{ id, at: 1, markdown: 'x'.repeat(length), streaming: false },
});

describe('a page of items for the panel', () => {
  it('leaves out the oldest that are too much for one message, counted as earlier ones', () => {
    const items = [item('a', 600), item('b', 600), item('c', 10)];
    assert.deepEqual(boundedPage({ items, earlier: 5 }, 1_000), { items: items.slice(1), earlier: 6 });
    assert.deepEqual(boundedPage({ items, earlier: 5 }, 10_000), { items, earlier: 5 });
  });

  it('has the newest item whatever its size, so that there is always something to go on from', () => {
    const items = [item('a', 1), item('b', 5_000)];
    assert.deepEqual(boundedPage({ items, earlier: 0 }, 1_000), { items: items.slice(1), earlier: 1 });
  });
});
