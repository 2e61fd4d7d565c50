import assert from 'node:assert/strict';
import { openSessionView } from '../../../src/panel/panelView.ts';
import type { PanelPorts } from '../../../src/panel/panelPorts.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { untilStopped } from '../../support/fakes/fakeTools.ts';
import { answer, call, hangs, say } from '../../support/fakes/scriptedModel.ts';

const shell = { name: 'shell', intent: { kind: 'job', key: 'c1', command: 'make' }, run: untilStopped } as const;

interface Windows {
  readonly runner: Bench;
  readonly other: Bench;
  readonly id: string;
  /** Keys of the commands that the other window has ended. */
  readonly ended: readonly string[];
}

/** A run in one window, in the middle of a command, and a second window on the same sessions. */
async function twoWindows(): Promise<Windows> {
  const runner = createBench({
    ownerId: 'runner',
    turns: [answer(call('c1', 'shell')), answer(say('Done.'))],
    tools: [shell],
  });
  const id = await runner.create();
  await runner.sessions.send(id, 'Go.');
  await runner.event(id, 'step_started');
  const ended: string[] = [];
  const other = createBench({
    disk: runner.disk,
    ports: {
      commands: {
        running: async () => [
          { key: 'c1', startedAt: 1 },
          { key: 'left-alone', startedAt: 1 },
        ],
        tail: async () => [],
        howItEnded: async () => undefined,
        end: async (_storage, key) => {
          ended.push(key);
        },
      },
    },
  });
  return { runner, other, id, ended };
}

describe('stop from a window that does not run the session', () => {
  for (const kind of ['user', 'user_keep_command'] as const) {
    it(`ends the run as its own window would (${kind}), and answers when it has ended`, async () => {
      const { runner, other, id, ended } = await twoWindows();
      assert.equal(await other.sessions.stop(id, kind), 'stopped');
      assert.equal((await runner.sessions.open(id)).name, 'cancelled');
      assert.equal((await other.sessions.open(id)).name, 'cancelled');
      const end = runner.events(id).findLast(({ type }) => type === 'run_ended');
      assert.ok(end?.type === 'run_ended' && end.outcome === 'cancelled');
      // What becomes of the command is for the window that runs it to do.
      assert.deepEqual(ended, []);
    });
  }

  it('is obeyed in the moment in which the run is launched', async () => {
    const runner = createBench({ turns: [hangs()] });
    const id = await runner.create();
    const other = createBench({ disk: runner.disk });
    const sent = runner.sessions.send(id, 'Go.');
    while (!(await (await other.sessions.open(id)).stored.isHeldElsewhere())) await new Promise(setImmediate);
    assert.equal(await other.sessions.stop(id), 'stopped');
    await sent;
    assert.equal((await runner.sessions.open(id)).name, 'cancelled');
  });

  it('says so when the window that runs it does not answer, and leaves the run to it', async () => {
    const { runner, other, id, ended } = await twoWindows();
    runner.disk.hung.add('runner');
    await assert.rejects(other.sessions.stop(id), (error: unknown) => {
      assert.ok(error instanceof Error && 'code' in error && error.code === 'no_answer');
      assert.match(error.message, /did not answer.* no sign of life for 20 s\. The request stands/);
      return true;
    });
    assert.deepEqual(ended, []);
    assert.equal((await other.sessions.open(id)).name, 'running');
    runner.disk.hung.clear();
    await other.sessions.stop(id);
  });

  it('ends the command that the run followed when its window dies meanwhile, and says that it was interrupted', async () => {
    const { runner, other, id, ended } = await twoWindows();
    runner.disk.hung.add('runner');
    const stopping = other.sessions.stop(id);
    runner.disk.kill('runner');
    assert.equal(await stopping, 'interrupted');
    assert.deepEqual(ended, ['c1']);
    // Pressed a moment later, it does the same.
    assert.equal(await other.sessions.stop(id), 'interrupted');
    assert.equal(await other.sessions.stop(id, 'user_keep_command'), 'interrupted');
    assert.deepEqual(ended, ['c1', 'c1']);
  });

  it('finds nothing to stop in a session that does not run', async () => {
    const bench = createBench();
    assert.equal(await bench.sessions.stop(await bench.ran()), 'not_running');
  });

  it('shows in both windows that the run is being stopped', async () => {
    const { runner, other, id } = await twoWindows();
    runner.disk.hung.add('runner');
    const watched = await other.sessions.open(id);
    const words: string[] = [];
    other.sessions.onChange(() => {
      const { stateWord, isStopping, state } = openSessionView(panelPorts, watched, { kind: 'demo', text: '' });
      if (isStopping) words.push(`${state}: ${stateWord}`);
    });
    await assert.rejects(other.sessions.stop(id), { code: 'no_answer' });
    assert.deepEqual([...new Set(words)], ['running: stopping']);
    assert.equal(watched.isStopping, false);
    runner.disk.hung.clear();
    const stopping = other.sessions.stop(id);
    await other.sessions.stop(id);
    await stopping;
  });
});

describe('what a window that does not run a session is told', () => {
  it('to answer a question where it waits', async () => {
    const runner = createBench({
      turns: [answer(call('c1', 'edit'))],
      tools: [{ name: 'edit', effect: 'edit' }],
      approvalMode: 'ask',
    });
    const id = await runner.create();
    await runner.sessions.send(id, 'Go.');
    const asked = await runner.event(id, 'approval_requested');
    const other = createBench({ disk: runner.disk });
    for (const answering of [
      other.sessions.approve(id, asked.stepId, 'allow'),
      other.sessions.allowAlways(id, asked.stepId, '0'),
      other.sessions.retryNow(id),
    ])
      await assert.rejects(answering, { code: 'already_running' });
    await assert.rejects(other.sessions.approve(id, asked.stepId, 'deny'), /Answer it there, or stop the session/);
    assert.equal(await other.sessions.stop(id), 'stopped');
  });
});

const panelPorts = {
  folders: () => [],
  isTrusted: () => true,
  defaultModel: () => 'm',
  defaultApprovalMode: () => 'ask',
  contextWindow: () => 200_000,
  autoResume: () => 'never',
} satisfies Partial<PanelPorts> as unknown as PanelPorts;
