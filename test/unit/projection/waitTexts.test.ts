import assert from 'node:assert/strict';
import { summaryLine } from '../../../src/projection/sessionView.ts';
import { autoText, waitView } from '../../../src/projection/waitTexts.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { oneOfEach as e } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from '../core/events.ts';

describe('words for what waits', () => {
  const minute = 60_000;
  for (const [leftMs, words] of [
    [-1, 'can go on'],
    [minute / 2, 'possible again in 1 min'],
    [12 * minute, 'possible again in 12 min'],
    [90 * minute, 'possible again in 2 h'],
    [21 * 24 * 60 * minute, 'possible again in 21 days'],
  ] as const) {
    it(`a parked session in a list: ${words}`, () => {
      assert.equal(summaryLine('failed', undefined, 4 * minute, leftMs), `parked, ${words}, 4 min ago`);
    });
  }

  it('a wait for a server that may not be there offers to check the connection, one for a busy server nothing', () => {
    const retryOf = (code: string) => ({ error: { code, message: 'So it is. Do this.' }, at: 5, attempt: 2 });
    const check = { label: 'Check connection', command: 'checkConnection' };
    assert.deepEqual(waitView(retryOf('unreachable'), 'm'), {
      text: 'So it is.',
      until: 5,
      attempt: 'attempt 2',
      remedy: check,
    });
    assert.equal(waitView(retryOf('overloaded'), 'm')?.remedy, undefined);
  });

  it('what happens by itself, by the setting', () => {
    const parked = foldEvents(header, stamp([e.run_started, e.run_ended]));
    assert.equal(autoText(parked, 'failed', 'always'), 'Goes on by itself then.');
    assert.equal(autoText(parked, 'failed', 'ask'), 'You are asked then.');
    assert.equal(autoText(parked, 'failed', 'never'), undefined);
    assert.equal(autoText(parked, 'cancelled', 'always'), undefined);
    const nowhere = foldEvents(header, stamp([e.run_started, e.session_resumed]));
    assert.match(
      autoText(nowhere, 'interrupted', 'always') ?? '',
      /^Not resumed by itself again: nothing was finished/,
    );
    assert.equal(autoText(nowhere, 'interrupted', 'ask'), undefined);
  });
});
