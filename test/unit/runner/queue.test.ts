import assert from 'node:assert/strict';
import { ModelError } from '../../../src/runner/ports.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { succeeded, untilStopped, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { answer, call, fails, hangs, say } from '../../support/fakes/scriptedModel.ts';

/** A step that ends when it is let. */
function heldStep(): { readonly tool: FakeToolOptions; readonly release: () => void } {
  const gate = Promise.withResolvers<undefined>();
  return {
    tool: {
      name: 'note',
      run: async () => {
        await gate.promise;
        return succeeded('noted');
      },
    },
    release: () => {
      gate.resolve(undefined);
    },
  };
}

/** What the user said in the n-th request (from 1), in order. */
function said({ model }: Bench, n: number): readonly string[] {
  const request = model.requests[n - 1];
  assert.ok(request);
  assert.deepEqual(validateRequest(request), undefined);
  return request.messages.flatMap(({ role, content }) =>
    role === 'user' ? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
  );
}

async function queued({ sessions }: Bench, id: string): Promise<readonly string[]> {
  return (await sessions.open(id)).state.queue.map(({ text }) => text);
}

describe('messages that are sent while a run goes on', () => {
  it('are on disk before they are acknowledged, and delivered in order after the results of the turn', async () => {
    const { tool, release } = heldStep();
    const bench = createBench({ tools: [tool], turns: [answer(call('c1', 'note'))] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('note').started(1);
    assert.deepEqual(await bench.sessions.send(id, 'First.'), { status: 'queued' });
    assert.equal(bench.actions.at(-1), 'durable message_queued');
    await bench.sessions.send(id, 'Second.');
    assert.deepEqual(await queued(bench, id), ['First.', 'Second.']);
    release();
    await bench.ended(id);
    assert.deepEqual(said(bench, 2), ['Go.', 'First.', 'Second.']);
    assert.deepEqual(
      bench.model.requests[1]?.messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'user', 'user'],
    );
    assert.deepEqual(await queued(bench, id), []);
    const types = bench.events(id).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'run_started').length, 1);
    const ids = bench.events(id).flatMap((event) => ('messageId' in event ? [`${event.type} ${event.messageId}`] : []));
    const queuedId = ids.find((each) => each.startsWith('message_queued'))?.split(' ')[1] ?? '';
    assert.ok(ids.includes(`user_message_added ${queuedId}`), 'delivered under the id it was queued with');
  });

  it('are the next turn of the same run when the model ends its own', async () => {
    const bench = createBench({ turns: [answer(say('Done, I think.')), answer(say('That too.'))] });
    const id = await bench.create();
    let sending: Promise<unknown> | undefined;
    bench.sessions.onChange((change) => {
      if (change.kind === 'event' && change.event.type === 'request_started')
        sending ??= bench.sessions.send(id, 'And this?');
    });
    await bench.sessions.send(id, 'Go.');
    await bench.ended(id);
    await sending;
    assert.deepEqual(said(bench, 2), ['Go.', 'And this?']);
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('are never left behind by a run that ends in that very moment', async () => {
    // At each of its writes in turn, the last ones among them.
    for (let at = 1; at <= 8; at++) {
      const bench = createBench({ turns: [answer(call('c1', 'note')), answer(say('Done.')), answer(say('Also.'))] });
      const id = await bench.create();
      let writes = 0;
      let sending: Promise<unknown> | undefined;
      const before = bench.disk.beforeWrite;
      bench.disk.beforeWrite = (events, durable) => {
        before(events, durable);
        writes += 1;
        if (writes === at) sending = bench.sessions.send(id, 'One more thing.');
      };
      await bench.sessions.send(id, 'Go.');
      const session = await bench.ended(id);
      await sending;
      await session.run?.ended;
      assert.deepEqual(session.state.queue, [], `at write ${String(at)}`);
      assert.ok(said(bench, bench.model.requests.length).includes('One more thing.'), `at write ${String(at)}`);
      assert.equal(session.name, 'done');
    }
  });

  it('can be edited and removed while they wait, and not any more once they were delivered', async () => {
    const { tool, release } = heldStep();
    const bench = createBench({ tools: [tool], turns: [answer(call('c1', 'note'))] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('note').started(1);
    for (const text of ['First.', 'Second.', 'Third.']) await bench.sessions.send(id, text);
    const [one, two, three] = (await bench.sessions.open(id)).state.queue.map(({ messageId }) => messageId);
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    await bench.sessions.editQueued(id, one, 'First, better.');
    await bench.sessions.removeQueued(id, two);
    await assert.rejects(bench.sessions.editQueued(id, three, '  '), { code: 'empty_message' });
    await assert.rejects(bench.sessions.removeQueued(id, two), { code: 'not_found' });
    release();
    await bench.ended(id);
    assert.deepEqual(said(bench, 2), ['Go.', 'First, better.', 'Third.']);
    const before = bench.events(id).length;
    await assert.rejects(bench.sessions.editQueued(id, one, 'Too late.'), { code: 'not_found', message: /was sent/ });
    await assert.rejects(bench.sessions.removeQueued(id, three), { code: 'not_found' });
    assert.equal(bench.events(id).length, before);
  });

  it('stay queued after a stop, can still be changed, and go out before the next message', async () => {
    const bench = createBench({ tools: [{ name: 'note', run: untilStopped }], turns: [answer(call('c1', 'note'))] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('note').started(1);
    await bench.sessions.send(id, 'First.');
    await bench.sessions.send(id, 'Second.');
    await bench.sessions.stop(id);
    assert.deepEqual(await queued(bench, id), ['First.', 'Second.']);
    const other = createBench({ disk: bench.disk });
    const [one = ''] = (await other.sessions.open(id)).state.queue.map(({ messageId }) => messageId);
    await other.sessions.editQueued(id, one, 'First, better.');
    await bench.sessions.send(id, 'Third.');
    await bench.ended(id);
    assert.deepEqual(said(bench, 2), ['Go.', 'First, better.', 'Second.', 'Third.']);
    assert.deepEqual(await queued(bench, id), []);
  });

  it('stay queued after a failure, and one that comes too late for it starts the next run', async () => {
    const error = new ModelError({ kind: 'terminal', code: 'key_refused', message: 'The key was refused.' });
    const { tool, release } = heldStep();
    const bench = createBench({ tools: [tool], turns: [answer(call('c1', 'note')), fails(error)] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('note').started(1);
    await bench.sessions.send(id, 'First.');
    release();
    const session = await bench.ended(id);
    assert.equal(session.name, 'failed');
    assert.deepEqual(await bench.sessions.send(id, 'Second.'), { status: 'started' });
    await bench.ended(id);
    assert.deepEqual(said(bench, 3), ['Go.', 'First.', 'Second.']);
  });

  for (const takesSystemMessages of [true, false]) {
    it(`are delivered once by the resume after a kill, with the cut request as its prefix (${takesSystemMessages ? 'system' : 'user'})`, async () => {
      const settings = { takesSystemMessages, model: takesSystemMessages ? 'claude-opus-4-8' : 'claude-sonnet-5-5' };
      const killed = createBench({
        settings,
        ownerId: 'killed',
        tools: [{ name: 'note' }],
        turns: [answer(call('c1', 'note')), hangs('Half')],
      });
      const id = await killed.create();
      await killed.sessions.send(id, 'Go.');
      await killed.model.requested(2);
      await killed.sessions.send(id, 'First.');
      await killed.sessions.send(id, 'Second.');
      killed.disk.kill('killed');

      const bench = createBench({ settings, disk: killed.disk, tools: [{ name: 'note' }] });
      await bench.sessions.resume(id);
      await bench.ended(id);
      const words = said(bench, 1);
      assert.deepEqual(words.slice(0, 3), ['Go.', 'First.', 'Second.']);
      assert.match(words[3] ?? '', /Go on from where it stopped.*said last.*heed it/);
      const cut = killed.model.requests[1]?.messages.map((message) => JSON.stringify(message)) ?? [];
      const resumed = bench.model.requests[0]?.messages.map((message) => JSON.stringify(message)) ?? [];
      assert.deepEqual(resumed.slice(0, cut.length), cut);
      assert.deepEqual(await queued(bench, id), []);
      await bench.sessions.send(id, 'Third.');
      await bench.ended(id);
      assert.equal(said(bench, 2).filter((text) => text === 'First.').length, 1);
    });
  }

  it('are refused while another window runs the session, and when this one is closing', async () => {
    const runner = createBench({ turns: [hangs()] });
    const id = await runner.create();
    await runner.sessions.send(id, 'Go.');
    await runner.model.requested(1);
    const other = createBench({ disk: runner.disk });
    await assert.rejects(other.sessions.send(id, 'Me too.'), { code: 'already_running' });
    assert.deepEqual(await queued(runner, id), []);
    const closing = runner.sessions.shutdown();
    await assert.rejects(runner.sessions.send(id, 'Late.'), { code: 'storage' });
    await closing;
  });
});
