import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createBench, folder } from '../../support/fakes/bench.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import { answer, hangs, say } from '../../support/fakes/scriptedModel.ts';
import type { SessionEvent } from '../../../src/core/events.ts';

const id = (n: number): string => `01M8ZZZZZZZZZZZZZZZZZZZZ${String(n).padStart(2, '0')}`;

/** Ids of the messages that were recorded, in order, each by its first record. */
function recorded(events: readonly SessionEvent[]): readonly string[] {
  const queued = new Set<string>();
  return events.flatMap((event) => {
    if (event.type === 'message_queued') queued.add(event.messageId);
    if (event.type !== 'message_queued' && event.type !== 'user_message_added') return [];
    // The delivery of a queued one.
    return event.type === 'user_message_added' && queued.has(event.messageId) ? [] : [event.messageId];
  });
}

describe('a message that comes again under its id', () => {
  it('is recorded once and acknowledged each time, at once or later', async () => {
    const bench = createBench({ turns: [answer(say('Done.'))] });
    const session = await bench.create();
    const both = await Promise.all([1, 2].map(() => bench.sessions.sendOnce(session, id(1), 'Go.')));
    assert.deepEqual(both, [{ status: 'started' }, { status: 'started' }]);
    await bench.ended(session);
    assert.deepEqual(await bench.sessions.sendOnce(session, id(1), 'Go.'), { status: 'recorded' });
    assert.deepEqual(recorded(bench.events(session)), [id(1)]);
    assert.equal(bench.model.requests.length, 1);
    assert.equal(await bench.sessions.isRecorded(session, id(1)), true);
    assert.equal(await bench.sessions.isRecorded(session, id(2)), false);
    assert.equal(await bench.sessions.isRecorded('no-such-session', id(1)), false);
  });

  it('is known to another window after a kill, also where it only waits', async () => {
    const disk = createMemoryDisk();
    const bench = createBench({ disk, ownerId: 'killed', turns: [hangs()] });
    const session = await bench.create();
    await bench.sessions.sendOnce(session, id(1), 'Go.');
    await bench.sessions.sendOnce(session, id(2), 'And then?');
    disk.kill('killed');
    const next = createBench({ disk, turns: [answer(say('Done.'))] });
    assert.deepEqual(await next.sessions.sendOnce(session, id(1), 'Go.'), { status: 'recorded' });
    assert.deepEqual(await next.sessions.sendOnce(session, id(2), 'And then?'), { status: 'recorded' });
    assert.deepEqual(recorded(disk.events(session)), [id(1), id(2)]);
  });

  it('stays known when it was removed from the queue or reverted', async () => {
    const bench = createBench({ turns: [hangs(), answer(say('Done.'))] });
    const session = await bench.create();
    await bench.sessions.sendOnce(session, id(1), 'Go.');
    await bench.sessions.sendOnce(session, id(2), 'And then?');
    await bench.sessions.removeQueued(session, id(2));
    await bench.sessions.stop(session);
    const { lastSeq } = await bench.sessions.planRevert(session, id(1));
    await bench.sessions.revert(session, id(1), lastSeq);
    for (const each of [id(1), id(2)])
      assert.deepEqual(await bench.sessions.sendOnce(session, each, 'Go.'), { status: 'recorded' });
  });

  it('makes its session once under the name that it brings', async () => {
    const disk = createMemoryDisk();
    const bench = createBench({ disk });
    const first = await bench.sessions.create(folder, id(9));
    assert.equal(first.id, id(9));
    const next = createBench({ disk });
    assert.equal((await next.sessions.create(folder, id(9))).id, id(9));
    assert.equal(disk.journals.size, 1);
  });

  it('is taken beside another one that comes while a run ends, in whatever turn of it', async () => {
    for (let turns = 0; turns < 60; turns++) {
      const bench = createBench({ turns: Array.from({ length: 3 }, () => answer(say('Noted.'))) });
      const session = await bench.create();
      await bench.sessions.sendOnce(session, id(0), 'First.');
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await Promise.all([
        bench.sessions.sendOnce(session, id(1), 'Second.'),
        bench.sessions.sendOnce(session, id(2), 'Third.'),
      ]);
      await bench.ended(session);
      assert.deepEqual(
        recorded(bench.events(session)).toSorted(),
        [id(0), id(1), id(2)].toSorted(),
        `after ${turns} turns`,
      );
    }
  });

  it('has one record for any number of tries, in any order, before and after kills', async function () {
    this.timeout(60_000);
    const action = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), n: fc.integer({ min: 0, max: 3 }) }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
      { weight: 2, arbitrary: fc.constant({ kind: 'wait' as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 20 }), async (actions) => {
        const disk = createMemoryDisk();
        const begin = (owner: number) =>
          createBench({
            disk,
            ownerId: `window-${owner}`,
            turns: Array.from({ length: 30 }, () => answer(say('Noted.'))),
          });
        let owner = 1;
        let bench = begin(owner);
        const session = await bench.create();
        const acknowledged = new Set<string>();
        let open: Promise<unknown>[] = [];
        for (const each of actions) {
          if (each.kind === 'send') {
            const mine = id(each.n);
            const sent = bench.sessions.sendOnce(session, mine, `Message ${each.n}`).then(() => acknowledged.add(mine));
            open.push(sent);
            continue;
          }
          if (each.kind === 'wait') {
            await Promise.all(open);
            open = [];
            continue;
          }
          disk.kill(`window-${owner}`);
          // What the killed one had not acknowledged never is.
          open = [];
          owner += 1;
          bench = begin(owner);
        }
        await Promise.all(open);
        await bench.ended(session);
        const ids = recorded(disk.events(session));
        assert.equal(new Set(ids).size, ids.length, `recorded: ${ids.join(', ')}`);
        for (const one of acknowledged) assert.ok(ids.includes(one));
        for (const one of ids)
          assert.deepEqual(await bench.sessions.sendOnce(session, one, 'x'), { status: 'recorded' });
      }),
      { numRuns: 150 },
    );
  });
});
