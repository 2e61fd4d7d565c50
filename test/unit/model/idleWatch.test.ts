import assert from 'node:assert/strict';
import { createIdleMeter } from '../../../src/model/idleWatch.ts';

/** The first of `seconds` clock steps at which the meter says idle. */
function idleAfter(meter: { tick(now: number): boolean }, from: number, seconds: number): number | undefined {
  for (let second = 1; second <= seconds; second += 1) if (meter.tick(from + second * 1000)) return second;
  return undefined;
}

describe('idleMeter', () => {
  it('is idle after the limit without a touch', () => {
    assert.equal(idleAfter(createIdleMeter(60_000, 0), 0, 100), 60);
  });

  it('starts anew with each touch', () => {
    const meter = createIdleMeter(60_000, 0);
    assert.equal(idleAfter(meter, 0, 59), undefined);
    meter.touch();
    assert.equal(idleAfter(meter, 59_000, 60), undefined);
    assert.equal(meter.tick(120_000), true);
  });

  for (const [what, jumpMs] of [
    ['eight hours of sleep', 8 * 3_600_000],
    ['a few seconds of sleep', 5_000],
    ['a clock that was set back', -3_600_000],
  ] as const) {
    it(`does not count ${what}, and gives one full period after it`, () => {
      const meter = createIdleMeter(60_000, 0);
      assert.equal(idleAfter(meter, 0, 59), undefined);
      const woken = 59_000 + jumpMs;
      assert.equal(meter.tick(woken), false);
      assert.equal(idleAfter(meter, woken, 100), 60);
    });
  }

  it('counts steps that come late', () => {
    const meter = createIdleMeter(6_000, 0);
    assert.deepEqual(
      [1_900, 3_800, 5_700, 7_600].map((now) => meter.tick(now)),
      [false, false, false, true],
    );
  });
});
