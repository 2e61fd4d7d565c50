import assert from 'node:assert/strict';
import type { EventType } from '../../../src/core/events.ts';
import type { FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { createBench, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { answer, call, say } from '../../support/fakes/scriptedModel.ts';

const shell: FakeToolOptions = { name: 'shell', effect: 'command' };

/** A window that is killed when it is about to write a record of this type, with its question answered before. */
async function killedAt(type: EventType, decision: 'allow' | 'deny'): Promise<{ bench: Bench; id: string }> {
  const bench = createBench({
    ownerId: 'first',
    approvalMode: 'ask',
    tools: [shell],
    turns: [answer(call('c1', 'shell', { command: 'make' }))],
  });
  const { disk } = bench;
  const before = disk.beforeWrite;
  const killed = Promise.withResolvers<undefined>();
  disk.beforeWrite = (events, durable) => {
    before(events, durable);
    if (!events.some((event) => event.type === type) || disk.dead.has('first')) return;
    disk.kill('first');
    killed.resolve(undefined);
  };
  const id = await bench.create();
  await bench.sessions.send(id, 'Build it.');
  await bench.event(id, 'approval_requested');
  await bench.sessions.approve(id, 'c1', decision);
  await killed.promise;
  return { bench, id };
}

async function nextWindow({ disk }: Bench, id: string, options: BenchOptions = {}): Promise<Bench> {
  const next = createBench({
    disk,
    approvalMode: 'ask',
    tools: [shell],
    turns: [answer(say('Built.'))],
    ...options,
  });
  await next.sessions.resume(id);
  return next;
}

const count = (bench: Bench, id: string, type: EventType): number =>
  bench.events(id).filter((event) => event.type === type).length;

describe('an answer that was given before the run was cut', () => {
  it('holds for the call it was given to: nobody is asked again', async () => {
    const { bench, id } = await killedAt('step_started', 'allow');
    assert.equal(count(bench, id, 'approval_answered'), 1);
    const next = await nextWindow(bench, id);
    await next.ended(id);
    assert.equal(next.tool('shell').effects.length, 1);
    assert.deepEqual([count(next, id, 'approval_requested'), count(next, id, 'approval_answered')], [1, 1]);
  });

  it('holds when the call had begun and had no effect', async () => {
    const { bench, id } = await killedAt('step_finished', 'allow');
    assert.equal(count(bench, id, 'step_started'), 1);
    const next = await nextWindow(bench, id);
    await next.ended(id);
    assert.deepEqual([count(next, id, 'approval_requested'), count(next, id, 'step_finished')], [1, 1]);
  });

  it('is not an answer to something else', async () => {
    const { bench, id } = await killedAt('step_started', 'allow');
    const intent = { kind: 'job', key: 'k', command: 'make all' } as const;
    const next = await nextWindow(bench, id, { tools: [{ ...shell, intent }] });
    await next.event(id, 'approval_requested', ({ asked }) => asked?.kind === 'command');
    assert.equal(next.tool('shell').effects.length, 0);
    await next.sessions.stop(id);
  });

  it('is asked for again after the mode was changed', async () => {
    const { bench, id } = await killedAt('step_started', 'allow');
    const other = createBench({ disk: bench.disk });
    await other.sessions.setApprovalMode(id, 'ask');
    const { length } = bench.events(id);
    const next = await nextWindow(bench, id);
    await next.event(id, 'approval_requested', ({ seq }) => seq > length);
    assert.equal(next.tool('shell').effects.length, 0);
    await next.sessions.stop(id);
  });

  it("is nobody's in a session that was imported", async () => {
    const { bench, id } = await killedAt('step_started', 'allow');
    const journal = bench.disk.journals.get(id);
    assert.ok(journal);
    const from = { sessionId: 'other', folderPath: '/other', createdAt: 1 };
    const records = journal.lines.length;
    journal.lines.push(
      JSON.stringify({ seq: records + 1, at: 1, type: 'session_imported', from, records, unreadable: 0 }),
    );
    const next = await nextWindow(bench, id);
    const end = await next.event(id, 'step_finished', ({ seq }) => seq > records);
    assert.equal(end.outcome, 'not_started');
    await next.ended(id);
    assert.equal(next.tool('shell').effects.length, 0);
  });

  it('denies for good, even when the end of the call was torn off the record', async () => {
    const { bench, id } = await killedAt('run_ended', 'deny');
    const lines = bench.disk.journals.get(id)?.lines ?? [];
    lines.length = lines.findIndex((line) => line.includes('"approval_answered"')) + 1;
    const next = await nextWindow(bench, id);
    await next.ended(id);
    assert.equal(next.tool('shell').effects.length, 0);
    assert.equal((await next.event(id, 'step_finished')).outcome, 'denied');
    assert.equal(count(next, id, 'approval_requested'), 1);
  });
});
