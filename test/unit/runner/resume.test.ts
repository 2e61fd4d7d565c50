import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/messages.ts';
import { createBench, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { succeeded, untilStopped, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { answer, call, hangs, say, type ModelTurn } from '../../support/fakes/scriptedModel.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

/** Cuts a run at some point, as a kill does, and gives the window that comes after it. */
interface Cut {
  readonly name: string;
  readonly turns: readonly ModelTurn[];
  readonly options?: Partial<BenchOptions>;
  readonly until: (bench: Bench, id: string) => Promise<unknown>;
  /** Calls that must have taken effect in the resumed run, and no others. */
  readonly runsAgain: number;
}

const steps = [answer(say('One.'), call('c1', 'shell', { n: 1 })), answer(say('Two.'), call('c2', 'shell', { n: 2 }))];
const shell: FakeToolOptions = { name: 'shell', effect: 'command' };
const hanging: FakeToolOptions = {
  ...shell,
  run: (input, context) => (input.n === 2 ? untilStopped(input, context) : succeeded('fine')),
};

const cuts: readonly Cut[] = [
  {
    name: 'the model answers',
    turns: [steps[0] ?? answer(), hangs('I was just')],
    until: (bench) => bench.model.requested(2),
    runsAgain: 0,
  },
  {
    name: 'a request has not begun',
    turns: steps,
    until: (bench, id) => bench.event(id, 'step_finished'),
    runsAgain: 0,
  },
  {
    name: 'a step runs',
    turns: steps,
    options: { tools: [hanging] },
    until: (bench) => bench.tool('shell').started(2),
    runsAgain: 1,
  },
  {
    name: 'an answer is on disk and none of its steps has begun',
    turns: steps,
    until: (bench, id) =>
      bench.event(id, 'assistant_message_completed', ({ content }) => JSON.stringify(content).includes('Two.')),
    runsAgain: 1,
  },
  {
    name: 'an approval waits',
    turns: [answer(call('c1', 'shell', { n: 1 }))],
    options: { approvalMode: 'ask' },
    until: (bench, id) => bench.event(id, 'approval_requested'),
    runsAgain: 1,
  },
];

function assertPrefix(shorter: ModelRequest | undefined, longer: ModelRequest | undefined): void {
  assert.ok(shorter && longer);
  assert.equal(JSON.stringify(longer.system), JSON.stringify(shorter.system));
  assert.equal(JSON.stringify(longer.tools), JSON.stringify(shorter.tools));
  assert.ok(longer.messages.length > shorter.messages.length);
  for (const [index, message] of shorter.messages.entries()) {
    assert.equal(JSON.stringify(longer.messages[index]), JSON.stringify(message), `message ${String(index)}`);
  }
}

describe('resume: a run that was killed', () => {
  for (const cut of cuts) {
    for (const mode of ['resume', 'retry'] as const) {
      it(`${mode} while ${cut.name}: starts with the bytes of the last request, and does nothing twice`, async () => {
        const first = createBench({ ownerId: 'first', turns: cut.turns, tools: [shell], ...cut.options });
        const id = await first.create();
        // The window ends in the instant in which this is seen.
        await first.sessions.send(id, 'Do both.');
        await cut.until(first, id);
        first.disk.kill('first');
        const lastRequest = first.model.requests.at(-1);

        const next = createBench({ disk: first.disk, tools: [shell] });
        const result = await next.sessions.resume(id, { mode });
        assert.deepEqual(result, { status: 'resumed', mode, priorState: 'interrupted' });
        await next.ended(id);
        assertPrefix(lastRequest, next.model.requests[0]);
        assert.equal(next.tool('shell').effects.length, cut.runsAgain);
        assert.equal(validateRequest(next.model.requests[0]), undefined);
        assert.equal((await next.sessions.open(id)).name, 'done');
      });
    }
  }

  it('keeps the prompt of the run that was cut, though settings and tools are others now', async () => {
    const first = createBench({ ownerId: 'first', turns: [hangs()] });
    const id = await first.create();
    await first.sessions.send(id, 'Go.');
    await first.model.requested(1);
    first.disk.kill('first');
    const next = createBench({
      disk: first.disk,
      tools: [{ name: 'other' }],
      ports: { systemPrompt: async () => 'Another prompt.' },
    });
    await next.sessions.resume(id);
    await next.ended(id);
    assertPrefix(first.model.requests[0], next.model.requests[0]);
    await next.sessions.send(id, 'And now?');
    await next.ended(id);
    assert.equal(next.model.requests[1]?.system[0]?.text, 'Another prompt.');
    assert.deepEqual(
      next.model.requests[1].tools.map(({ name }) => name),
      ['other'],
    );
  });

  it('stays a valid conversation when it is resumed again and again before the model ever answers', async () => {
    for (const takesSystemMessages of [true, false]) {
      const model = takesSystemMessages ? 'claude-opus-4-8' : 'claude-sonnet-5-5';
      const disk = createBench().disk;
      const chosen = { model, takesSystemMessages };
      let bench = createBench({ disk, ownerId: `w0-${model}`, turns: [hangs()], settings: chosen });
      const id = await bench.create();
      await bench.sessions.send(id, 'Go.');
      for (let round = 1; round <= 3; round++) {
        await bench.model.requested(1);
        const [before] = bench.model.requests;
        disk.kill(`w${String(round - 1)}-${model}`);
        bench = createBench({ disk, ownerId: `w${String(round)}-${model}`, turns: [hangs()], settings: chosen });
        await bench.sessions.resume(id);
        const request = await bench.model.requested(1);
        assertPrefix(before, request);
        assert.equal(validateRequest(request), undefined);
      }
      await bench.sessions.stop(id);
    }
  });
});

describe('resume: what is published and sent', () => {
  it('publishes session_resumed exactly once, with mode and prior state, before the first request', async () => {
    const bench = createBench();
    const id = await bench.ran();
    for (const mode of ['resume', 'retry'] as const) {
      const from = bench.changes.length;
      await bench.sessions.resume(id, { mode });
      await bench.ended(id);
      const seen = bench.changes.slice(from).flatMap((change) => (change.kind === 'event' ? [change.event] : []));
      const resumed = seen.filter((event) => event.type === 'session_resumed');
      assert.deepEqual(
        resumed.map((event) => [event.mode, event.priorState, event.stepsKept]),
        [[mode, 'done', 0]],
      );
      const types = seen.map(({ type }) => type);
      assert.ok(types.indexOf('session_resumed') < types.indexOf('request_started'));
      assert.ok(types.indexOf('relaunch_prepared') < types.indexOf('request_started'));
    }
  });

  it('puts prompt and context after the conversation: as a system message where the model takes one', async () => {
    const bench = createBench();
    const id = await bench.ran();
    await bench.sessions.resume(id);
    await bench.ended(id);
    const messages = bench.model.requests[1]?.messages ?? [];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'system'],
    );
    assert.match(JSON.stringify(messages[2]), /had finished/);
    assert.match(JSON.stringify(messages[3]), /## Tool history/);
  });

  it('puts the context into the user message in a tagged block where the model takes no system message', async () => {
    const bench = createBench({ settings: { model: 'claude-sonnet-5-5', takesSystemMessages: false } });
    const id = await bench.ran();
    await bench.sessions.resume(id);
    await bench.ended(id);
    const last = bench.model.requests[1]?.messages.at(-1);
    assert.equal(last?.role, 'user');
    assert.equal(last.content.length, 2);
    const [, context] = last.content;
    assert.ok(context?.type === 'text' && /^<resume_context>\n## State\n[^]*\n<\/resume_context>$/.test(context.text));
  });

  it('takes another model and another thinking, for this run', async () => {
    const bench = createBench();
    const id = await bench.ran();
    await bench.sessions.resume(id, { model: 'claude-opus-5-5', thinking: 'off' });
    await bench.ended(id);
    const { model, thinking } = bench.model.requests[1] ?? {};
    assert.deepEqual([model, thinking], ['claude-opus-5-5', undefined]);
    const run = (await bench.sessions.open(id)).state.runs.at(-1);
    assert.deepEqual([run?.model, run?.thinking], ['claude-opus-5-5', 'off']);
  });

  it('a mode shades the prompt and nothing else', async () => {
    const requests = [];
    for (const mode of ['resume', 'retry'] as const) {
      const bench = createBench({ ownerId: 'same' });
      const id = await bench.ran();
      const failing = createBench({ disk: bench.disk, ownerId: 'other', turns: [hangs()] });
      await failing.sessions.send(id, 'More.');
      await failing.model.requested(1);
      failing.disk.kill('other');
      await bench.sessions.resume(id, { mode });
      await bench.ended(id);
      requests.push(bench.model.requests.at(-1));
    }
    const [resume, retry] = requests;
    const differing = resume?.messages.flatMap((message, index) =>
      JSON.stringify(message) === JSON.stringify(retry?.messages[index]) ? [] : [index],
    );
    assert.deepEqual(differing, [(resume?.messages.length ?? 0) - 2]);
    assert.match(JSON.stringify(retry?.messages.at(-2)), /Try again from where it stopped/);
  });

  it('an ordinary message sends the same bytes whether resume was ever used or not', async () => {
    const turns = (): ModelTurn[] => [
      answer(say('One.'), call('c1', 'note', { n: 1 })),
      answer(say('Done.')),
      answer(say('More.')),
    ];
    const plain = createBench({ turns: turns() });
    const plainId = await plain.ran('Do it.');
    await plain.sessions.send(plainId, 'More.');
    await plain.ended(plainId);
    // The same records, but in a window that resumed another session before and reads these from disk.
    const other = createBench({ disk: plain.disk, turns: [answer(say('x'))] });
    await other.sessions.resume(await other.ran());
    const again = createBench({ turns: turns() });
    const busy = await again.create();
    await assert.rejects(again.sessions.resume(busy), { code: 'nothing_to_resume' });
    const againId = await again.ran('Do it.');
    await again.sessions.send(againId, 'More.');
    await again.ended(againId);
    assert.equal(JSON.stringify(again.model.requests), JSON.stringify(plain.model.requests));
    for (const request of plain.model.requests) assert.ok(!JSON.stringify(request).includes('resume'));
    assert.deepEqual(Object.keys(plain.model.requests[0] ?? {}), [
      'model',
      'max_tokens',
      'thinking',
      'cache_control',
      'system',
      'tools',
      'messages',
    ]);
  });

  it('does not stop because a part of the context cannot be looked up', async () => {
    const bench = createBench({
      ports: {
        listWorkspace: () => Promise.reject(new Error('the listing broke')),
        checkArtifacts: () => Promise.reject(new Error('the check broke')),
        openEditors: () => {
          throw new Error('the editors broke');
        },
      },
    });
    const id = await bench.ran();
    await bench.sessions.resume(id);
    await bench.ended(id);
    assert.equal((await bench.sessions.open(id)).name, 'done');
    const { context } = await bench.event(id, 'relaunch_prepared');
    assert.match(context, /could not be listed: the listing broke/);
    assert.match(context, /could not be checked: the check broke/);
    assert.match(context, /could not be read: the editors broke/);
    assert.equal(bench.logged.length, 3);
  });

  it('lists the files of this session first, and checks what it recorded', async () => {
    let first: readonly string[] = [];
    const artifact = { path: 'out/a.txt', change: 'created' as const, size: 3, sha256: 'ab' };
    const bench = createBench({
      tools: [{ name: 'note', run: () => ({ outcome: 'succeeded', content: 'ok', artifacts: [artifact] }) }],
      turns: [answer(call('c1', 'note'))],
      ports: {
        listWorkspace: async (_folder, wanted) => {
          first = wanted;
          return { ok: true, value: { files: [{ path: 'out/a.txt', size: 3, mtimeMs: 0 }], total: 1 } };
        },
        checkArtifacts: async (_folder, artifacts) => ({
          ok: true,
          value: artifacts.map((one) => ({ artifact: one, verdict: 'missing' as const })),
        }),
      },
    });
    const id = await bench.ran();
    await bench.sessions.resume(id);
    await bench.ended(id);
    assert.deepEqual(first, ['out/a.txt']);
    assert.match((await bench.event(id, 'relaunch_prepared')).context, /out\/a\.txt: missing \(3 B\)/);
  });
});
