import assert from 'node:assert/strict';
import type { TranscriptItem } from '../../../src/protocol/view.ts';
import { earlierMessages, historyStep, type HistoryPlace } from '../../../webview-ui/inputHistory.ts';

const user = (text: string): TranscriptItem => ({ kind: 'user', id: text, at: 0, text });
const texts = ['one', 'two', 'three'];

describe('webview input history', () => {
  it('has what was sent, without repetitions and without images alone', () => {
    const notice: TranscriptItem = { kind: 'notice', id: 'n', at: 0, level: 'info', text: 'x' };
    assert.deepEqual(earlierMessages([user('a'), user('a'), notice, user(''), user('b')]), ['a', 'b']);
  });

  it('goes back to the first one and forward to the empty draft', () => {
    let place: HistoryPlace | undefined;
    const seen: string[] = [];
    for (const direction of ['back', 'back', 'back', 'back', 'forward', 'forward', 'forward'] as const) {
      const step = historyStep(texts, place?.text ?? '', place, direction);
      place = step === 'draft' ? undefined : step;
      seen.push(place?.text ?? '');
    }
    assert.deepEqual(seen, ['three', 'two', 'one', 'one', 'two', 'three', '']);
  });

  it("leaves the arrows to a text that is one's own", () => {
    assert.equal(historyStep(texts, 'draft', undefined, 'back'), undefined);
    assert.equal(historyStep(texts, 'three, changed', { back: 0, text: 'three' }, 'back'), undefined);
    assert.equal(historyStep(texts, '', undefined, 'forward'), undefined);
    assert.equal(historyStep([], '', undefined, 'back'), undefined);
  });
});
