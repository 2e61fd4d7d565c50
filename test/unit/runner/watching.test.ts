import assert from 'node:assert/strict';
import { bannerOf } from '../../../src/projection/sessionView.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { untilStopped } from '../../support/fakes/fakeTools.ts';
import { answer, call, say } from '../../support/fakes/scriptedModel.ts';

describe('watching a session that another window runs', () => {
  /** One window runs a command; the other one knows what it prints. */
  async function watching(printed: () => readonly string[]): Promise<{ runner: Bench; watcher: Bench; id: string }> {
    const shell = { name: 'shell', intent: { kind: 'job', key: 'c1', command: 'make' }, run: untilStopped } as const;
    const runner = createBench({ turns: [answer(call('c1', 'shell')), answer(say('Done.'))], tools: [shell] });
    const id = await runner.create();
    const watcher = createBench({
      disk: runner.disk,
      ports: {
        commands: {
          running: async () => [{ key: 'c1', startedAt: 1 }],
          tail: async (_storage, key) => (key === 'c1' ? printed() : []),
          howItEnded: async () => undefined,
          end: async () => undefined,
        },
      },
    });
    await watcher.sessions.open(id);
    await runner.sessions.send(id, 'Go.');
    await runner.event(id, 'step_started');
    return { runner, watcher, id };
  }

  const shown = ({ changes }: Bench): readonly (readonly string[])[] =>
    changes.flatMap((change) => (change.kind === 'liveOutput' ? [change.lines] : []));

  it('shows what its command prints', async () => {
    let lines = ['one'];
    const { runner, watcher, id } = await watching(() => lines);
    await watcher.sessions.watch(id);
    assert.equal((await watcher.sessions.peek(id))?.name, 'running');
    lines = ['one', 'two'];
    await watcher.sessions.watch(id);
    assert.deepEqual(shown(watcher), [['one'], ['one', 'two']]);
    await runner.sessions.stop(id);
  });

  it('shows nothing of a command once its run has ended', async () => {
    const { runner, watcher, id } = await watching(() => ['one']);
    await watcher.sessions.watch(id);
    await runner.sessions.stop(id);
    await watcher.sessions.watch(id);
    const session = await watcher.sessions.peek(id);
    assert.equal(session?.name, 'cancelled');
    assert.equal(session.live.size, 0);
    assert.equal(shown(watcher).length, 1);
  });

  it('looks for no output in the window that runs it', async () => {
    const { runner, id } = await watching(() => []);
    await runner.sessions.watch(id);
    assert.deepEqual(shown(runner), []);
    await runner.sessions.stop(id);
  });
});

describe('watching a session that was cut while its command goes on', () => {
  it('shows that the command has ended meanwhile, and how', async () => {
    const shell = { name: 'shell', intent: { kind: 'job', key: 'c1', command: 'make' }, run: untilStopped } as const;
    const ends: string[] = [];
    const bench = createBench({
      turns: [answer(call('c1', 'shell'))],
      tools: [shell],
      ports: {
        commands: {
          running: async () => (ends.length === 0 ? [{ key: 'c1', startedAt: 1 }] : []),
          tail: async () => [],
          howItEnded: async (_storage, key) => (key === 'c1' ? ends[0] : undefined),
          end: async () => undefined,
        },
      },
    });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.event(id, 'step_started');
    await bench.sessions.stop(id, 'user_keep_command');
    await bench.sessions.inspect(id);
    const session = await bench.sessions.open(id);
    const banner = () => bannerOf(session.state, session.name, session.inspection);
    await bench.sessions.watch(id);
    assert.deepEqual(banner()?.running, [{ key: 'c1', command: 'make', startedAt: 1 }]);
    assert.equal(banner()?.ended, undefined);
    const before = bench.changes.length;
    ends.push('exit 0');
    await bench.sessions.watch(id);
    assert.equal(banner()?.running, undefined);
    assert.deepEqual(banner()?.ended, [{ command: 'make', how: 'exit 0' }]);
    assert.ok(
      bench.changes.slice(before).some(({ kind }) => kind === 'state'),
      'the panel is told',
    );
  });
});
