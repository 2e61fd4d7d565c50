import assert from 'node:assert/strict';
import type { AutoResumeMode } from '../../../src/core/autoResume.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { sessionView } from '../../../src/projection/sessionView.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { answer, fails, hangs, say } from '../../support/fakes/scriptedModel.ts';
import { clockStart } from '../../support/fakes/steadyClock.ts';
import type { LiveSession } from '../../../src/runner/liveSession.ts';
import type { SessionView } from '../../../src/protocol/view.ts';

const minute = 60_000;

function refused(code: string, retryAfterMs?: number): ModelError {
  const message = code === 'overloaded' ? 'The server is overloaded. It can be tried again later.' : 'Limited. Later.';
  return new ModelError({ kind: 'retryable', code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

/** Settles when the session's run waits. */
async function waiting(bench: Bench, id: string): Promise<LiveSession> {
  const session = await bench.sessions.open(id);
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (session.wait) resolve();
    };
    bench.sessions.onChange(look);
    look();
  });
  return session;
}

function viewOf(session: LiveSession, autoResume: AutoResumeMode = 'ask'): SessionView {
  return sessionView({
    id: session.id,
    state: session.state,
    name: session.name,
    defaultModel: 'm',
    defaultApprovalMode: 'ask',
    contextWindow: () => 1,
    isWaiting: session.wait !== undefined,
    autoResume,
  });
}

describe('a request that is made again later', () => {
  it('is shown with its time and number while it waits, and is made at once by "Retry now"', async () => {
    const bench = createBench({ turns: [fails(refused('overloaded')), answer(say('Here.'))] });
    bench.clock.holdDelays();
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    const session = await waiting(bench, id);
    assert.deepEqual(viewOf(session).wait, {
      text: 'The server is overloaded.',
      until: clockStart + 2_000,
      attempt: 'attempt 2',
    });
    assert.equal(bench.model.requests.length, 1);
    await bench.sessions.retryNow(id);
    await bench.ended(id);
    assert.equal(session.name, 'done');
    assert.equal(viewOf(session).wait, undefined);
    assert.equal(bench.model.requests.length, 2);
    // Nobody waits any more.
    await bench.sessions.retryNow(id);
  });

  it('is on disk before it is waited for', async () => {
    const bench = createBench({ turns: [fails(refused('overloaded'))] });
    bench.clock.holdDelays();
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await waiting(bench, id);
    assert.equal(bench.actions.at(-1), 'durable request_failed');
    const {
      type: _type,
      seq: _seq,
      at: _at,
      requestId: _id,
      error: _error,
      ...rest
    } = await bench.event(id, 'request_failed');
    assert.deepEqual(rest, { retryInMs: 2_000, retryAt: clockStart + 2_000, nextAttempt: 2 });
    await bench.sessions.stop(id);
    assert.equal((await bench.sessions.open(id)).name, 'cancelled');
  });

  it('spreads the attempts of many windows by chance', async () => {
    const bench = createBench({ turns: [fails(refused('overloaded'))], ports: { chance: () => 0.5 } });
    await bench.ran();
    assert.deepEqual(bench.clock.delays, [2_250]);
  });

  for (const [what, retryAfterMs, passed, expected] of [
    ['waits for the rest of what the server asked for', 40_000, 10_000, [30_000]],
    ['sends at once when the server asked for nothing', undefined, 0, []],
    ['sends at once when that time has passed', 40_000, 50_000, []],
  ] as const) {
    it(`after a kill during the wait a resume ${what}`, async () => {
      const killed = createBench({ ownerId: 'killed', turns: [fails(refused('rate_limited', retryAfterMs))] });
      killed.clock.holdDelays();
      const id = await killed.create();
      await killed.sessions.send(id, 'Go.');
      await waiting(killed, id);
      killed.disk.kill('killed');

      const bench = createBench({ disk: killed.disk });
      bench.clock.advance(passed);
      assert.equal((await bench.sessions.open(id)).name, 'interrupted');
      bench.clock.holdDelays();
      await bench.sessions.resume(id);
      if (expected.length > 0) {
        const session = await waiting(bench, id);
        assert.deepEqual(viewOf(session).wait, { text: 'Limited.', until: clockStart + 40_000 });
        assert.equal(bench.model.requests.length, 0);
        await bench.sessions.retryNow(id);
      }
      await bench.ended(id);
      assert.deepEqual(bench.clock.delays, expected);
      assert.equal(bench.model.requests.length, 1);
    });
  }

  it('after a stop during the wait, "Retry now" and another model do not wait for the rest', async () => {
    for (const options of [{ now: true }, { model: 'claude-haiku-4-5' }] as const) {
      const bench = createBench({ turns: [fails(refused('rate_limited', 40_000))] });
      bench.clock.holdDelays();
      const id = await bench.create();
      await bench.sessions.send(id, 'Go.');
      await waiting(bench, id);
      await bench.sessions.stop(id);
      await bench.sessions.resume(id, options);
      await bench.ended(id);
      assert.deepEqual(bench.clock.delays, [40_000]);
      assert.equal((await bench.sessions.open(id)).name, 'done');
    }
  });
});

describe('a session that is parked', () => {
  it('ends its run with the time, says so in banner and list, and can be tried at once', async () => {
    const bench = createBench({ turns: [fails(refused('rate_limited', 12 * minute)), hangs('Again')] });
    const id = await bench.ran();
    const retryAt = clockStart + 12 * minute;
    const end = await bench.event(id, 'run_ended');
    assert.deepEqual([end.outcome, end.error?.code, end.error?.retryAt], ['failed', 'rate_limited', retryAt]);
    const session = await bench.sessions.open(id);
    const { banner, stateWord } = viewOf(session);
    assert.deepEqual(
      [banner?.title, banner?.action, banner?.retryAt, banner?.auto, stateWord],
      ['Rate limit', 'resume', retryAt, 'You are asked then.', 'parked'],
    );
    assert.deepEqual(bench.clock.delays, []);
    // Twelve minutes are not sat out: who resumes before wants it tried.
    await bench.sessions.resume(id);
    await bench.model.requested(2);
    assert.equal(session.wait, undefined);
    await bench.sessions.stop(id);
  });

  it('after ten minutes of limits that name a short time is parked for a time of its own', async () => {
    const limits = Array.from({ length: 31 }, () => fails(refused('rate_limited', 20_000)));
    const bench = createBench({ turns: [...limits, answer(say('Here.'))] });
    const id = await bench.ran();
    assert.ok(bench.clock.delays.every((ms) => ms >= 20_000));
    const { error } = await bench.event(id, 'run_ended');
    const tried = error?.triedMs ?? 0;
    assert.ok(tried >= 10 * minute && tried <= 10 * minute + 20_000, String(tried));
    assert.equal(error?.retryAt, clockStart + tried + 10 * minute);
  });

  it('by an overload without a time says what the next try is and for how long it was tried', async () => {
    const bench = createBench({ turns: Array.from({ length: 40 }, () => fails(refused('overloaded'))) });
    const { banner, stateWord } = viewOf(await bench.sessions.open(await bench.ran()));
    assert.deepEqual(
      [banner?.title, banner?.detail, banner?.action, banner?.isOwnTime, banner?.auto, stateWord],
      ['The server is overloaded', 'Tried for 10 min.', 'resume', true, 'You are asked then.', 'parked'],
    );
    assert.equal(banner?.retryAt, clockStart + 20 * minute);
  });

  it('where nothing goes on by itself a time of ours is none: it has failed, and Retry is offered', async () => {
    const bench = createBench({ turns: Array.from({ length: 40 }, () => fails(refused('overloaded'))) });
    const session = await bench.sessions.open(await bench.ran());
    const { banner, stateWord } = viewOf(session, 'never');
    assert.deepEqual([banner?.action, banner?.retryAt, stateWord], ['retry', undefined, 'failed']);
  });
});
