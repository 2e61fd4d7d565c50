import assert from 'node:assert/strict';
import { createAnthropicModel } from '../../../src/model/anthropic.ts';
import { createBench, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { succeeded, untilStopped, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { createMemoryDisk, type MemoryDisk } from '../../support/fakes/memoryStore.ts';
import { numberedSteps, scriptedSteps } from '../../support/messagesServer/scriptedSteps.ts';
import { startMessagesServer, type MessagesServer } from '../../support/messagesServer/startMessagesServer.ts';

const count = 5;
const job = scriptedSteps(
  numberedSteps(count, (n) => ({
    tool: 'shell',
    input: { n },
    say: `Step ${String(n)}.`,
    think: `I think of ${String(n)}.`,
  })),
);

interface Body {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly unknown[];
}

describe('a job of five steps, by the real client against the strict server', () => {
  let server: MessagesServer;
  let effects: number[];
  /** Requests that earlier jobs have sent. */
  let earlier: number;

  before(async () => {
    server = await startMessagesServer();
  });
  after(() => server.close());
  const begin = (): void => {
    effects = [];
    earlier = server.messageRequests.length;
    server.script = job;
  };
  beforeEach(begin);

  const append: FakeToolOptions = {
    name: 'shell',
    effect: 'command',
    run: ({ n }) => {
      effects.push(Number(n));
      return succeeded(`step ${String(n)} done`);
    },
  };

  function bench(disk: MemoryDisk, model: string, options: BenchOptions = {}): Bench {
    const takesSystemMessages = model === 'claude-opus-4-8';
    const port = createAnthropicModel({ apiKey: server.apiKey, baseURL: server.url });
    return createBench({
      disk,
      tools: [append],
      ports: { prepareModel: async () => ({ port, settings: { ...settings, model, takesSystemMessages } }) },
      ...options,
    });
  }

  /** Resumes in a new window and sees the job done, each step once, nothing refused, and the old request's bytes first. */
  async function assertFinishes(disk: MemoryDisk, id: string, model: string): Promise<void> {
    const next = bench(disk, model);
    await next.sessions.resume(id);
    const session = await next.ended(id);
    assert.equal(session.name, 'done', JSON.stringify(session.state.runs.at(-1)?.end));
    assert.deepEqual(effects, [1, 2, 3, 4, 5]);
    assert.deepEqual(
      server.refused.map(({ error }) => error),
      [],
    );
    assert.deepEqual(server.scriptErrors, []);
    const bodies = server.messageRequests.slice(earlier).map(({ body }) => body as Body);
    const firstResumed = bodies.findIndex((body) => /is resumed now|is opened again/.test(JSON.stringify(body)));
    const before = bodies[firstResumed - 1];
    const after = bodies[firstResumed];
    assert.ok(after);
    if (!before) return;
    assert.equal(JSON.stringify([after.system, after.tools]), JSON.stringify([before.system, before.tools]));
    assert.equal(JSON.stringify(after.messages.slice(0, before.messages.length)), JSON.stringify(before.messages));
  }

  for (const model of ['claude-opus-4-8', 'claude-sonnet-5-5']) {
    it(`${model}: cut at each of its records by the end of the host, and resumed`, async function () {
      this.timeout(60_000);
      let records = 0;
      for (let cut = 5; cut <= 5 + records; cut++) {
        begin();
        const disk = createMemoryDisk();
        const first = bench(disk, model);
        const id = await first.create();
        let shutdown: Promise<void> | undefined;
        first.sessions.onChange((change) => {
          if (change.kind === 'event' && change.event.seq === cut) shutdown = first.sessions.shutdown();
        });
        await first.sessions.send(id, 'Do all five.');
        await first.ended(id);
        await shutdown;
        records = Math.max(records, disk.events(id).length - 4);
        await assertFinishes(disk, id, model);
      }
      assert.ok(records > 4 * count);
    });

    for (let n = 1; n <= count; n++) {
      it(`${model}: cut while step ${String(n)} runs, and while the model is asked for it`, async () => {
        for (const where of ['step', 'model'] as const) {
          begin();
          const disk = createMemoryDisk();
          const hanging: FakeToolOptions = {
            ...append,
            run: (input, context) =>
              where === 'step' && input.n === n
                ? untilStopped(input, context)
                : (append.run?.(input, context) ?? succeeded('')),
          };
          const first = bench(disk, model, { tools: [hanging] });
          const asked = Promise.withResolvers<undefined>();
          server.script = (body, { signal }) => {
            if (where === 'step' || effects.length < n - 1) return job(body);
            asked.resolve(undefined);
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve(job(body)), { once: true }));
          };
          const id = await first.create();
          await first.sessions.send(id, 'Do all five.');
          await (where === 'step' ? first.tool('shell').started(n) : asked.promise);
          await first.sessions.shutdown();
          assert.equal((await first.sessions.open(id)).name, 'interrupted');
          server.script = job;
          await assertFinishes(disk, id, model);
        }
      });
    }
  }

  it('goes on with another model after it was cut: the thinking of the first is left out', async () => {
    const disk = createMemoryDisk();
    const first = bench(disk, 'claude-opus-4-8', {
      tools: [
        {
          ...append,
          run: (input, context) =>
            input.n === 3 ? untilStopped(input, context) : (append.run?.(input, context) ?? succeeded('')),
        },
      ],
    });
    const id = await first.create();
    await first.sessions.send(id, 'Do all five.');
    await first.tool('shell').started(3);
    await first.sessions.shutdown();
    const next = bench(disk, 'claude-sonnet-5-5');
    await next.sessions.resume(id);
    assert.equal((await next.ended(id)).name, 'done');
    assert.deepEqual(effects, [1, 2, 3, 4, 5]);
    assert.deepEqual(
      server.refused.map(({ error }) => error),
      [],
    );
  });
});
