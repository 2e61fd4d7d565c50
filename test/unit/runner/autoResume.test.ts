import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { AutoResumeMode } from '../../../src/core/autoResume.ts';
import { RatchetError } from '../../../src/core/errors.ts';
import { AutoResume } from '../../../src/runner/autoResume.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { untilStopped } from '../../support/fakes/fakeTools.ts';
import { createMemoryDisk, type MemoryDisk } from '../../support/fakes/memoryStore.ts';
import { answer, call, fails, hangs, say } from '../../support/fakes/scriptedModel.ts';

const minute = 60_000;

interface Desk {
  readonly bench: Bench;
  readonly auto: AutoResume;
  readonly asked: readonly string[];
  readonly told: readonly string[];
  mode: AutoResumeMode;
  trusted: boolean;
}

const desks: Desk[] = [];

function open(mode: AutoResumeMode, options: BenchOptions = {}): Desk {
  const bench = createBench(options);
  const asked: string[] = [];
  const told: string[] = [];
  const desk: Desk = {
    bench,
    asked,
    told,
    mode,
    trusted: true,
    auto: new AutoResume({
      sessions: bench.sessions,
      clock: bench.clock,
      mode: () => desk.mode,
      mayRun: () => desk.trusted,
      ask: ({ id }) => asked.push(id),
      tell: (_session, why) => told.push(why),
      log: () => undefined,
    }),
  };
  desks.push(desk);
  return desk;
}

const limit = (ms: number): ModelError =>
  new ModelError({ kind: 'retryable', code: 'rate_limited', message: 'Limited. Later.', retryAfterMs: ms });

/** Lets everything that is under way come to its next wait. */
async function turns(): Promise<void> {
  for (let n = 0; n < 5; n++) await setImmediate();
}

/** A session whose window was killed in the middle of a step. */
async function interrupted(disk: MemoryDisk): Promise<string> {
  const killed = createBench({
    disk,
    ownerId: 'killed',
    tools: [{ name: 'note', run: untilStopped }],
    turns: [answer(call('c1', 'note'))],
  });
  const id = await killed.create();
  await killed.sessions.send(id, 'Go.');
  await killed.tool('note').started(1);
  disk.kill('killed');
  return id;
}

function resumes({ bench }: Desk, id: string): readonly (true | undefined)[] {
  return bench.events(id).flatMap((event) => (event.type === 'session_resumed' ? [event.auto] : []));
}

describe('sessions that go on by themselves', () => {
  afterEach(() => {
    for (const { auto } of desks.splice(0)) auto.dispose();
  });

  it('a parked one at its time, looking at the clock at least twice a minute', async () => {
    const desk = open('always', { turns: [fails(limit(2 * minute)), answer(say('Here.'))] });
    const resumed = desk.bench.create().then(async (id) => {
      await desk.bench.sessions.send(id, 'Go.');
      return desk.bench.event(id, 'session_resumed');
    });
    const { auto } = await resumed;
    assert.equal(auto, true);
    assert.deepEqual(desk.bench.clock.delays, [30_000, 30_000, 30_000, 30_000]);
  });

  it('a parked one whose time passed while the machine slept, at the next look', async () => {
    const desk = open('always', { turns: [fails(limit(10 * minute)), answer(say('Here.'))] });
    desk.bench.clock.holdDelays();
    const id = await desk.bench.ran();
    await turns();
    assert.deepEqual(resumes(desk, id), []);
    desk.bench.clock.advance(8 * 60 * minute);
    await desk.auto.check();
    assert.deepEqual(resumes(desk, id), [true]);
    await desk.bench.ended(id);
  });

  it('asks once instead where it is to ask, and does nothing where it never may', async () => {
    for (const [mode, asked] of [
      ['ask', 1],
      ['never', 0],
    ] as const) {
      const desk = open(mode, { turns: [fails(limit(10 * minute))] });
      desk.bench.clock.holdDelays();
      const id = await desk.bench.ran();
      await turns();
      desk.bench.clock.advance(11 * minute);
      await desk.auto.check();
      await desk.auto.check();
      assert.equal(desk.asked.length, asked);
      assert.deepEqual(resumes(desk, id), []);
    }
  });

  it('not in a folder that is not trusted, until it is', async () => {
    const disk = createMemoryDisk();
    const id = await interrupted(disk);
    const desk = open('always', { disk, turns: [hangs()] });
    desk.trusted = false;
    await desk.auto.watch([id]);
    assert.deepEqual(resumes(desk, id), []);
    desk.trusted = true;
    await desk.auto.check();
    assert.deepEqual(resumes(desk, id), [true]);
    await desk.bench.sessions.stop(id);
  });

  it('not one that the user stopped, nor one that failed for good', async () => {
    for (const turn of [hangs(), fails(new ModelError({ kind: 'terminal', code: 'key_refused', message: 'No.' }))]) {
      const desk = open('always', { turns: [turn] });
      const id = await desk.bench.create();
      await desk.bench.sessions.send(id, 'Go.');
      await desk.bench.model.requested(1);
      await desk.bench.sessions.stop(id);
      await desk.auto.watch([id]);
      assert.deepEqual(resumes(desk, id), []);
    }
  });

  it('once by two windows that find it at the same time, and without a word from the one that was later', async () => {
    const disk = createMemoryDisk();
    const id = await interrupted(disk);
    const first = open('always', { disk });
    const second = open('always', { disk });
    await Promise.all([first.auto.watch([id]), second.auto.watch([id])]);
    await Promise.all([first.bench.ended(id), second.bench.ended(id)]);
    await second.auto.check();
    assert.deepEqual(resumes(first, id), [true]);
    assert.deepEqual([...first.told, ...second.told], []);
  });

  it('not in a window that has only watched it', async () => {
    const disk = createMemoryDisk();
    const runner = open('never', { disk, turns: [fails(limit(2 * minute))] });
    const watcher = open('always', { disk });
    const id = await runner.bench.create();
    await watcher.bench.sessions.open(id);
    await runner.bench.sessions.send(id, 'Go.');
    await runner.bench.ended(id);
    await watcher.bench.sessions.open(id);
    await turns();
    watcher.bench.clock.advance(60 * minute);
    await watcher.auto.check();
    assert.deepEqual(resumes(watcher, id), []);
  });

  it('not again and again: one that got nowhere waits for the user, and says why', async () => {
    const desk = open('always', { turns: [fails(limit(2 * minute)), fails(limit(2 * minute)), answer(say('Never.'))] });
    const id = await desk.bench.ran();
    while (desk.told.length === 0) await turns();
    assert.deepEqual(resumes(desk, id), [true]);
    assert.match(desk.told[0] ?? '', /nothing was finished/);
    assert.equal(desk.bench.model.requests.length, 2);
  });

  it('not again and again: one that waits for the user after a reload is resumed once', async () => {
    const disk = createMemoryDisk();
    const id = await interrupted(disk);
    const asks: BenchOptions = { disk, approvalMode: 'ask', tools: [{ name: 'note', effect: 'command' }] };
    const first = open('always', { ...asks, ownerId: 'reloaded' });
    await first.auto.watch([id]);
    await first.bench.event(id, 'approval_requested');
    disk.kill('reloaded');
    const second = open('always', asks);
    await second.auto.watch([id]);
    assert.deepEqual(resumes(second, id), [true]);
    assert.equal(second.told.length, 1);
  });

  it('tells what keeps it from going on', async () => {
    const disk = createMemoryDisk();
    const id = await interrupted(disk);
    const noModel = (): Promise<never> => Promise.reject(new RatchetError('no_model', 'There is no key. Set one.'));
    const desk = open('always', { disk, ports: { prepareModel: noModel } });
    await desk.auto.watch([id]);
    assert.deepEqual(desk.told, ['Not resumed by itself: There is no key. Set one.']);
  });
});
