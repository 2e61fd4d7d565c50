import assert from 'node:assert/strict';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { answer, call, fails, hangs, say, stopped } from '../../support/fakes/scriptedModel.ts';

function broken(
  code = 'connection_lost',
  more: { readonly status?: number; readonly retryAfterMs?: number } = {},
): ModelError {
  return new ModelError({ kind: 'retryable', code, message: 'The connection was lost.', ...more });
}

describe('a run: answers that do not go well', () => {
  it('asks again when an answer breaks off in the middle, and takes the broken half off the screen', async () => {
    const bench = createBench({ turns: [fails(broken(), 'Half an'), answer(say('A whole answer.'))] });
    const id = await bench.ran();
    assert.equal(bench.model.requests.length, 2);
    assert.deepEqual(bench.model.requests[1], bench.model.requests[0]);
    assert.deepEqual(bench.clock.delays, [1_000]);
    const failed = await bench.event(id, 'request_failed');
    assert.deepEqual([failed.error.code, failed.retryInMs], ['connection_lost', 1_000]);
    assert.ok(
      bench.changes.some((change) => change.kind === 'itemRemoved' && change.id === `${failed.requestId}-text-0`),
    );
    const session = await bench.sessions.open(id);
    assert.equal(session.name, 'done');
    assert.deepEqual(
      session.page(50).items.flatMap((item) => (item.kind === 'assistant' ? [item.markdown] : [])),
      ['A whole answer.'],
    );
  });

  it('leaves thinking out that the model does not take back, once, and says so', async () => {
    const refused = new ModelError({ kind: 'terminal', code: 'thinking_refused', message: 'No.', status: 400 });
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 's' } as const;
    const bench = createBench({
      turns: [answer(thought, call('c1', 'note')), fails(refused), answer(thought, say('Done.'))],
    });
    const id = await bench.ran();
    const sent = bench.model.requests.map((request) => JSON.stringify(request).includes('Hm.'));
    assert.deepEqual(sent, [false, true, false]);
    await bench.sessions.send(id, 'And now?');
    await bench.ended(id);
    const again = JSON.stringify(bench.model.requests[3]);
    assert.equal(again.split('Hm.').length, 2, 'what was thought since is sent, what was refused is not');
    const { items } = (await bench.sessions.open(id)).page(50);
    assert.ok(items.some((item) => item.kind === 'notice' && item.text.includes('did not take its earlier thinking')));
  });

  it('fails when thinking is refused a second time', async () => {
    const refused = (): ModelError =>
      new ModelError({ kind: 'terminal', code: 'thinking_refused', message: 'No.', status: 400 });
    const bench = createBench({ turns: [fails(refused()), fails(refused()), answer(say('Too late.'))] });
    const session = await bench.sessions.open(await bench.ran());
    assert.equal(session.name, 'failed');
    assert.equal(bench.model.requests.length, 2);
  });

  it('numbers the attempts and gives up after the fourth of what may be the same each time', async () => {
    const four = Array.from({ length: 4 }, () => fails(broken('malformed_tool_input')));
    const bench = createBench({ turns: [...four, answer(say('Too late.'))] });
    const id = await bench.ran();
    assert.equal(bench.model.requests.length, 4);
    assert.deepEqual(bench.clock.delays, [1_000, 2_000, 4_000]);
    const started = bench.events(id).flatMap((event) => (event.type === 'request_started' ? [event.attempt] : []));
    assert.deepEqual(started, [1, 2, 3, 4]);
    const session = await bench.sessions.open(id);
    assert.equal(session.name, 'failed');
    assert.equal(session.state.runs.at(-1)?.end?.error?.code, 'malformed_tool_input');
  });

  it('begins to count anew with each answer', async () => {
    const bench = createBench({
      turns: [
        fails(broken()),
        fails(broken()),
        answer(call('c1', 'note')),
        fails(broken()),
        fails(broken()),
        answer(say('Done.')),
      ],
    });
    assert.equal((await bench.sessions.open(await bench.ran())).name, 'done');
  });

  for (const [what, error] of [
    ['a wait that is longer than the cap', broken('rate_limited', { retryAfterMs: 3 * 7 * 86_400_000 })],
    [
      'a request that the server calls invalid',
      new ModelError({ kind: 'terminal', code: 'invalid_request', message: 'Bad.', status: 400 }),
    ],
  ] as const) {
    it(`does not send again after ${what}`, async () => {
      const bench = createBench({ turns: [fails(error), answer(say('Never asked for.'))] });
      const id = await bench.ran();
      assert.equal(bench.model.requests.length, 1);
      assert.equal((await bench.event(id, 'request_failed')).retryInMs, undefined);
      assert.equal((await bench.sessions.open(id)).name, 'failed');
    });
  }

  it('asks again when an answer stalls, as after the lid was closed', async () => {
    const stalled = new ModelError({ kind: 'stalled', code: 'stalled', message: 'The server sent nothing.' });
    const bench = createBench({ turns: [fails(stalled), fails(stalled), answer(say('Here.'))] });
    const session = await bench.sessions.open(await bench.ran());
    assert.equal(bench.model.requests.length, 3);
    assert.equal(session.name, 'done');
  });

  it('waits at least as long as the server says', async () => {
    const bench = createBench({ turns: [fails(broken('rate_limited', { retryAfterMs: 7_000 }))] });
    await bench.ran();
    assert.deepEqual(bench.clock.delays, [7_000]);
  });

  it('can be stopped while it waits for the next attempt', async () => {
    const bench = createBench({ turns: [fails(broken())] });
    bench.clock.holdDelays();
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.event(id, 'request_failed');
    await bench.sessions.stop(id);
    assert.equal((await bench.sessions.open(id)).name, 'cancelled');
    assert.equal(bench.model.requests.length, 1);
  });

  it('goes on after an answer that reached the output limit, without running its calls', async () => {
    const bench = createBench({
      turns: [stopped('max_tokens', say('Writing'), call('c1', 'note')), answer(say('the rest.'))],
    });
    const id = await bench.ran();
    assert.equal(bench.tool('note').effects.length, 0);
    assert.equal((await bench.event(id, 'step_finished')).outcome, 'not_started');
    const roles = bench.model.requests[1]?.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'user', 'user']);
    assert.equal((await bench.event(id, 'user_message_added', ({ origin }) => origin === 'ratchet')).origin, 'ratchet');
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('gives up after the output limit was reached several times in a row', async () => {
    const cut = stopped('max_tokens', say('More'));
    const bench = createBench({ turns: [cut, cut, cut, cut, answer(say('Never.'))] });
    const id = await bench.ran();
    assert.equal(bench.model.requests.length, 4);
    const { end } = (await bench.sessions.open(id)).state.runs[0] ?? {};
    assert.deepEqual([end?.outcome, end?.error?.code], ['failed', 'max_tokens']);
  });

  it('goes on after a pause, and gives up when there are too many', async () => {
    const bench = createBench({ turns: [stopped('pause_turn', say('A moment.')), answer(say('Here.'))] });
    assert.equal((await bench.sessions.open(await bench.ran())).name, 'done');
    assert.equal(bench.model.requests.length, 2);

    const endless = createBench({ turns: Array.from({ length: 30 }, () => stopped('pause_turn', say('Wait.'))) });
    const session = await endless.sessions.open(await endless.ran());
    assert.equal(session.state.runs[0]?.end?.error?.code, 'paused');
    assert.equal(endless.model.requests.length, 21);
  });

  for (const [stopReason, code] of [
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_full'],
    ['something_new', 'unexpected_stop'],
    ['tool_use', 'empty_tool_use'],
  ] as const) {
    it(`ends as failed, and says why, on the stop reason ${stopReason}`, async () => {
      const bench = createBench({ turns: [stopped(stopReason, say('Hm.'))] });
      const session = await bench.sessions.open(await bench.ran());
      assert.equal(session.name, 'failed');
      assert.equal(session.state.runs[0]?.end?.error?.code, code);
      assert.equal(bench.logged.length, 1);
    });
  }

  it('keeps what had been streamed of an answer that was stopped, for the screen and for the model', async () => {
    const bench = createBench({ turns: [hangs('Half a thought'), answer(say('Whole.'))] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Think.');
    await bench.model.requested(1);
    await bench.sessions.stop(id);
    const session = await bench.sessions.open(id);
    const shown = session.page(50).items.find((item) => item.kind === 'assistant');
    assert.deepEqual([shown?.markdown, shown?.cut], ['Half a thought', true]);
    await bench.sessions.send(id, 'Again.');
    await bench.ended(id);
    assert.ok(JSON.stringify(bench.model.requests[1]).includes('Half a thought'));
  });
});
