import assert from 'node:assert/strict';
import { ChatPanel } from '../../../src/panel/chatPanel.ts';
import type { PanelPorts } from '../../../src/panel/panelPorts.ts';
import type { HostMessage } from '../../../src/protocol/messages.ts';
import { createBench, folder, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { mentionSources } from '../../support/fakes/mentionSources.ts';
import { answer, hangs, say } from '../../support/fakes/scriptedModel.ts';
import { onePixelPng } from '../../support/imageBytes.ts';

interface Desk extends Bench {
  readonly panel: ChatPanel;
  readonly posted: HostMessage[];
  /** What was asked of the editor: commands, opened things. */
  readonly asked: string[];
}

const desks: Desk[] = [];

function createDesk(options: BenchOptions = {}, isDemo = false): Desk {
  const bench = createBench(options);
  const posted: HostMessage[] = [];
  const asked: string[] = [];
  const ask = async (what: string): Promise<void> => void asked.push(what);
  const ports: PanelPorts = {
    confirmResume: (_sessionId, choice) => Promise.resolve(choice),
    post: (message) => posted.push(message),
    folders: () => [folder],
    activeFolder: () => undefined,
    isTrusted: () => true,
    source: async () => ({ kind: isDemo ? 'demo' : 'anthropic', text: '' }),
    defaultModel: () => 'm',
    defaultApprovalMode: () => 'ask',
    autoResume: () => 'never',
    models: () => ['m', 'n'],
    contextWindow: () => 1_000,
    recallSession: () => undefined,
    rememberSession: () => undefined,
    runCommand: (command) => ask(command),
    mentions: mentionSources({ 'src/a.ts': 'let a;' }),
    openAttachment: (_folder, attachment) => ask(`open ${attachment.label}`),
    openImage: (_storage, name) => ask(`image ${name}`),
    openFile: () => ask('file'),
    openDiff: () => ask('diff'),
    openOutput: () => ask('output'),
    openLink: () => ask('link'),
    stopKind: async () => 'user',
    showError: (message) => asked.push(`error ${message}`),
    onChanged: () => undefined,
    log: () => undefined,
    now: bench.clock.now,
  };
  const desk = { ...bench, panel: new ChatPanel(bench.sessions, ports), posted, asked };
  desks.push(desk);
  return desk;
}

const image = {
  mediaType: 'image/png',
  data: onePixelPng,
  width: 1,
  height: 1,
  preview: 'data:image/png;base64,AAAA',
} as const;

function openId(desk: Desk): string {
  const id = desk.panel.current?.id;
  assert.ok(id);
  return id;
}

describe('the chat panel, host side: the input', () => {
  afterEach(() => {
    for (const desk of desks.splice(0)) desk.panel.dispose();
  });

  it('records what a message mentions, shows it by name only, and gives the rest when asked', async () => {
    const desk = createDesk({ turns: [answer(say('Seen.'))] });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', text: 'See @src/a.ts', images: [image] });
    const id = openId(desk);
    await desk.ended(id);
    const item = (await desk.sessions.open(id)).page(10).items[0];
    assert.ok(item?.kind === 'user');
    assert.deepEqual(item.attachments, [{ kind: 'file', label: 'src/a.ts' }]);
    assert.deepEqual(item.images, [{ name: 'Image 1', width: 1, height: 1 }]);
    await desk.panel.refresh();
    assert.ok(!JSON.stringify(desk.posted).includes(onePixelPng), 'the image itself is not sent to the panel');
    assert.ok(!JSON.stringify(desk.posted).includes('let a;'));

    await desk.panel.receive({ type: 'previewWanted', itemId: item.id, index: 0 });
    assert.deepEqual(desk.posted.at(-1), {
      type: 'imagePreview',
      sessionId: id,
      itemId: item.id,
      index: 0,
      source: image.preview,
    });
    await desk.panel.receive({ type: 'openAttachment', itemId: item.id, index: 0 });
    await desk.panel.receive({ type: 'openImage', itemId: item.id, index: 0 });
    assert.deepEqual(desk.asked, ['open src/a.ts', `image ${item.id}-1`]);
    await desk.panel.receive({ type: 'openImage', itemId: item.id, index: 1 });
    assert.match(desk.asked.at(-1) ?? '', /error This image is not in the trace/);
  });

  it('answers what fits under the number of the question', async () => {
    const desk = createDesk();
    await desk.panel.receive({ type: 'complete', id: 7, query: 'a.ts' });
    assert.deepEqual(desk.posted, [{ type: 'suggestions', id: 7, suggestions: [{ kind: 'file', name: 'src/a.ts' }] }]);
  });

  it('makes names of what is dropped, and says what is not in the folder', async () => {
    const desk = createDesk();
    const inside = `${folder.uri}/src/a.ts`;
    await desk.panel.receive({ type: 'dropped', uris: [inside, 'file:///elsewhere', inside] });
    assert.deepEqual(desk.posted, [
      { type: 'mentionsDropped', names: ['src/a.ts'], problem: 'Only what lies in the folder job can be mentioned.' },
    ]);
  });

  it('runs the commands of the input as the buttons do', async () => {
    const desk = createDesk({ turns: [hangs(), answer(say('Done.'))] });
    await desk.panel.receive({ type: 'send', text: 'Go.' });
    const id = openId(desk);
    await desk.model.requested(1);
    await desk.sessions.stop(id);
    await desk.panel.receive({ type: 'slash', name: 'model', argument: 'n', text: '/model n' });
    await desk.panel.receive({ type: 'slash', name: 'resume', argument: '', text: '/resume' });
    await desk.ended(id);
    assert.deepEqual(
      desk.model.requests.map(({ model }) => model),
      ['claude-opus-4-8', 'n'],
    );
    await desk.panel.receive({ type: 'slash', name: 'new', argument: '', text: '/new' });
    await desk.panel.receive({ type: 'slash', name: 'export', argument: '', text: '/export' });
    await desk.panel.receive({ type: 'slash', name: 'model', argument: '', text: '/model' });
    assert.deepEqual(desk.asked, ['newSession', 'exportTrace', 'chooseModel']);
  });

  it('gives back a command that makes no sense any more, with the reason', async () => {
    const desk = createDesk({ turns: [answer(say('Done.'))] });
    await desk.panel.receive({ type: 'send', text: 'Go.' });
    await desk.ended(openId(desk));
    await desk.panel.receive({ type: 'slash', name: 'resume', argument: '', text: '/resume' });
    assert.deepEqual(desk.posted.at(-1), {
      type: 'sendRefused',
      text: '/resume',
      reason: '/resume: Nothing was cut. Send a message to go on.',
    });
    const demo = createDesk({}, true);
    await demo.panel.receive({ type: 'slash', name: 'model', argument: 'n', text: '/model n' });
    assert.match(JSON.stringify(demo.posted.at(-1)), /The offline demo is a script/);
    assert.equal(demo.panel.current, undefined);
  });

  it('says in the view what can be used, with a session and without one', async () => {
    const desk = createDesk({ turns: [hangs()] });
    await desk.panel.receive({ type: 'ready' });
    const usable = (): readonly string[] => {
      const snapshot = desk.posted.findLast((message) => message.type === 'snapshot');
      assert.ok(snapshot);
      const commands = snapshot.panel.session?.commands ?? snapshot.panel.commands ?? [];
      return commands.filter(({ unavailable }) => unavailable === undefined).map(({ name }) => name);
    };
    assert.deepEqual(usable(), ['model', 'new']);
    await desk.panel.receive({ type: 'send', text: 'Go.' });
    await desk.model.requested(1);
    await desk.sessions.stop(openId(desk));
    await desk.panel.receive({ type: 'snapshotWanted' });
    assert.deepEqual(usable(), ['resume', 'compact', 'model', 'new', 'export']);
  });
});
