import assert from 'node:assert/strict';
import type { KeptDraft, KeptSend } from '../../../src/core/keptDrafts.ts';
import { ChatPanel } from '../../../src/panel/chatPanel.ts';
import type { DraftKeeper, PanelPorts } from '../../../src/panel/panelPorts.ts';
import type { HostMessage } from '../../../src/protocol/messages.ts';
import { createBench, folder, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { mentionSources } from '../../support/fakes/mentionSources.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import { answer, hangs, say } from '../../support/fakes/scriptedModel.ts';

const id = (n: number): string => `01M8ZZZZZZZZZZZZZZZZZZZZ${String(n).padStart(2, '0')}`;

class MemoryKeeper implements DraftKeeper {
  readonly drafts = new Map<string, KeptDraft>();
  readonly sends = new Map<string, KeptSend>();
  /** What was written when, beside the records. */
  readonly written: string[] = [];

  kept = async () => ({ drafts: [...this.drafts.values()], sends: [...this.sends.values()] });
  keepDraft = (draft: KeptDraft): void => void this.drafts.set(draft.key, draft);
  keepSend = async (send: KeptSend): Promise<void> => {
    this.sends.set(send.id, send);
    this.written.push(`kept ${send.text}`);
  };
  dropSend = (dropped: string): void => void this.sends.delete(dropped);
  settledElsewhere = async (): Promise<void> => undefined;
}

interface Desk extends Bench {
  readonly panel: ChatPanel;
  readonly posted: HostMessage[];
  readonly keeper: MemoryKeeper;
}
const desks: Desk[] = [];

function createDesk(options: BenchOptions = {}, keeper = new MemoryKeeper()): Desk {
  const bench = createBench(options);
  const posted: HostMessage[] = [];
  const nothing = async (): Promise<void> => undefined;
  const ports: PanelPorts = {
    post: (message) => posted.push(structuredClone(message)),
    folders: () => [folder],
    activeFolder: () => undefined,
    isTrusted: () => true,
    source: async () => ({ kind: 'anthropic', text: '' }),
    defaultModel: () => 'm',
    defaultApprovalMode: () => 'ask',
    autoResume: () => 'never',
    models: () => ['m'],
    contextWindow: () => 1_000,
    recallSession: () => undefined,
    rememberSession: () => undefined,
    runCommand: nothing,
    drafts: keeper,
    mentions: mentionSources({}),
    openAttachment: nothing,
    openImage: nothing,
    openFile: nothing,
    openDiff: nothing,
    openOutput: nothing,
    openLink: nothing,
    stopKind: async () => 'user',
    confirmResume: (_sessionId, choice) => Promise.resolve(choice),
    showError: () => undefined,
    onChanged: () => undefined,
    log: () => undefined,
    now: bench.clock.now,
  };
  const desk = { ...bench, panel: new ChatPanel(bench.sessions, ports), posted, keeper };
  desks.push(desk);
  return desk;
}

/** The texts of a session's messages, in the order of the trace. */
function texts(desk: Desk, sessionId: string): readonly string[] {
  return desk.events(sessionId).flatMap((event) => (event.type === 'user_message_added' ? [event.text] : []));
}
const ofType = <T extends HostMessage['type']>(
  { posted }: Desk,
  type: T,
): readonly Extract<HostMessage, { type: T }>[] =>
  posted.filter((message): message is Extract<HostMessage, { type: T }> => message.type === type);

describe('the chat panel, host side: messages on their way', () => {
  afterEach(() => {
    for (const desk of desks.splice(0)) desk.panel.dispose();
  });

  it('keeps a message before it is recorded, forgets it then, and says so by its id', async () => {
    const disk = createMemoryDisk();
    const keeper = new MemoryKeeper();
    disk.beforeWrite = (events) => {
      for (const event of events)
        if (event.type === 'user_message_added') keeper.written.push(`recorded ${event.text}`);
    };
    const desk = createDesk({ disk, turns: [answer(say('Done.'))] }, keeper);
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', id: id(1), sessionId: id(9), isNew: true, text: 'Go.', at: 5 });
    assert.deepEqual(keeper.written, ['kept Go.', 'recorded Go.']);
    assert.equal(keeper.sends.size, 0);
    assert.deepEqual(ofType(desk, 'sendRecorded'), [{ type: 'sendRecorded', id: id(1) }]);
    assert.equal(desk.panel.current?.id, id(9));
  });

  it('makes one session of two messages that are sent before it shows, in their order', async () => {
    const desk = createDesk({ turns: [answer(say('Done.')), answer(say('Done.'))] });
    await desk.panel.receive({ type: 'ready' });
    const send = (n: number, text: string) =>
      desk.panel.receive({ type: 'send', id: id(n), sessionId: id(9), isNew: true, text, at: n });
    await Promise.all([send(1, 'First.'), send(2, 'Second.')]);
    await desk.ended(id(9));
    assert.deepEqual(texts(desk, id(9)), ['First.', 'Second.']);
    assert.equal(desk.disk.journals.size, 1);
  });

  it('sends a message to the session in which it was written, whichever is open by now', async () => {
    const desk = createDesk({ turns: [answer(say('Done.')), answer(say('Done.')), answer(say('Done.'))] });
    const [one, other] = [await desk.ran('One.'), await desk.ran('Other.')];
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.open(other);
    await desk.panel.receive({ type: 'send', id: id(1), sessionId: one, text: 'For one.', at: 1 });
    await desk.ended(one);
    assert.deepEqual(texts(desk, one), ['One.', 'For one.']);
    assert.deepEqual(texts(desk, other), ['Other.']);
    assert.equal(desk.panel.current?.id, other);
  });

  it('answers which of the messages are recorded, and not before those on their way have come to an end', async () => {
    const gate = Promise.withResolvers<undefined>();
    const desk = createDesk({
      turns: [hangs()],
      ports: {
        systemPrompt: async () => {
          await gate.promise;
          return 'You work.';
        },
      },
    });
    await desk.panel.receive({ type: 'ready' });
    const sent = desk.panel.receive({ type: 'send', id: id(1), sessionId: id(9), isNew: true, text: 'Go.', at: 1 });
    const asked = desk.panel.receive({
      type: 'sendOutcomesWanted',
      sends: [
        { id: id(1), sessionId: id(9) },
        { id: id(2), sessionId: id(9) },
      ],
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ofType(desk, 'sendOutcomes'), []);
    gate.resolve(undefined);
    await Promise.all([sent, asked]);
    assert.deepEqual(ofType(desk, 'sendOutcomes'), [{ type: 'sendOutcomes', recorded: [id(1)], unknown: [id(2)] }]);
    await desk.sessions.stop(id(9));
  });

  it('keeps a message that is refused until the panel has it back, and names it', async () => {
    const desk = createDesk({
      ports: {
        prepareModel: async () => {
          throw new Error('No model is set.');
        },
      },
    });
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'send', id: id(1), sessionId: id(9), isNew: true, text: 'Go.', at: 1 });
    assert.deepEqual(ofType(desk, 'sendRefused'), [
      { type: 'sendRefused', id: id(1), text: 'Go.', reason: 'No model is set.' },
    ]);
    assert.equal(desk.keeper.sends.size, 1);
    await desk.panel.receive({ type: 'keepDraft', draft: { key: id(9), text: 'Go.', at: 2 } });
    await desk.panel.receive({ type: 'draftReturned', id: id(1) });
    assert.equal(desk.keeper.sends.size, 0);
    assert.equal(desk.keeper.drafts.get(id(9))?.text, 'Go.');
  });

  it('says after a restart what was kept', async () => {
    const keeper = new MemoryKeeper();
    keeper.keepDraft({ key: 's1', text: 'half a sent', at: 3 });
    const send: KeptSend = { id: id(1), sessionId: 's1', text: 'Go.', at: 4 };
    await keeper.keepSend(send);
    const desk = createDesk({}, keeper);
    await desk.panel.receive({ type: 'ready' });
    await new Promise((resolve) => setImmediate(resolve));
    const drafts = [{ key: 's1', text: 'half a sent', at: 3 }];
    assert.deepEqual(ofType(desk, 'keptDrafts'), [{ type: 'keptDrafts', drafts, sends: [send] }]);
  });

  it('has a command of the input from the moment that it arrives', async () => {
    const desk = createDesk();
    await desk.panel.receive({ type: 'ready' });
    await desk.panel.receive({ type: 'slash', name: 'new', argument: '', text: '/new', id: id(1) });
    assert.deepEqual(ofType(desk, 'sendRecorded'), [{ type: 'sendRecorded', id: id(1) }]);
  });
});
