import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mock } from 'node:test';
import { RatchetError } from '../../../src/core/errors.ts';
import { ModelError, type Tool } from '../../../src/runner/ports.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { untilStopped } from '../../support/fakes/fakeTools.ts';
import { answer, call, fails, hangs, say } from '../../support/fakes/scriptedModel.ts';

const oneCall = answer(call('c1', 'shell', { command: 'make' }));

describe('a run: how it ends', () => {
  it('done: when the model has nothing more to do', async () => {
    const bench = createBench();
    const id = await bench.ran();
    const ended = await bench.event(id, 'run_ended');
    assert.deepEqual([ended.outcome, ended.error], ['done', undefined]);
    assert.deepEqual(bench.logged, []);
  });

  it('cancelled: stopped while a step runs, which ends as cancelled', async () => {
    const bench = createBench({ tools: [{ name: 'shell', run: untilStopped }], turns: [oneCall] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    await bench.sessions.stop(id);
    assert.equal((await bench.event(id, 'step_finished')).outcome, 'cancelled');
    assert.equal((await bench.event(id, 'run_ended')).outcome, 'cancelled');
    assert.equal(bench.model.requests.length, 1);
    assert.deepEqual(bench.logged, []);
  });

  it('cancelled, with its command left alone: the step stays open', async () => {
    const bench = createBench({ tools: [{ name: 'shell', run: untilStopped }], turns: [oneCall] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    await bench.sessions.stop(id, 'user_keep_command');
    const { state, name } = await bench.sessions.open(id);
    assert.equal(name, 'cancelled');
    assert.deepEqual([...state.openSteps], ['c1']);
  });

  it('cancelled: a stop between two calls of an answer starts no further one', async () => {
    const bench = createBench({
      tools: [{ name: 'shell', run: untilStopped }],
      turns: [answer(call('c1', 'shell'), call('c2', 'shell'))],
    });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    await bench.sessions.stop(id);
    assert.equal(bench.tool('shell').effects.length, 1);
  });

  it('cancelled: stopped while a call is being prepared, which then does not start', async () => {
    const tool: Tool = {
      definition: { name: 'shell', description: 'x', input_schema: { type: 'object' } },
      effect: 'read',
      plan: async (_input, { sessionId, signal }) => {
        stopping = bench.sessions.stop(sessionId);
        await once(signal, 'abort');
        return { preview: '', execute: () => Promise.reject(new Error('must not run')) };
      },
      recover: async () => ({ kind: 'rerun' }),
    };
    let stopping: Promise<unknown> | undefined;
    const bench = createBench({ turns: [oneCall], ports: { tools: [tool] } });
    const id = await bench.ran();
    await stopping;
    assert.equal((await bench.sessions.open(id)).name, 'cancelled');
    assert.ok(!bench.events(id).some(({ type }) => type === 'step_started'));
  });

  it('cancelled: stopped in the moment in which it is launched', async () => {
    const bench = createBench({ turns: [hangs()] });
    const id = await bench.create();
    const sending = bench.sessions.send(id, 'Go.');
    while (!(await bench.sessions.open(id)).launching) await Promise.resolve();
    await bench.sessions.stop(id);
    await sending;
    assert.equal((await bench.sessions.open(id)).name, 'cancelled');
  });

  it('failed: the error is in the trace, in the log with its stack, and on the screen', async () => {
    const error = new ModelError({
      kind: 'terminal',
      code: 'key_refused',
      message: 'The key was refused. Set another key.',
    });
    const bench = createBench({ turns: [fails(error)] });
    const id = await bench.ran();
    const ended = await bench.event(id, 'run_ended');
    assert.deepEqual([ended.outcome, ended.error?.code, ended.error?.message], ['failed', error.code, error.message]);
    assert.ok(bench.logged.some((entry) => entry.error === error));
    const last = (await bench.sessions.open(id)).page(10).items.at(-1);
    assert.deepEqual([last?.kind, last?.kind === 'notice' && last.text], ['notice', error.message]);
  });

  it('failed: a mistake inside of Ratchet is called that, and logged', async () => {
    const bug = new TypeError('undefined is not iterable');
    const bench = createBench({ turns: [fails(bug)] });
    const id = await bench.ran();
    const { error } = await bench.event(id, 'run_ended');
    assert.equal(error?.code, 'internal');
    assert.match(error.message, /inside Ratchet: undefined is not iterable/);
    assert.deepEqual(
      bench.logged.map((entry) => entry.error),
      [bug],
    );
  });

  it('interrupted: the host ends; no end is written, and the next window can resume', async () => {
    const bench = createBench({ tools: [{ name: 'shell', run: untilStopped }], turns: [oneCall] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    await bench.sessions.shutdown();
    assert.deepEqual(bench.events(id).at(-1)?.type, 'step_started');
    await assert.rejects(bench.sessions.send(id, 'More.'), { code: 'storage' });
    const next = createBench({ disk: bench.disk });
    assert.equal((await next.sessions.open(id)).name, 'interrupted');
    assert.deepEqual(
      (await next.sessions.list('file:///home/ada/job')).map(({ state }) => state),
      ['interrupted'],
    );
  });

  it('interrupted: a shutdown also ends a run that is just being launched', async () => {
    const bench = createBench({ turns: [hangs()] });
    const id = await bench.create();
    const sending = bench.sessions.send(id, 'Go.');
    while (!(await bench.sessions.open(id)).launching) await Promise.resolve();
    await bench.sessions.shutdown();
    await sending;
    assert.equal(bench.disk.journals.get(id)?.owner, undefined);
    assert.equal((await bench.sessions.open(id)).run, undefined);
  });

  it('shows the end of an interrupted run as cut when the session is looked at', async () => {
    const bench = createBench({ ownerId: 'killed', tools: [{ name: 'shell', run: untilStopped }], turns: [oneCall] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    bench.disk.kill('killed');
    const session = await createBench({ disk: bench.disk }).sessions.open(id);
    assert.deepEqual(
      session.page(10).items.flatMap((item) => (item.kind === 'step' ? [item.status] : [])),
      ['cut'],
    );
  });
});

describe('a run: its time limit', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('timed_out: the running step is ended by it, and the trace says what to do', async () => {
    const bench = createBench({ runTimeLimit: 5_000, tools: [{ name: 'shell', run: untilStopped }], turns: [oneCall] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    for (let second = 1; second <= 5; second++) {
      assert.equal((await bench.sessions.open(id)).name, 'running');
      bench.clock.advance(1_000);
      mock.timers.tick(1_000);
    }
    await bench.ended(id);
    assert.equal((await bench.event(id, 'step_finished')).outcome, 'timed_out');
    const { outcome, error } = await bench.event(id, 'run_ended');
    assert.deepEqual([outcome, error?.code], ['timed_out', 'time_limit']);
    assert.match(error?.message ?? '', /5\.0 s .*Resume/);
  });

  it('does not count the time in which the machine slept', async () => {
    const bench = createBench({ runTimeLimit: 10_000, turns: [hangs()] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.model.requested(1);
    bench.clock.advance(8 * 3_600_000);
    mock.timers.tick(1_000);
    assert.equal((await bench.sessions.open(id)).run?.controller.signal.aborted, false);
    await bench.sessions.stop(id);
  });

  it('does not count the time in which it waits for the user', async () => {
    const bench = createBench({
      approvalMode: 'ask',
      runTimeLimit: 3_000,
      tools: [{ name: 'shell', effect: 'command' }],
      turns: [oneCall],
    });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    const session = await bench.sessions.open(id);
    while (session.waitingApprovals.length === 0) await Promise.resolve();
    for (let second = 1; second <= 60; second++) {
      bench.clock.advance(1_000);
      mock.timers.tick(1_000);
    }
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    assert.equal((await bench.event(id, 'run_ended')).outcome, 'done');
  });
});

describe('a run: the trace cannot be written', () => {
  const full = (): RatchetError =>
    new RatchetError('storage', 'The trace could not be written: ENOSPC. Free some space, then resume.');

  it('pauses, shows nothing as done that is not on disk, and goes on by itself when there is space', async () => {
    const bench = createBench({ turns: [oneCall, answer(say('Done.'))], tools: [{ name: 'shell' }] });
    const id = await bench.create();
    const session = await bench.sessions.open(id);
    let refusals = 0;
    const words: (string | undefined)[] = [];
    const before = bench.disk.beforeWrite;
    bench.disk.beforeWrite = (events, durable) => {
      if (refusals > 0) words.push(session.problem);
      if (refusals < 3 && events.some(({ type }) => type === 'step_finished')) {
        refusals += 1;
        assert.equal(bench.model.requests.length, 1, 'the model was not told what is not on disk');
        assert.equal(session.state.succeededSteps, 0);
        throw full();
      }
      before(events, durable);
    };
    await bench.sessions.send(id, 'Go.');
    await bench.ended(id);
    assert.equal(session.name, 'done');
    assert.equal(bench.tool('shell').effects.length, 1);
    assert.match(words[0] ?? '', /^Paused: .*Free some space.*goes on by itself/);
    assert.equal(session.problem, undefined);
    assert.deepEqual(bench.clock.delays, [2_000, 2_000, 2_000]);
    assert.equal(bench.logged.filter(({ message }) => message.includes('paused')).length, 1, 'logged once');
  });

  it('can be stopped while it is paused, says that, and can be resumed', async () => {
    const bench = createBench({ turns: [oneCall, answer(say('Done.'))], tools: [{ name: 'shell' }] });
    bench.clock.holdDelays();
    let isFull = false;
    const before = bench.disk.beforeWrite;
    bench.disk.beforeWrite = (events, durable) => {
      isFull ||= events.some(({ type }) => type === 'step_finished');
      if (isFull) throw full();
      before(events, durable);
    };
    const id = await bench.create();
    const session = await bench.sessions.open(id);
    const paused = new Promise<void>((resolve) => {
      bench.sessions.onChange(() => {
        if (session.problem !== undefined) resolve();
      });
    });
    await bench.sessions.send(id, 'Go.');
    await paused;
    await bench.sessions.stop(id);
    assert.equal(bench.events(id).at(-1)?.type, 'step_started');
    assert.ok(session.problem);
    assert.equal(session.name, 'interrupted');

    bench.disk.beforeWrite = () => undefined;
    await bench.sessions.resume(id);
    await bench.ended(id);
    assert.equal(session.name, 'done');
    assert.equal(session.problem, undefined);
  });

  it('refuses a message that cannot be recorded, and is idle again', async () => {
    const bench = createBench();
    const id = await bench.create();
    bench.disk.beforeWrite = () => {
      throw full();
    };
    await assert.rejects(bench.sessions.send(id, 'Go.'), { code: 'storage' });
    const session = await bench.sessions.open(id);
    assert.deepEqual([session.name, session.launching, bench.model.requests.length], ['created', false, 0]);
    bench.disk.beforeWrite = () => undefined;
    await bench.sessions.send(id, 'Go.');
    await bench.ended(id);
    assert.equal(session.name, 'done');
  });

  it('does not start a step before its start is recorded', async () => {
    const bench = createBench({ turns: [oneCall, answer(say('Done.'))], tools: [{ name: 'shell' }] });
    let refusals = 0;
    bench.disk.beforeWrite = (events) => {
      if (refusals >= 2 || !events.some(({ type }) => type === 'step_started')) return;
      refusals += 1;
      assert.equal(bench.tool('shell').effects.length, 0);
      throw full();
    };
    const session = await bench.sessions.open(await bench.ran());
    assert.equal(refusals, 2);
    assert.equal(bench.tool('shell').effects.length, 1);
    assert.equal(session.name, 'done');
  });
});
