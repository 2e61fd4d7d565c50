import assert from 'node:assert/strict';
import {
  ageText,
  clockText,
  countdownText,
  countText,
  durationText,
  numberText,
  percentOf,
  possibleAgainText,
  splitPath,
} from '../../../webview-ui/words.ts';

describe('webview words', () => {
  it('shows a running clock with hours only when there are any', () => {
    assert.equal(clockText(161_900), '02:41');
    assert.equal(clockText(3_721_000), '1:02:01');
    assert.equal(clockText(-5000), '00:00');
  });

  it('shows a duration as finely as it matters', () => {
    assert.equal(durationText(40), '0.0 s');
    assert.equal(durationText(4100), '4.1 s');
    assert.equal(durationText(9960), '10 s');
    assert.equal(durationText(59_400), '59 s');
    assert.equal(durationText(59_600), '1 min 00 s');
    assert.equal(durationText(161_000), '2 min 41 s');
    assert.equal(durationText(3_599_700), '1 h 00 min');
    assert.equal(durationText(3_723_000), '1 h 02 min');
  });

  it('counts down to a time, in what is left of it', () => {
    assert.equal(countdownText(0), 'a moment');
    assert.equal(countdownText(11_001), '12 s');
    assert.equal(countdownText(60_000), '1 min');
    assert.equal(countdownText(12 * 60_000 - 1), '12 min');
    assert.equal(countdownText(3 * 3_600_000), '3 h');
    assert.equal(countdownText(3 * 3_600_000 + 60_000), '3 h 1 min');
    assert.equal(countdownText(21 * 86_400_000), '21 days');
  });

  it('says when something is possible again, with the date on another day', () => {
    const now = new Date(2026, 10, 29, 13, 53).getTime();
    assert.equal(possibleAgainText(now + 12 * 60_000, now), 'possible again at 14:05');
    assert.equal(possibleAgainText(now - 60_000, now), 'possible again since 13:52');
    assert.equal(possibleAgainText(new Date(2026, 11, 20, 9, 5).getTime(), now), 'possible again at 20 Dec, 09:05');
  });

  it('shows an age up to a day, then the date', () => {
    const now = new Date(2026, 10, 29, 12).getTime();
    assert.equal(ageText(now - 20_000, now), 'just now');
    assert.equal(ageText(now + 20_000, now), 'just now');
    assert.equal(ageText(now - 4 * 60_000, now), '4 min ago');
    assert.equal(ageText(now - 23 * 3_600_000, now), '23 h ago');
    assert.equal(ageText(new Date(2026, 10, 27, 12).getTime(), now), '27 Nov');
    assert.equal(ageText(new Date(2025, 10, 27, 12).getTime(), now), '27 Nov 2025');
  });

  it('groups numbers and counts', () => {
    assert.equal(numberText(12304), '12,304');
    assert.equal(countText(1, 'step', 'steps'), '1 step');
    assert.equal(countText(9500, 'step', 'steps'), '9,500 steps');
  });

  it('never shows a used share as nothing or as more than all', () => {
    assert.equal(percentOf(1, 200_000), 1);
    assert.equal(percentOf(0, 200_000), 0);
    assert.equal(percentOf(250_000, 200_000), 100);
    assert.equal(percentOf(10, 0), 0);
  });

  it('splits a path before its name', () => {
    assert.deepEqual(splitPath('src/a/b.ts'), ['src/a/', 'b.ts']);
    assert.deepEqual(splitPath('b.ts'), ['', 'b.ts']);
  });
});
