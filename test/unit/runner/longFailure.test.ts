import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { parkMs } from '../../../src/core/retryPolicy.ts';
import { AutoResume } from '../../../src/runner/autoResume.ts';
import { ModelError, type ModelPort } from '../../../src/runner/ports.ts';
import { createBench, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { turnUsage } from '../../support/fakes/scriptedModel.ts';
import { clockStart } from '../../support/fakes/steadyClock.ts';

const minute = 60_000;

interface Server {
  readonly bench: Bench;
  /** When each request came, in minutes since the start. */
  readonly asked: readonly number[];
}

/** A server that fails so until a time of its clock, in minutes, and takes so long for it. */
function failing(
  until: number,
  code = 'server_error',
  options: BenchOptions & {
    readonly takesMs?: number;
    readonly says?: string;
  } = {},
): Server {
  const asked: number[] = [];
  const kind = code === 'stalled' ? 'stalled' : 'retryable';
  const port: ModelPort = {
    stream: async (_request, { onDelta }) => {
      asked.push((bench.clock.now() - clockStart) / minute);
      if (bench.clock.now() >= clockStart + until * minute)
        return { content: [{ type: 'text', text: 'Here.' }], stopReason: 'end_turn', usage: turnUsage, model: 'm' };
      if (options.says !== undefined)
        onDelta({ kind: 'text', index: 0, text: `${options.says} ${'x'.repeat(asked.length)}` });
      bench.clock.advance(options.takesMs ?? 0);
      throw new ModelError({ kind, code, message: 'The server had an error of its own. Try later.' });
    },
  };
  const bench: Bench = createBench({
    ...options,
    ports: {
      prepareModel: async ({ model }) => ({ port, settings: { ...settings, model: model ?? settings.model } }),
      ...options.ports,
    },
  });
  return { bench, asked };
}

/** Goes on by itself as the setting `always` says, until it is done or held back; why it is held back. */
async function leftAlone({ bench }: Server, id: string): Promise<string | undefined> {
  let told: string | undefined;
  const auto = new AutoResume({
    sessions: bench.sessions,
    clock: bench.clock,
    mode: () => 'always',
    mayRun: () => true,
    ask: () => undefined,
    tell: (_session, why) => {
      told = why;
    },
    log: () => undefined,
  });
  await auto.watch([id]);
  const session = await bench.sessions.open(id);
  while (session.name !== 'done' && told === undefined) await setImmediate();
  auto.dispose();
  return told;
}

async function stateOf({ bench }: Server, id: string): Promise<string> {
  const { name, state } = await bench.sessions.open(id);
  return name === 'failed' && state.runs.at(-1)?.end?.error?.retryAt !== undefined ? 'parked' : name;
}

describe('a server that fails for a passing reason', () => {
  for (const code of [
    'server_error',
    'overloaded',
    'rate_limited',
    'connection_lost',
    'stream_cut',
    'unreachable',
    'stalled',
    'timeout',
  ]) {
    it(`(${code}) for 9.9 minutes is waited for: the run is done without anybody`, async () => {
      const server = failing(9.9, code);
      assert.equal(await stateOf(server, await server.bench.ran()), 'done');
      assert.ok((server.asked.at(-1) ?? 0) <= 10);
    });

    it(`(${code}) for 11 minutes parks the run, and it goes on by itself`, async () => {
      const server = failing(11, code);
      const id = await server.bench.ran();
      assert.equal(await stateOf(server, id), 'parked');
      assert.equal(server.asked.at(-1), 10);
      assert.equal(await leftAlone(server, id), undefined);
      assert.equal(await stateOf(server, id), 'done');
      assert.equal(server.asked.at(-1), 20);
    });
  }

  it('is asked a few dozen times in these ten minutes, not more', async () => {
    const server = failing(11);
    await server.bench.ran();
    assert.ok(server.asked.length > 15 && server.asked.length < 40, String(server.asked.length));
  });

  it('has as long as the setting says; with 0 the run parks at once', async () => {
    const short = failing(11, 'server_error', { ports: { patience: () => 2 * minute } });
    await short.bench.ran();
    assert.equal(short.asked.at(-1), 2);
    const none = failing(11, 'server_error', { ports: { patience: () => 0 } });
    assert.equal(await stateOf(none, await none.bench.ran()), 'parked');
    assert.equal(none.asked.length, 1);
  });

  it('costs no patience while the machine sleeps', async () => {
    const server = failing(8 * 60 + 9);
    const { clock } = server.bench;
    const delay = clock.delay;
    let slept = false;
    Object.assign(clock, {
      delay: async (ms: number, signal: AbortSignal) => {
        await delay(ms, signal);
        if (slept || clock.now() < clockStart + minute) return;
        slept = true;
        clock.advance(8 * 60 * minute);
      },
    });
    assert.equal(await stateOf(server, await server.bench.ran()), 'done');
    assert.ok(slept);
  });

  it('costs patience when it takes its time: requests that fail after minutes are not made for ever', async () => {
    const server = failing(10_000, 'timeout', { takesMs: 4 * minute });
    assert.equal(await stateOf(server, await server.bench.ran()), 'parked');
    assert.ok(server.asked.length <= 5, String(server.asked.length));
  });

  it('for many hours is asked at longer and longer intervals, until it is back', async () => {
    const server = failing(9 * 60);
    const id = await server.bench.ran();
    assert.equal(await leftAlone(server, id), undefined);
    assert.equal(await stateOf(server, id), 'done');
    const pauses = server.asked
      .map((at, index) => at - (server.asked[index - 1] ?? 0))
      .filter((gap) => gap >= 9)
      .map((gap) => Math.floor(gap));
    const expected = parkMs.map((ms) => ms / minute);
    assert.deepEqual(pauses.slice(0, 4), expected);
    assert.deepEqual(new Set(pauses.slice(4)), new Set([60]));
  });

  it('for more than a day is left to the user, who is told why', async () => {
    const server = failing(40 * 60);
    const id = await server.bench.ran();
    assert.match((await leftAlone(server, id)) ?? '', /no request got through for a day/);
    const hours = (server.asked.at(-1) ?? 0) / 60;
    assert.ok(hours > 20 && hours < 30, String(hours));
  });

  it('in the middle of each answer, a little later each time, is not paid for all day', async () => {
    const server = failing(40 * 60, 'stream_cut', { says: 'I was about to' });
    const id = await server.bench.ran();
    assert.match((await leftAlone(server, id)) ?? '', /answers keep breaking off/);
    const { state } = await server.bench.sessions.open(id);
    assert.equal(state.runs.length, 3);
    assert.equal(state.conversation.filter(({ type }) => type === 'assistant_message_cut').length, 1);
  });

  it('says it in one line of the conversation, with the number of the attempt', async () => {
    const server = failing(11);
    const id = await server.bench.ran();
    const lines = (await server.bench.sessions.open(id))
      .page(100)
      .items.flatMap((item) => (item.kind === 'notice' && item.level === 'warning' ? [item.text] : []));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^The server had an error of its own\. Trying again in .* \(attempt \d\d\)\.$/);
  });
});
