import assert from 'node:assert/strict';
import type { SessionStateName } from '../../../src/core/events.ts';
import { RatchetError } from '../../../src/core/errors.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { fails, hangs } from '../../support/fakes/scriptedModel.ts';

type Situation = SessionStateName | 'running_elsewhere' | 'unknown';
type Action = 'send' | 'resume' | 'retry';
type Expected = 'runs' | 'waits' | RatchetError['code'];

interface Made {
  readonly bench: Bench;
  readonly id: string;
  /** Who runs the session, when somebody does. */
  readonly runner?: Bench;
}

const terminal = new ModelError({ kind: 'terminal', code: 'key_refused', message: 'The key was refused.' });

/** A session that is in the given state, in a window that has it loaded. */
async function make(situation: Situation): Promise<Made> {
  const bench = createBench();
  switch (situation) {
    case 'unknown':
      return { bench, id: 'no-such-session' };
    case 'created':
      return { bench, id: await bench.create() };
    case 'done':
      return { bench, id: await bench.ran() };
    case 'failed':
      bench.model.turns.push(fails(terminal));
      return { bench, id: await bench.ran() };
    case 'timed_out':
      return { bench, id: await timedOut(bench) };
    case 'cancelled': {
      const id = await running(bench);
      await bench.sessions.stop(id);
      return { bench, id };
    }
    case 'running':
      return { bench, id: await running(bench), runner: bench };
    case 'running_elsewhere': {
      const runner = createBench({ disk: bench.disk });
      const id = await running(runner);
      return { bench, id, runner };
    }
    case 'interrupted': {
      const killed = createBench({ disk: bench.disk, ownerId: 'killed' });
      const id = await running(killed);
      bench.disk.kill('killed');
      return { bench, id };
    }
  }
}

/** By the time limit of a run in another window, which is gone. */
async function timedOut(bench: Bench): Promise<string> {
  const other = createBench({ disk: bench.disk, runTimeLimit: 1 });
  const id = await running(other);
  const ticking = setInterval(() => other.clock.advance(1_000), 1);
  await other.ended(id);
  clearInterval(ticking);
  return id;
}

async function running(bench: Bench): Promise<string> {
  bench.model.turns.push(hangs('I am'));
  const id = await bench.create();
  await bench.sessions.send(id, 'Do the job.');
  await bench.model.requested(bench.model.requests.length + 1);
  return id;
}

function act({ bench, id }: Made, action: Action): Promise<unknown> {
  return action === 'send' ? bench.sessions.send(id, 'And now?') : bench.sessions.resume(id, { mode: action });
}

const matrix: readonly (readonly [Situation, Record<Action, Expected>])[] = [
  ['unknown', { send: 'not_found', resume: 'not_found', retry: 'not_found' }],
  ['created', { send: 'runs', resume: 'nothing_to_resume', retry: 'nothing_to_resume' }],
  ['running', { send: 'waits', resume: 'already_running', retry: 'already_running' }],
  ['running_elsewhere', { send: 'already_running', resume: 'already_running', retry: 'already_running' }],
  ['done', { send: 'runs', resume: 'runs', retry: 'runs' }],
  ['failed', { send: 'runs', resume: 'runs', retry: 'runs' }],
  ['cancelled', { send: 'runs', resume: 'runs', retry: 'runs' }],
  ['timed_out', { send: 'runs', resume: 'runs', retry: 'runs' }],
  ['interrupted', { send: 'runs', resume: 'runs', retry: 'runs' }],
];

describe('sessions: what may be asked of a session in each state', () => {
  for (const [situation, row] of matrix) {
    for (const action of ['send', 'resume', 'retry'] as const) {
      const expected = row[action];
      it(`${situation}: ${action} ${expected === 'runs' || expected === 'waits' ? expected : `is refused with ${expected}`}`, async () => {
        const made = await make(situation);
        if (expected === 'runs') await assertRuns(made, action, situation);
        else if (expected === 'waits') await assertWaits(made);
        else await assertRefused(made, action, expected);
      });
    }
  }
});

async function assertRuns(made: Made, action: Action, situation: Situation): Promise<void> {
  const { bench, id } = made;
  const session = await bench.sessions.open(id);
  assert.equal(session.name, situation);
  const result = await act(made, action);
  assert.equal(session.name, 'running');
  if (action !== 'send') assert.deepEqual(result, { status: 'resumed', mode: action, priorState: situation });
  await bench.ended(id);
  assert.equal(session.name, 'done');
  assert.equal(bench.events(id).at(-1)?.type, 'run_ended');
  const resumed = bench.events(id).filter(({ type }) => type === 'session_resumed');
  assert.equal(resumed.length, action === 'send' ? 0 : 1);
}

async function assertWaits(made: Made): Promise<void> {
  const { bench, id } = made;
  const requests = bench.model.requests.length;
  assert.deepEqual(await act(made, 'send'), { status: 'queued' });
  const session = await bench.sessions.open(id);
  assert.deepEqual(
    session.state.queue.map(({ text }) => text),
    ['And now?'],
  );
  assert.equal(session.run?.controller.signal.aborted, false);
  await bench.sessions.stop(id);
  assert.equal(bench.model.requests.length, requests, 'nothing more was sent');
}

async function assertRefused(made: Made, action: Action, code: Expected): Promise<void> {
  const { bench, id, runner } = made;
  const before = bench.events(id);
  const requests = bench.model.requests.length;
  await assert.rejects(act(made, action), (error) => error instanceof RatchetError && error.code === code);
  assert.deepEqual(bench.events(id), before, 'nothing was written');
  assert.equal(bench.model.requests.length, requests, 'nothing was sent');
  if (!runner) return;
  // The run that goes on was not touched: it can still be stopped, and ends as it would have.
  const session = await runner.sessions.open(id);
  assert.equal(session.name, 'running');
  assert.equal(session.run?.controller.signal.aborted, false);
  await runner.sessions.stop(id);
  assert.equal(session.name, 'cancelled');
}

describe('sessions: two launches at the same moment', () => {
  it('lets one of two messages start the run, and the other one wait for its next turn', async () => {
    const bench = createBench();
    const id = await bench.create();
    const results = await Promise.all([bench.sessions.send(id, 'One.'), bench.sessions.send(id, 'Two.')]);
    assert.deepEqual(results, [{ status: 'started' }, { status: 'queued' }]);
    await bench.ended(id);
    assert.equal(bench.events(id).filter(({ type }) => type === 'run_started').length, 1);
    assert.match(JSON.stringify(bench.model.requests.at(-1)), /Two\./);
  });

  it('lets one of two resumes win and refuses the other', async () => {
    const bench = createBench();
    const id = await bench.ran();
    const results = await Promise.allSettled([bench.sessions.resume(id), bench.sessions.resume(id)]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    await bench.ended(id);
    assert.equal(bench.events(id).filter(({ type }) => type === 'session_resumed').length, 1);
  });

  it('is running, for everybody to see, from the moment a resume is accepted', async () => {
    const bench = createBench();
    const id = await bench.ran();
    const session = await bench.sessions.open(id);
    let seen: string | undefined;
    bench.sessions.onChange(({ kind }) => {
      if (kind === 'state') seen ??= session.name;
    });
    await bench.sessions.resume(id);
    assert.equal(seen, 'running');
    await bench.ended(id);
  });

  it('refuses an empty message before anything is written', async () => {
    const bench = createBench();
    const id = await bench.create();
    await assert.rejects(bench.sessions.send(id, ' \n '), { code: 'empty_message' });
    assert.deepEqual(bench.events(id), []);
  });

  it('is as it was when the model cannot be prepared', async () => {
    const bench = createBench({
      ports: { prepareModel: () => Promise.reject(new RatchetError('no_model', 'There is no key. Set one.')) },
    });
    const id = await bench.create();
    await assert.rejects(bench.sessions.send(id, 'Hello.'), { code: 'no_model' });
    const session = await bench.sessions.open(id);
    assert.equal(session.name, 'created');
    assert.deepEqual(bench.events(id), []);
  });

  it('is as it was where nothing may run', async () => {
    const bench = createBench({
      ports: {
        assertMayRun: () => {
          throw new RatchetError('untrusted_workspace', 'Trust this folder first.');
        },
      },
    });
    const id = await bench.create();
    await assert.rejects(bench.sessions.send(id, 'Hello.'), { code: 'untrusted_workspace' });
    assert.equal((await bench.sessions.open(id)).name, 'created');
  });
});
