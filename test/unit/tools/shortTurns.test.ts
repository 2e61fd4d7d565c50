import assert from 'node:assert/strict';
import { ShortTurns } from '../../../src/tools/shortTurns.ts';

describe('short turns of synchronous looks', () => {
  it('let others have their turn after so many looks', async () => {
    const turns = new ShortTurns({ inTurn: 4, slowMs: Infinity });
    let others = 0;
    const other = (): void => {
      others += 1;
    };
    const seen: number[] = [];
    for (let look = 0; look < 12; look++) {
      setImmediate(other);
      await turns.take(1, () => seen.push(others));
    }
    assert.deepEqual(seen, [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8]);
  });

  it('let others have their turn after one look that took long', async () => {
    const turns = new ShortTurns({ inTurn: 1000, slowMs: Infinity });
    let others = 0;
    setImmediate(() => (others += 1));
    await turns.take(1, () => {
      const until = performance.now() + 20;
      while (performance.now() < until);
    });
    assert.equal(others, 1);
  });

  it('count as slow by the average, once there were enough looks', async () => {
    const takes = (slowMs: number): ShortTurns => new ShortTurns({ inTurn: 1000, slowMs });
    const [slow, fast] = [takes(-1), takes(Infinity)];
    for (const turns of [slow, fast]) await turns.take(63, () => undefined);
    assert.deepEqual([slow.isSlow, fast.isSlow], [false, false]);
    for (const turns of [slow, fast]) await turns.take(1, () => undefined);
    assert.deepEqual([slow.isSlow, fast.isSlow], [true, false]);
  });

  it('pass on what a look throws, and go on', async () => {
    const turns = new ShortTurns({ inTurn: 1, slowMs: Infinity });
    const failing = (): never => {
      throw new Error('not there');
    };
    await assert.rejects(turns.take(1, failing), /not there/);
    assert.equal(await turns.take(1, () => 'there'), 'there');
  });
});
