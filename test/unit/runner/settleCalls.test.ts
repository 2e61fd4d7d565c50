import assert from 'node:assert/strict';
import type { EventOf, NewEvent } from '../../../src/core/events.ts';
import type { Recovery } from '../../../src/runner/ports.ts';
import { createBench, folder, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { succeeded } from '../../support/fakes/fakeTools.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import { call, turnUsage } from '../../support/fakes/scriptedModel.ts';

const header = { ratchet: 'journal', format: 1, sessionId: 's1', folder, createdAt: 1 } as const;

/** A session whose last run asked for three calls and was cut after these events. */
function cutAfter(events: readonly NewEvent[], options: BenchOptions = {}, stopReason = 'tool_use'): Bench {
  const disk = createMemoryDisk();
  disk.seed(header, [
    { type: 'prompt_set', system: 'You work.', tools: [] },
    { type: 'run_started', runId: 'r1', cause: 'message', model: settings.model, thinking: 'adaptive', maxTokens: 100 },
    { type: 'user_message_added', messageId: 'm1', text: 'Go.', origin: 'user' },
    { type: 'request_started', requestId: 'q1', runId: 'r1', attempt: 1 },
    {
      type: 'assistant_message_completed',
      messageId: 'm2',
      requestId: 'q1',
      model: settings.model,
      content: [call('c1', 'shell', { n: 1 }), call('c2', 'shell', { n: 2 }), call('c3', 'shell', { n: 3 })],
      stopReason,
      usage: turnUsage,
    },
    ...events,
  ]);
  return createBench({ disk, tools: [{ name: 'shell' }], ...options });
}

const started = (stepId: string): NewEvent => ({ type: 'step_started', stepId, runId: 'r1', tool: 'shell', input: {} });
const finished = (stepId: string): NewEvent => ({
  type: 'step_finished',
  stepId,
  outcome: 'succeeded',
  content: 'ok',
  isError: false,
});

async function outcomes(bench: Bench, how: 'resume' | 'send'): Promise<string[]> {
  await (how === 'resume' ? bench.sessions.resume('s1') : bench.sessions.send('s1', 'Never mind.'));
  await bench.ended('s1');
  return ends(bench).map(({ stepId, outcome }) => `${stepId} ${outcome}`);
}

function ends(bench: Bench): EventOf<'step_finished'>[] {
  return bench.events('s1').filter((event) => event.type === 'step_finished');
}

function recovering(recovery: Recovery): BenchOptions {
  return { tools: [{ name: 'shell', recover: () => recovery }] };
}

describe('a resumed run: calls that were left open', () => {
  it('runs what never started, in order', async () => {
    const bench = cutAfter([]);
    assert.deepEqual(await outcomes(bench, 'resume'), ['c1 succeeded', 'c2 succeeded', 'c3 succeeded']);
    assert.deepEqual(bench.tool('shell').effects, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.match((await bench.event('s1', 'relaunch_prepared')).context, /had not started; it ran now \(succeeded\)/);
  });

  it('does not run again what had finished', async () => {
    const bench = cutAfter([started('c1'), finished('c1')]);
    assert.deepEqual(await outcomes(bench, 'resume'), ['c1 succeeded', 'c2 succeeded', 'c3 succeeded']);
    assert.deepEqual(bench.tool('shell').effects, [{ n: 2 }, { n: 3 }]);
  });

  it('takes the result of a step that finished while nobody looked', async () => {
    const result = {
      outcome: 'succeeded',
      content: '42 tests passed',
      note: 'finished while the window was closed: exit code 0',
    } as const;
    const bench = cutAfter([started('c1')], recovering({ kind: 'settled', result }));
    await outcomes(bench, 'resume');
    assert.deepEqual([ends(bench)[0]?.content, ends(bench)[0]?.note], [result.content, result.note]);
    assert.match((await bench.event('s1', 'relaunch_prepared')).context, /finished while the window was closed/);
    assert.deepEqual(bench.tool('shell').effects, [{ n: 2 }, { n: 3 }]);
  });

  it('waits for a step that still runs', async () => {
    const bench = cutAfter(
      [started('c1')],
      recovering({ kind: 'continues', follow: async () => succeeded('it got there') }),
    );
    assert.deepEqual((await outcomes(bench, 'resume'))[0], 'c1 succeeded');
    assert.equal(ends(bench)[0]?.content, 'it got there');
    assert.equal((await bench.event('s1', 'step_continued')).stepId, 'c1');
  });

  it('runs again what had no effect yet', async () => {
    const bench = cutAfter([started('c1')], recovering({ kind: 'rerun' }));
    await outcomes(bench, 'resume');
    assert.equal(bench.tool('shell').effects.length, 3);
  });

  it('starts nothing more of an answer when the outcome of an earlier call is unknown', async () => {
    const cut = { outcome: 'cut', content: 'Interrupted. The outcome is unknown.' } as const;
    const bench = cutAfter([started('c1')], recovering({ kind: 'settled', result: cut }));
    assert.deepEqual(await outcomes(bench, 'resume'), ['c1 cut', 'c2 not_started', 'c3 not_started']);
    assert.equal(bench.tool('shell').effects.length, 0);
    assert.match(ends(bench)[1]?.content ?? '', /an earlier call of the same answer was cut/);
  });

  it('goes on after a call that failed: that outcome is known', async () => {
    const failed = { outcome: 'failed', content: 'exit code 1' } as const;
    const bench = cutAfter([started('c1')], recovering({ kind: 'settled', result: failed }));
    assert.deepEqual(await outcomes(bench, 'resume'), ['c1 failed', 'c2 succeeded', 'c3 succeeded']);
  });

  it('answers honestly for a tool that is not there any more, and for one that cannot tell', async () => {
    const gone = cutAfter([started('c1')], { tools: [{ name: 'other' }] });
    assert.deepEqual((await outcomes(gone, 'resume'))[0], 'c1 cut');
    const broken = cutAfter([started('c1')], {
      tools: [
        {
          name: 'shell',
          recover: () => {
            throw new Error('job folder is gone');
          },
        },
      ],
    });
    assert.deepEqual((await outcomes(broken, 'resume'))[0], 'c1 cut');
    assert.match(ends(broken)[0]?.content ?? '', /outcome of this call is unknown: job folder is gone/);
    assert.equal(broken.logged.length, 1);
  });

  it('never runs a call of an answer that had been cut at the output limit: it may be half of what was meant', async () => {
    const bench = cutAfter([], {}, 'max_tokens');
    assert.deepEqual(await outcomes(bench, 'resume'), ['c1 not_started', 'c2 not_started', 'c3 not_started']);
    assert.equal(bench.tool('shell').effects.length, 0);
  });

  it('leaves the calls of a refused answer alone', async () => {
    const bench = cutAfter([], {}, 'refusal');
    assert.deepEqual(await outcomes(bench, 'resume'), []);
  });

  it('is stopped while it waits for a step that still runs', async () => {
    const follow = async (): Promise<never> => {
      const { run } = await bench.sessions.open('s1');
      return new Promise((_resolve, reject) => {
        run?.controller.signal.addEventListener('abort', () => reject(run.controller.signal.reason as Error));
        following.resolve(undefined);
      });
    };
    const following = Promise.withResolvers<undefined>();
    const bench = cutAfter([started('c1')], {
      tools: [{ name: 'shell', recover: () => ({ kind: 'continues', follow }) }],
    });
    await bench.sessions.resume('s1');
    await following.promise;
    await bench.sessions.stop('s1');
    assert.deepEqual(
      ends(bench).map(({ outcome }) => outcome),
      ['cancelled', 'not_started', 'not_started'],
    );
    assert.equal(bench.model.requests.length, 0);
    assert.equal((await bench.sessions.open('s1')).name, 'cancelled');
  });
});

describe('a new message: calls that were left open', () => {
  it('only closes them', async () => {
    const bench = cutAfter([started('c1'), finished('c1')]);
    assert.deepEqual(await outcomes(bench, 'send'), ['c1 succeeded', 'c2 not_started', 'c3 not_started']);
    assert.equal(bench.tool('shell').effects.length, 0);
    const roles = bench.model.requests[0]?.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'user', 'user']);
  });

  it('says of a step that still runs that it does', async () => {
    const bench = cutAfter(
      [started('c1')],
      recovering({ kind: 'continues', follow: () => Promise.reject(new Error('not asked for')) }),
    );
    assert.deepEqual(await outcomes(bench, 'send'), ['c1 cut', 'c2 not_started', 'c3 not_started']);
    assert.match(ends(bench)[0]?.content ?? '', /still runs in the background/);
  });

  it('does not run again what had no effect yet', async () => {
    const bench = cutAfter([started('c1')], recovering({ kind: 'rerun' }));
    assert.deepEqual(await outcomes(bench, 'send'), ['c1 not_started', 'c2 not_started', 'c3 not_started']);
    assert.equal(bench.tool('shell').effects.length, 0);
  });
});
