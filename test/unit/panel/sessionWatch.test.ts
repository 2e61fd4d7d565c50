import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { SessionWatch } from '../../../src/panel/sessionWatch.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { answer, hangs, say } from '../../support/fakes/scriptedModel.ts';

describe('the watch on the open session', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  /** Lets a second pass, and what it set off come to its end. */
  async function second(): Promise<void> {
    mock.timers.tick(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('tells that the other window has given the session free', async () => {
    const runner = createBench({ turns: [hangs('Working')], ownerId: 'runner' });
    const id = await runner.create();
    const watcher = createBench({ disk: runner.disk });
    const session = await watcher.sessions.open(id);
    const freed: string[] = [];
    const watch = new SessionWatch({
      session: () => session,
      look: (sessionId) => watcher.sessions.watch(sessionId),
      onFreed: () => freed.push(session.name),
      onFailed: (_session, error) => assert.fail(String(error)),
    });
    await runner.sessions.send(id, 'Go.');
    await second();
    assert.deepEqual([session.name, freed], ['running', []]);
    runner.disk.kill('runner');
    await second();
    assert.deepEqual(freed, ['interrupted']);
    watch.dispose();
    await second();
    assert.deepEqual(freed, ['interrupted']);
  });

  it('looks no more at a session that cannot be read, and says so once', async () => {
    const bench = createBench({ turns: [answer(say('Done.'))] });
    const session = await bench.sessions.open(await bench.create());
    const failures: unknown[] = [];
    let looks = 0;
    const watch = new SessionWatch({
      session: () => session,
      look: () => {
        looks += 1;
        return Promise.reject(new Error('gone'));
      },
      onFreed: () => assert.fail('nobody had it'),
      onFailed: (_session, error) => failures.push(error),
    });
    for (let n = 0; n < 3; n++) await second();
    assert.deepEqual([looks, failures.length], [1, 1]);
    watch.dispose();
  });
});
