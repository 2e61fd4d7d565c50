import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { PanelFeed } from '../../src/panel/panelFeed.ts';
import { mostUnseen } from '../../src/panel/panelLink.ts';
import type { HostMessage, PanelMessage } from '../../src/protocol/messages.ts';
import type { PanelView, SessionView, TranscriptItem } from '../../src/protocol/view.ts';
import type { SessionChange } from '../../src/runner/liveSession.ts';
import { tickMs } from '../../webview-ui/linkWatch.ts';
import { createPanelModel } from '../../webview-ui/panelModel.ts';

const sessionId = 's1';
const header: SessionView = {
  ...{ id: sessionId, title: '', state: 'running', stateWord: 'running', needsUser: false },
  ...{ model: 'm', approvalMode: 'ask', tasks: [] },
};

/** What happens in a session, and then to one message that is on its way. */
type Fate = 'arrives' | 'is lost' | 'comes twice' | 'comes late';
type Happening =
  | { readonly does: 'put' | 'end' | 'append' | 'live' | 'remove'; readonly item: number }
  | { readonly does: 'rename' | 'flood' | 'list'; readonly item: number }
  | { readonly does: 'wait'; readonly item: number };

const fates = fc.constantFrom<Fate>('arrives', 'arrives', 'is lost', 'comes twice', 'comes late');
const happenings = fc.record({
  does: fc.constantFrom<Happening['does']>(
    ...(['put', 'put', 'end', 'append', 'live', 'remove', 'rename', 'flood', 'list', 'wait', 'wait'] as const),
  ),
  item: fc.nat({ max: 5 }),
});

/** A host, a page, and a pipe between them that does to each message what it is told. */
function createWorld(nextFate: (message: HostMessage | PanelMessage) => Fate, fails: () => boolean = () => false) {
  const items = new Map<string, TranscriptItem>();
  const live = new Map<string, readonly string[]>();
  let title = '';
  let text = 0;
  const late: (() => void)[] = [];
  const toPage: HostMessage[] = [];
  const send = <M extends HostMessage | PanelMessage>(message: M, deliver: (message: M) => void): void => {
    const copy = structuredClone(message);
    switch (nextFate(message)) {
      case 'arrives':
        deliver(copy);
        return;
      case 'is lost':
        return;
      case 'comes twice':
        deliver(copy);
        deliver(copy);
        return;
      case 'comes late':
        late.push(() => deliver(copy));
    }
  };
  const panelView = (): PanelView => ({
    ...{ screen: 'session', source: { kind: 'demo', text: '' }, folders: [], approvalMode: 'ask' },
    ...{ models: [], sessions: [], session: { ...header, title } },
  });
  const feed: PanelFeed = new PanelFeed({
    post: (message) => {
      toPage.push(message);
      send(message, (each) => model.receive(each));
    },
    now: () => Date.now(),
    onSettled: () => undefined,
    fill: (changes) => {
      if (fails()) throw new Error('It could not be put together.');
      return changes.map((change) =>
        change.kind === 'session' ? { kind: 'session', session: { ...header, title } } : change,
      );
    },
    postSnapshot,
    postPanel: () => feed.panel(panelView),
    log: () => undefined,
  });
  function postSnapshot(): void {
    const lines = [...live].map(([id, each]) => ({ id, lines: each }));
    feed.snapshot({ panel: panelView(), items: [...items.values()], earlier: 0, live: lines });
  }
  const toHost = (message: PanelMessage): void => {
    if (message.type === 'seen') feed.seen(message.revision);
    if (message.type !== 'ready' && message.type !== 'snapshotWanted') return;
    if (message.type === 'ready' || !feed.isConnected()) feed.connect();
    postSnapshot();
  };
  const model = createPanelModel((message) => send(message, toHost));
  const publish = (change: SessionChange): void => feed.add(change);
  const put = (item: TranscriptItem): void => {
    items.set(item.id, item);
    if (item.kind === 'step' && item.status !== 'running') live.delete(item.id);
    publish({ kind: 'itemPut', sessionId, item });
  };
  const stepItem = (id: string, status: 'running' | 'succeeded'): TranscriptItem => ({
    ...{ kind: 'step', id, at: 1, status, verb: 'Runs', subject: 'make' },
    input: { language: 'shell', text: 'make' },
  });
  const happens = ({ does, item }: Happening): void => {
    const id = String(item);
    const known = items.get(id);
    switch (does) {
      case 'put':
        if (item % 2 === 0) put(stepItem(id, 'running'));
        return;
        put({ kind: 'assistant', id, at: 1, markdown: `text ${String((text += 1))}`, streaming: true });
        return;
      case 'end':
        if (known?.kind === 'step') put(stepItem(id, 'succeeded'));
        return;
      case 'append':
        if (known?.kind !== 'assistant') return;
        items.set(id, { ...known, markdown: `${known.markdown}+` });
        publish({ kind: 'textAppended', sessionId, id, text: '+' });
        return;
      case 'live':
        if (known?.kind !== 'step' || known.status !== 'running') return;
        live.set(id, [`line ${String((text += 1))}`]);
        publish({ kind: 'liveOutput', sessionId, id, lines: live.get(id) ?? [] });
        return;
      case 'remove':
        items.delete(id);
        live.delete(id);
        publish({ kind: 'itemRemoved', sessionId, id });
        return;
      case 'rename':
        title = `title ${String((text += 1))}`;
        publish({ kind: 'state', sessionId });
        return;
      case 'flood':
        for (let n = 0; n < 600; n++)
          put({ kind: 'notice', id: `flood ${String(n)}`, at: 1, level: 'info', text: String((text += 1)) });
        return;
      case 'list':
        title = `title ${String((text += 1))}`;
        feed.panel(panelView);
        return;
      case 'wait':
        for (const deliver of late.splice(0, 2)) deliver();
        mock.timers.tick(tickMs);
        model.tick();
    }
  };
  return {
    feed,
    model,
    happens,
    toPage,
    open: () => send<PanelMessage>({ type: 'ready' }, toHost),
    deliverLate: () => {
      for (const deliver of late.splice(0)) deliver();
    },
    pass: (seconds: number) => {
      for (let n = 0; n < seconds; n++) {
        mock.timers.tick(tickMs);
        model.tick();
      }
    },
    assertSame: () => {
      assert.deepEqual(model.items.value, [...items.values()]);
      assert.equal(model.session.value?.title, title);
      for (const id of items.keys()) assert.deepEqual(model.live(id).value, live.get(id) ?? []);
      assert.equal(model.link.value, 'live');
    },
  };
}

describe('the link between the host and the panel', function () {
  this.timeout(60_000);
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('ends with the panel showing what the host has, whatever is lost, doubled or late on the way, in either direction', () => {
    fc.assert(
      fc.property(
        fc.array(happenings, { maxLength: 60 }),
        fc.infiniteStream(fates),
        fc.infiniteStream(fc.nat({ max: 9 })),
        (list, chances, failures) => {
          let isCalm = false;
          const world = createWorld(
            () => (isCalm ? 'arrives' : (chances.next().value as Fate)),
            () => !isCalm && failures.next().value === 0,
          );
          try {
            world.open();
            for (const each of list) world.happens(each);
            isCalm = true;
            world.deliverLate();
            world.pass(12);
            world.assertSame();
          } finally {
            world.feed.dispose();
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has no queue before a page that takes nothing in, and one message for all when it does again', () => {
    let isStalled = false;
    const held: HostMessage[] = [];
    const world = createWorld(() => (isStalled ? 'comes late' : 'arrives'));
    world.open();
    world.pass(3);
    isStalled = true;
    const before = world.toPage.length;
    for (let n = 0; n < 2_000; n++) {
      world.happens({ does: 'put', item: n % 6 });
      if (n % 10 === 0) world.pass(1);
    }
    held.push(...world.toPage.slice(before).filter(({ type }) => type !== 'beat'));
    assert.ok(held.length <= mostUnseen, `${String(held.length)} were on their way`);
    isStalled = false;
    world.deliverLate();
    world.pass(6);
    world.assertSame();
    world.feed.dispose();
  });

  it('is said to be behind while new things are missing, and lost when nothing is heard, until it is heard again', () => {
    let fate: Fate = 'arrives';
    let carriesNews = true;
    const world = createWorld(({ type }) => (type === 'beat' || carriesNews ? fate : 'is lost'));
    assert.equal(world.model.link.value, 'connecting');
    world.open();
    assert.equal(world.model.link.value, 'live');
    world.pass(30);
    assert.equal(world.model.link.value, 'live');
    carriesNews = false;
    world.happens({ does: 'rename', item: 0 });
    world.pass(5);
    assert.equal(world.model.link.value, 'behind');
    carriesNews = true;
    world.pass(5);
    world.assertSame();
    fate = 'is lost';
    world.happens({ does: 'rename', item: 0 });
    world.pass(7);
    assert.equal(world.model.link.value, 'lost');
    fate = 'arrives';
    world.pass(4);
    world.assertSame();
    world.feed.dispose();
  });

  it('finds a page again that the editor said was hidden', () => {
    const world = createWorld(() => 'arrives');
    world.open();
    world.feed.disconnect();
    world.happens({ does: 'rename', item: 0 });
    world.pass(10);
    world.assertSame();
    world.feed.dispose();
  });
});
