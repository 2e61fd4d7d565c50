import assert from 'node:assert/strict';
import type { ApprovalMode } from '../../../src/core/events.ts';
import type { Tool, ToolEffect } from '../../../src/runner/ports.ts';
import { ToolInputError } from '../../../src/runner/ports.ts';
import { createBench, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { answer, call } from '../../support/fakes/scriptedModel.ts';

async function asking(options: BenchOptions = {}): Promise<{ readonly bench: Bench; readonly id: string }> {
  const bench = createBench({
    approvalMode: 'ask',
    tools: [{ name: 'shell', effect: 'command' }],
    turns: [answer(call('c1', 'shell', { command: 'make' }))],
    ...options,
  });
  const id = await bench.create();
  await bench.sessions.send(id, 'Build it.');
  await bench.event(id, 'approval_requested');
  return { bench, id };
}

describe('a run: approval', () => {
  const asked: Record<ApprovalMode, readonly ToolEffect[]> = {
    ask: ['edit', 'command'],
    acceptEdits: ['command'],
    allowAll: [],
  };
  for (const mode of ['ask', 'acceptEdits', 'allowAll'] as const) {
    for (const effect of ['read', 'tasks', 'edit', 'command'] as const) {
      const asks = asked[mode].includes(effect);
      it(`${mode}: a call that does "${effect}" ${asks ? 'waits' : 'does not wait'} for the user`, async () => {
        const bench = createBench({
          approvalMode: mode,
          tools: [{ name: 'tool', effect }],
          turns: [answer(call('c1', 'tool'))],
        });
        const id = await bench.create();
        await bench.sessions.send(id, 'Go.');
        if (asks) {
          const { preview } = await bench.event(id, 'approval_requested');
          assert.equal(preview, 'tool {}');
          assert.equal(bench.tool('tool').effects.length, 0);
          await bench.sessions.approve(id, 'c1', 'allow');
        }
        await bench.ended(id);
        assert.equal(bench.tool('tool').effects.length, 1);
        assert.equal(
          bench.events(id).some(({ type }) => type === 'approval_requested'),
          asks,
        );
      });
    }
  }

  it('does not ask about a call that changes nothing', async () => {
    const tool: Tool = {
      definition: { name: 'write', description: 'x', input_schema: { type: 'object' } },
      effect: 'edit',
      plan: async () => ({
        preview: '',
        changesNothing: true,
        execute: async () => ({ outcome: 'succeeded', content: 'nothing was written' }),
      }),
      recover: async () => ({ kind: 'rerun' }),
    };
    const bench = createBench({ approvalMode: 'ask', turns: [answer(call('c1', 'write'))], ports: { tools: [tool] } });
    const id = await bench.ran();
    const events = bench.events(id);
    assert.ok(!events.some(({ type }) => type === 'approval_requested'));
    assert.ok(events.some((event) => event.type === 'step_finished' && event.outcome === 'succeeded'));
  });

  it('takes an answer that comes the instant the question is seen', async () => {
    const bench = createBench({
      approvalMode: 'ask',
      tools: [{ name: 'shell', effect: 'command' }],
      turns: [answer(call('c1', 'shell'))],
    });
    const answered: Promise<void>[] = [];
    bench.sessions.onChange((change) => {
      if (change.kind === 'event' && change.event.type === 'approval_requested') {
        answered.push(bench.sessions.approve(change.sessionId, change.event.stepId, 'allow'));
      }
    });
    const id = await bench.ran();
    await Promise.all(answered);
    assert.equal(bench.tool('shell').effects.length, 1);
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('records the answer before the step starts', async () => {
    const { bench, id } = await asking();
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    const order = ['durable approval_requested', 'durable approval_answered', 'durable step_started', 'effect shell'];
    assert.deepEqual(
      bench.actions.filter((action) => order.includes(action)),
      order,
    );
  });

  it("tells the model of a denial, with the user's words, and runs nothing", async () => {
    const { bench, id } = await asking();
    await bench.sessions.approve(id, 'c1', 'deny', 'Use the other script.');
    await bench.ended(id);
    const finished = await bench.event(id, 'step_finished');
    assert.deepEqual(
      [finished.outcome, finished.isError, finished.content],
      ['denied', true, 'The user denied this call and said: Use the other script.'],
    );
    assert.equal(bench.tool('shell').effects.length, 0);
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('is stopped while it waits: nothing ran, and the answer is taken no more', async () => {
    const { bench, id } = await asking();
    await bench.sessions.stop(id);
    assert.equal((await bench.sessions.open(id)).name, 'cancelled');
    assert.equal(bench.tool('shell').effects.length, 0);
    await assert.rejects(bench.sessions.approve(id, 'c1', 'allow'), { code: 'not_found' });
  });

  it('allows what waits when the mode is switched to one that would not ask', async () => {
    const { bench, id } = await asking();
    await bench.sessions.setApprovalMode(id, 'acceptEdits');
    assert.deepEqual((await bench.sessions.open(id)).waitingApprovals, ['c1']);
    await bench.sessions.setApprovalMode(id, 'allowAll');
    await bench.ended(id);
    assert.equal(bench.tool('shell').effects.length, 1);
    assert.equal((await bench.event(id, 'approval_answered')).decision, 'allow');
  });

  it('allows what is asked while the mode is being switched', async () => {
    const bench = createBench({
      approvalMode: 'ask',
      tools: [{ name: 'shell', effect: 'command' }],
      turns: [answer(call('c1', 'shell'))],
    });
    const switched: Promise<void>[] = [];
    const id = await bench.create();
    const before = bench.disk.beforeWrite;
    bench.disk.beforeWrite = (events, durable) => {
      before(events, durable);
      // The switch is on its way when the question is.
      if (events.some(({ type }) => type === 'approval_requested'))
        switched.push(bench.sessions.setApprovalMode(id, 'allowAll'));
    };
    await bench.sessions.send(id, 'Go.');
    await bench.ended(id);
    await Promise.all(switched);
    assert.equal(bench.tool('shell').effects.length, 1);
  });

  it('asks again after the window was killed, and runs when it is allowed then', async () => {
    const { bench, id } = await asking({ ownerId: 'first' });
    bench.disk.kill('first');
    const next = createBench({ disk: bench.disk, approvalMode: 'ask', tools: [{ name: 'shell', effect: 'command' }] });
    assert.equal((await next.sessions.open(id)).name, 'interrupted');
    await next.sessions.resume(id);
    await next.event(
      id,
      'approval_requested',
      ({ seq }) => seq > bench.events(id).findIndex(({ type }) => type === 'session_resumed'),
    );
    assert.equal(next.tool('shell').effects.length, 0);
    await next.sessions.approve(id, 'c1', 'allow');
    await next.ended(id);
    assert.equal(next.tool('shell').effects.length, 1);
    assert.equal(bench.events(id).filter(({ type }) => type === 'approval_requested').length, 2);
  });

  it('fails the step, not the run, when the call makes no sense any more once it is allowed', async () => {
    const { bench, id } = await asking({
      tools: [
        {
          name: 'shell',
          effect: 'command',
          check: (_input, planned) => {
            if (planned > 1) throw new ToolInputError('The file was changed meanwhile. Read it again.');
          },
        },
      ],
    });
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    const finished = await bench.event(id, 'step_finished');
    assert.deepEqual(
      [finished.outcome, finished.content],
      ['failed', 'The file was changed meanwhile. Read it again.'],
    );
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('asks again when what it would do is not what was shown, and takes a denial then', async () => {
    let planned = 0;
    const tool: Tool = {
      definition: { name: 'shell', description: 'x', input_schema: { type: 'object' } },
      effect: 'edit',
      plan: async () => ({
        preview: planned++ === 0 ? '-a\n+b' : '-other\n+b',
        execute: () => Promise.reject(new Error('not allowed')),
      }),
      recover: async () => ({ kind: 'rerun' }),
    };
    const { bench, id } = await asking({ ports: { tools: [tool] } });
    await bench.sessions.approve(id, 'c1', 'allow');
    const second = await bench.event(id, 'approval_requested', ({ preview }) => preview === '-other\n+b');
    assert.equal(second.stepId, 'c1');
    await bench.sessions.approve(id, 'c1', 'deny');
    await bench.ended(id);
    assert.equal((await bench.event(id, 'step_finished')).outcome, 'denied');
    assert.equal(
      bench.events(id).some(({ type }) => type === 'step_started'),
      false,
    );
  });

  it('says that nothing waits when there is nothing to answer', async () => {
    const bench = createBench();
    const id = await bench.ran();
    await assert.rejects(bench.sessions.approve(id, 'c1', 'allow'), { code: 'not_found' });
  });
});
