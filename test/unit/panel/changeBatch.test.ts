import assert from 'node:assert/strict';
import { ChangeBatch } from '../../../src/panel/changeBatch.ts';
import type { TranscriptItem } from '../../../src/protocol/view.ts';
import type { SessionChange } from '../../../src/runner/liveSession.ts';

const sessionId = 's1';
const item = (id: string, markdown: string): TranscriptItem => ({
  kind: 'assistant',
  id,
  at: 1,
  markdown,
  streaming: true,
});
const put = (id: string, markdown: string): SessionChange => ({ kind: 'itemPut', sessionId, item: item(id, markdown) });
const appended = (id: string, text: string): SessionChange => ({ kind: 'textAppended', sessionId, id, text });
const state: SessionChange = { kind: 'state', sessionId };

function batchOf(...changes: readonly SessionChange[]): ReturnType<ChangeBatch['take']> {
  const batch = new ChangeBatch();
  for (const change of changes) batch.add(change);
  return batch.take();
}

describe('the batch of changes for the panel', () => {
  it('joins text that streams, and says the header once, at the end', () => {
    assert.deepEqual(batchOf(state, appended('a', 'x'), appended('a', 'y'), state, appended('b', 'z')), [
      { kind: 'textAppended', id: 'a', text: 'xy' },
      { kind: 'textAppended', id: 'b', text: 'z' },
      { kind: 'session' },
    ]);
  });

  it('keeps only the last of what replaces itself', () => {
    const live = (line: string): SessionChange => ({ kind: 'liveOutput', sessionId, id: 'a', lines: [line] });
    assert.deepEqual(batchOf(put('a', '1'), live('x'), put('a', '2'), live('y')), [
      { kind: 'itemPut', item: item('a', '2') },
      { kind: 'liveOutput', id: 'a', lines: ['y'] },
    ]);
  });

  it('does not move an item in front of the text that came before it', () => {
    assert.deepEqual(batchOf(put('a', '1'), appended('a', 'x'), put('a', '1x.')), [
      { kind: 'itemPut', item: item('a', '1') },
      { kind: 'textAppended', id: 'a', text: 'x' },
      { kind: 'itemPut', item: item('a', '1x.') },
    ]);
  });

  it('is empty after it was taken', () => {
    const batch = new ChangeBatch();
    batch.add(state);
    assert.equal(batch.take().length, 1);
    assert.deepEqual(batch.take(), []);
  });
});
