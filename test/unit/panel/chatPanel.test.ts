import assert from 'node:assert/strict';
import { RatchetError } from '../../../src/core/errors.ts';
import { ChatPanel } from '../../../src/panel/chatPanel.ts';
import type { PanelPorts } from '../../../src/panel/panelPorts.ts';
import type { HostMessage } from '../../../src/protocol/messages.ts';
import type { StoredSession } from '../../../src/runner/sessionStore.ts';
import { builtInAgents } from '../../../src/core/agentRoster.ts';
import { createBench, folder, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { noMentions } from '../../support/fakes/mentionSources.ts';
import { succeeded, type FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import { createRoutedModel } from '../../support/fakes/routedModel.ts';
import { answer, call, hangs, say } from '../../support/fakes/scriptedModel.ts';

interface Desk extends Bench {
  readonly panel: ChatPanel;
  readonly posted: readonly HostMessage[];
  readonly errors: readonly string[];
  readonly remembered: readonly (string | undefined)[];
  /** The first message that was or will be posted and matches. */
  post(matches: (message: HostMessage) => boolean): Promise<HostMessage>;
}

const untilStopped: FakeToolOptions['run'] = (_input, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const desks: Desk[] = [];

function createDesk(options: BenchOptions = {}, ports: Partial<PanelPorts> = {}): Desk {
  const bench = createBench(options);
  const posted: HostMessage[] = [];
  const errors: string[] = [];
  const remembered: (string | undefined)[] = [];
  const waiting = new Set<() => void>();
  const panel = new ChatPanel(bench.sessions, {
    post: (message) => {
      posted.push(structuredClone(message));
      for (const look of waiting) look();
    },
    folders: () => [folder],
    isTrusted: () => true,
    source: async () => ({ kind: 'demo', text: 'A script' }),
    defaultModel: () => 'm',
    defaultApprovalMode: () => 'ask',
    autoResume: () => 'ask',
    models: () => ['m', 'n'],
    contextWindow: () => 1_000,
    recallSession: () => undefined,
    rememberSession: (id) => remembered.push(id),
    runCommand: async () => undefined,
    mentions: noMentions,
    openAttachment: async () => undefined,
    openImage: async () => undefined,
    openFile: async () => undefined,
    openDiff: async () => undefined,
    openOutput: async () => undefined,
    openLink: async () => undefined,
    stopKind: async () => 'user',
    showError: (message) => errors.push(message),
    confirmResume: (_sessionId, choice) => Promise.resolve(choice),
    onChanged: () => undefined,
    log: () => undefined,
    now: bench.clock.now,
    ...ports,
  });
  const post: Desk['post'] = (matches) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = posted.find(matches);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const desk = { ...bench, panel, posted, errors, remembered, post };
  desks.push(desk);
  return desk;
}

const isSnapshot = (message: HostMessage): message is Extract<HostMessage, { type: 'snapshot' }> =>
  message.type === 'snapshot';
const lastSnapshot = (desk: Desk): Extract<HostMessage, { type: 'snapshot' }> => {
  const snapshot = desk.posted.findLast(isSnapshot);
  assert.ok(snapshot);
  return snapshot;
};

describe('the chat panel, host side', () => {
  afterEach(() => {
    for (const desk of desks.splice(0)) desk.panel.dispose();
  });

  it('posts nothing before the panel is ready, then one snapshot', async () => {
    const desk = createDesk();
    await desk.panel.refresh();
    assert.deepEqual(desk.posted, []);
    await desk.panel.receive({ type: 'ready' });
    assert.deepEqual(
      desk.posted.map(({ type }) => type),
      ['snapshot'],
    );
    assert.equal(lastSnapshot(desk).panel.screen, 'empty');
  });

  it('asks for the keyboard once the panel is there, if it was asked for before', async () => {
    const desk = createDesk();
    desk.panel.focusInput();
    await desk.panel.receive({ type: 'ready' });
    assert.deepEqual(desk.posted.at(-1), { type: 'focusInput' });
    await desk.panel.receive({ type: 'ready' });
    assert.equal(desk.posted.filter(({ type }) => type === 'focusInput').length, 1);
  });

  it('begins a session with the first message, shows and remembers it', async () => {
    const desk = createDesk({ turns: [answer(say('Hello.'))] });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'Hi' });
    const id = desk.panel.current?.id;
    assert.ok(id);
    assert.deepEqual(desk.remembered, [id]);
    await desk.ended(id);
    await desk.panel.refresh();
    const { panel, items } = lastSnapshot(desk);
    assert.equal(panel.screen, 'session');
    assert.equal(panel.session?.state, 'done');
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['user', 'assistant', 'divider'],
    );
  });

  it('numbers what it posts without a gap', async () => {
    const desk = createDesk({ turns: [answer(call('c1', 'note')), answer(say('Done.'))], approvalMode: 'allowAll' });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'Go' });
    const id = desk.panel.current?.id;
    assert.ok(id);
    await desk.ended(id);
    await desk.post(
      (message) =>
        message.type === 'changes' &&
        message.changes.some((change) => change.kind === 'session' && change.session.state === 'done'),
    );
    const numbers = desk.posted.flatMap((message) => ('revision' in message ? [message.revision] : []));
    assert.deepEqual(
      numbers,
      numbers.map((_number, index) => index + 1),
    );
  });

  it('brings a message back that could not be sent, with the reason', async () => {
    const desk = createDesk({
      ports: { prepareModel: () => Promise.reject(new RatchetError('no_model', 'There is no key. Set one.')) },
    });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'One' });
    const refused = desk.posted.find((message) => message.type === 'sendRefused');
    assert.deepEqual([refused?.text, refused?.reason], ['One', 'There is no key. Set one.']);
  });

  it('shows what is sent during a run as queued, takes changes of it, and brings back one that came too late', async () => {
    const desk = createDesk({ turns: [hangs('…')] });
    await desk.panel.receive({ type: 'ready' });
    for (const text of ['One', 'Two', 'Three']) await desk.panel.receive({ type: 'send', text });
    const { id = '', state } = desk.panel.current ?? {};
    const [two = '', three = ''] = (state?.queue ?? []).map(({ messageId }) => messageId);
    await desk.panel.receive({ type: 'editQueued', messageId: two, text: 'Two, better' });
    await desk.panel.receive({ type: 'removeQueued', messageId: three });
    const shown = await desk.post(
      (message) =>
        message.type === 'changes' &&
        message.changes.some(
          (change) => change.kind === 'session' && change.session.queue?.[0]?.text === 'Two, better',
        ),
    );
    assert.ok(shown.type === 'changes');
    const session = shown.changes.find((change) => change.kind === 'session')?.session;
    assert.deepEqual(session?.queue, [{ id: two, text: 'Two, better' }]);
    await desk.sessions.stop(id);
    await desk.panel.receive({ type: 'editQueued', messageId: three, text: 'Three, better' });
    const refused = desk.posted.find((message) => message.type === 'sendRefused');
    assert.equal(refused?.text, 'Three, better');
    assert.match(refused.reason, /does not wait any more/);
  });

  it('says in words what else was refused', async () => {
    const desk = createDesk();
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'stop' });
    assert.match(desk.errors[0] ?? '', /No session is open/);
  });

  it('keeps a mode that was chosen before there was a session for the one that is begun', async () => {
    const desk = createDesk({ turns: [answer(say('Hello.'))] });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'setApprovalMode', mode: 'allowAll' });
    await desk.panel.receive({ type: 'send', text: 'Hi' });
    assert.equal(desk.panel.current?.state.approvalMode, 'allowAll');
    await desk.ended(desk.panel.current.id);
  });

  it('opens the session that was open before the window was reloaded', async () => {
    const before = createDesk({ turns: [answer(say('Hello.'))] });
    const id = await before.ran();
    const desk = createDesk({ disk: before.disk }, { recallSession: () => id });
    await desk.panel.receive({ type: 'ready' });
    assert.equal(lastSnapshot(desk).panel.session?.id, id);
    assert.equal(lastSnapshot(desk).panel.session?.state, 'done');
  });

  it('falls back to the list when that session is gone', async () => {
    const desk = createDesk({}, { recallSession: () => 'gone' });
    await desk.panel.receive({ type: 'ready' });
    assert.equal(lastSnapshot(desk).panel.screen, 'empty');
    assert.deepEqual(desk.errors, []);
  });

  it('shows an interrupted session with its banner, and what is safe', async () => {
    const before = createDesk({ turns: [hangs('thinking')] });
    const id = await before.create();
    await before.sessions.send(id, 'Go');
    await before.model.requested(1);
    await before.sessions.shutdown();
    const desk = createDesk({ disk: before.disk }, { recallSession: () => id });
    await desk.panel.receive({ type: 'ready' });
    const { session } = lastSnapshot(desk).panel;
    assert.deepEqual([session?.state, session?.banner?.action], ['interrupted', 'resume']);
    assert.match(session?.banner?.title ?? '', /^Interrupted while the model was answering/);
    assert.equal(lastSnapshot(desk).panel.sessions[0]?.resumable, true);
  });

  it('says what to do in a window without a folder, and in one that is not trusted', async () => {
    for (const [ports, screen] of [
      [{ folders: () => [] }, 'no_folder'],
      [{ isTrusted: () => false }, 'untrusted'],
    ] as const) {
      const desk = createDesk({}, ports);
      await desk.panel.receive({ type: 'ready' });
      assert.equal(lastSnapshot(desk).panel.screen, screen);
    }
  });

  it('keeps the command on Stop when the user says so, and stops nothing when they back out', async () => {
    const answers: ('user_keep_command' | undefined)[] = [undefined, 'user_keep_command'];
    const asked: string[] = [];
    const desk = createDesk(
      {
        turns: [answer(call('c1', 'shell'))],
        tools: [{ name: 'shell', intent: { kind: 'job', key: 'c1', command: 'make' }, run: untilStopped }],
        approvalMode: 'allowAll',
      },
      {
        stopKind: async () => {
          asked.push('asked');
          return answers.shift();
        },
      },
    );
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'Go' });
    const id = desk.panel.current?.id ?? '';
    await desk.event(id, 'step_started');
    await desk.panel.receive({ type: 'stop' });
    assert.equal(desk.panel.current?.name, 'running');
    await desk.panel.receive({ type: 'stop' });
    assert.equal(desk.panel.current.name, 'cancelled');
    assert.equal(asked.length, 2);
    assert.equal(desk.panel.current.state.steps.get('c1')?.status, 'running', 'the step stays open for a resume');
  });

  it('sends what happens inside of an agent only while its card is open', async () => {
    const model = createRoutedModel({
      Go: [answer(call('d1', 'delegate', { agent: 'work', task: 'one' })), hangs()],
      one: [answer(call('a1', 'shell')), answer(call('a2', 'shell')), answer(say('Done inside.'))],
    });
    const gates: (() => void)[] = [];
    const desk = createDesk({
      tools: [{ name: 'shell', run: () => new Promise((resolve) => gates.push(() => resolve(succeeded('ok')))) }],
      approvalMode: 'allowAll',
      ports: {
        agents: {
          roster: async () => ({ agents: builtInAgents, problems: [] }),
          systemPrompt: async () => 'You work.',
          choice: () => ({}),
        },
        prepareModel: async () => ({ port: model, settings }),
      },
    });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'Go' });
    const id = desk.panel.current?.id ?? '';
    const puts = (): readonly string[] =>
      desk.posted.flatMap((message) =>
        message.type === 'changes'
          ? message.changes.flatMap((change) =>
              change.kind === 'itemPut' && change.cardId !== undefined ? [change.item.id] : [],
            )
          : [],
      );
    await desk.tool('shell').started(1);
    await desk.post(
      (message) =>
        message.type === 'changes' &&
        message.changes.some(
          (change) => change.kind === 'itemPut' && change.item.kind === 'step' && change.item.agent?.now !== undefined,
        ),
    );
    assert.deepEqual(puts(), []);
    await desk.panel.receive({ type: 'openAgent', stepId: 'd1' });
    const inside = await desk.post(({ type }) => type === 'agentItems');
    assert.deepEqual(inside.type === 'agentItems' && inside.items.map(({ kind }) => kind), ['user', 'step']);
    gates.shift()?.();
    await desk.post(({ type }) => type === 'changes' && puts().includes('a2'));
    await desk.panel.receive({ type: 'closeAgent', stepId: 'd1' });
    const seen = puts().length;
    gates.shift()?.();
    await desk.event(id, 'step_finished', ({ stepId }) => stepId === 'd1');
    await desk.panel.receive({ type: 'stop' });
    assert.equal(puts().length, seen);
  });

  it('looks at what still runs once a run has given up its journal, however late that is', async () => {
    const disk = createMemoryDisk();
    const plain = disk.window('slow', () => 0);
    const { promise: closing, resolve: letClose } = Promise.withResolvers<undefined>();
    const slowly = (stored: StoredSession): StoredSession =>
      Object.create(stored, {
        claim: {
          value: async (take: Parameters<StoredSession['claim']>[0]) => {
            const claim = await stored.claim(take);
            return claim && { ...claim, close: () => closing.then(() => claim.close()) };
          },
        },
      }) as StoredSession;
    const desk = createDesk({
      turns: [answer(call('c1', 'shell'))],
      tools: [{ name: 'shell', run: untilStopped }],
      store: { ...plain, create: async (of) => slowly(await plain.create(of)) },
      ports: {
        commands: {
          running: async () => [{ key: 'j1', startedAt: 1 }],
          tail: async () => [],
          howItEnded: async () => undefined,
          end: async () => undefined,
        },
      },
    });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'Go.' });
    const { id } = desk.panel.current ?? assert.fail('no session');
    await desk.event(id, 'step_started');
    const stopped = desk.sessions.stop(id);
    await desk.event(id, 'run_ended');
    // Longer than the panel waits before it looks.
    await new Promise((resolve) => setTimeout(resolve, 300));
    letClose(undefined);
    await stopped;
    await desk.post(
      (message) =>
        message.type === 'changes' &&
        message.changes.some(
          (change) => change.kind === 'session' && change.session.banner?.running?.[0]?.key === 'j1',
        ),
    );
  });
});
