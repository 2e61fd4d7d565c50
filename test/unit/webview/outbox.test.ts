import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { PanelMessage } from '../../../src/protocol/messages.ts';
import type { SessionView, TranscriptItem } from '../../../src/protocol/view.ts';
import { createDesk } from '../../../webview-ui/desk.ts';
import { createDeskStorage, type DeskStorageParts } from '../../../webview-ui/deskStorage.ts';
import { createOutbox, notSentNote } from '../../../webview-ui/outbox.ts';
import { createRefusedDrafts } from '../../../webview-ui/refusedDrafts.ts';
import type { PanelState } from '../../../webview-ui/store.ts';
import { createViewMemory, newSessionKey } from '../../../webview-ui/viewMemory.ts';

/** The browser's side: a storage that all pages share, and the locks that each holds until it is gone. */
function createBrowser(room = Infinity) {
  const items = new Map<string, string>();
  const held = new Map<string, Promise<void>>();
  const storage: DeskStorageParts['storage'] = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, value);
    },
    removeItem: (name) => void items.delete(name),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
  return { items, held, storage };
}

let time = 0;
let ids = 0;

function openPage(browser = createBrowser(), options: { readonly key?: string; readonly state?: unknown } = {}) {
  const pageId = `page-${++ids}`;
  const gone = Promise.withResolvers<undefined>();
  const request = async (name: string, ...rest: readonly unknown[]): Promise<void> => {
    const use = rest.at(-1) as () => unknown;
    if (name.endsWith(pageId)) {
      browser.held.set(name, gone.promise);
      return;
    }
    await browser.held.get(name);
    use();
  };
  const locks: DeskStorageParts['locks'] = { request };
  const posted: PanelMessage[] = [];
  const sessionKey = signal(options.key ?? 's1');
  const items = signal<readonly TranscriptItem[]>([]);
  const snapshots = signal(0);
  const refused = signal<PanelState['refused']>(undefined);
  const session = signal<SessionView | undefined>(undefined);
  const memory = createViewMemory(
    { getState: () => options.state ?? null, setState: () => undefined },
    0,
    () => ++time,
  );
  const refusals = createRefusedDrafts({ refused, sessionKey }, memory);
  const desk = createDesk(
    createDeskStorage({ storage: browser.storage, locks, pageId, workspace: 'w1' }),
    memory,
    (message) => posted.push(message),
    0,
  );
  const outbox = createOutbox({
    model: { sessionKey, session, items, snapshots, refused },
    ...{ memory, refusals, desk },
    post: (message) => posted.push(message),
    newId: () => `id-${++ids}`,
    now: () => ++time,
  });
  return {
    ...{ browser, memory, refusals, desk, outbox, posted, sessionKey, items, snapshots, refused },
    send: (text: string) =>
      outbox.send(sessionKey.peek(), { text, picked: memory.picked(sessionKey.peek()), images: [] }),
    sent: () => posted.flatMap((message) => (message.type === 'send' ? [message] : [])),
    asked: () =>
      posted.flatMap((message) => (message.type === 'sendOutcomesWanted' ? message.sends.map(({ id }) => id) : [])),
    /** The process of the page ends: nothing more is written, and it holds no lock. */
    kill: async () => {
      gone.resolve(undefined);
      await Promise.resolve();
    },
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('webview outbox', () => {
  it('has a message in the storage of the page before it is posted', () => {
    const page = openPage();
    page.memory.setDraft('s1', 'Do it.');
    page.send('Do it.');
    assert.match([...page.browser.items.values()].join(), /"sends":\[\{[^\]]*Do it\./);
    assert.equal(page.sent()[0]?.sessionId, 's1');
    assert.equal(page.memory.draft('s1').value, '');
    assert.equal(page.outbox.sending.value.length, 1);
  });

  it('gives a message back to the next page, which asks first, and never sends by itself', async () => {
    const page = openPage();
    page.send('Do it.');
    const id = page.sent()[0]?.id ?? '';
    await page.kill();
    const next = openPage(page.browser);
    await settled();
    assert.deepEqual(next.asked(), [], 'nobody is there to be asked yet');
    next.snapshots.value += 1;
    assert.deepEqual(next.asked(), [id]);
    assert.equal(next.outbox.sending.value.length, 1);
    next.outbox.receive({ type: 'sendOutcomes', recorded: [], unknown: [id] });
    assert.equal(next.memory.draft('s1').value, 'Do it.');
    assert.equal(next.refusals.reason.value, notSentNote);
    assert.deepEqual(next.sent(), []);
    const kinds = next.posted.map(({ type }) => type);
    assert.ok(kinds.lastIndexOf('keepDraft') < kinds.indexOf('draftReturned'), 'the host has the draft first');
    next.send('Do it.');
    assert.equal(next.sent()[0]?.id, id);
  });

  it('lets go of a message that was recorded although nobody said so', async () => {
    const page = openPage();
    page.send('Do it.');
    const id = page.sent()[0]?.id ?? '';
    await page.kill();
    const next = openPage(page.browser);
    await settled();
    next.snapshots.value += 1;
    next.outbox.receive({ type: 'sendOutcomes', recorded: [id], unknown: [] });
    assert.equal(next.memory.draft('s1').value, '');
    assert.equal(next.outbox.sending.value.length, 0);
    const third = openPage(next.browser);
    await settled();
    third.snapshots.value += 1;
    assert.deepEqual(third.asked(), []);
  });

  it('takes a message out of the input that was recorded after all', () => {
    const page = openPage();
    page.send('Do it.');
    const id = page.sent()[0]?.id ?? '';
    page.outbox.receive({ type: 'sendOutcomes', recorded: [], unknown: [id] });
    assert.equal(page.memory.draft('s1').value, 'Do it.');
    page.items.value = [{ kind: 'user', id, at: 1, text: 'Do it.' }];
    assert.equal(page.memory.draft('s1').value, '');
    assert.equal(page.refusals.reason.value, undefined);
  });

  it('leaves to another page what that one has on its way while it lives', async () => {
    const page = openPage();
    page.send('Do it.');
    const other = openPage(page.browser);
    await settled();
    other.snapshots.value += 1;
    assert.deepEqual(other.asked(), []);
    assert.equal(page.browser.items.size, 1);
    await page.kill();
    await settled();
    assert.equal(other.outbox.sending.value.length, 1);
  });

  it('gives back several messages in their order, in front of what was typed since', () => {
    const page = openPage();
    page.send('One.');
    page.send('Two.');
    page.memory.setDraft('s1', 'And');
    const unknown = page.sent().map(({ id }) => id ?? '');
    page.outbox.receive({ type: 'sendOutcomes', recorded: [], unknown });
    assert.equal(page.memory.draft('s1').value, 'One.\n\nTwo.\n\nAnd');
  });

  it('takes what was typed after the first message along to its session', () => {
    const page = openPage(createBrowser(), { key: newSessionKey });
    page.send('First.');
    page.memory.setDraft(newSessionKey, 'And then');
    page.sessionKey.value = page.sent()[0]?.sessionId ?? '';
    assert.equal(page.memory.draft(page.sessionKey.value).value, 'And then');
    assert.equal(page.memory.draft(newSessionKey).value, '');
  });

  it('brings a first message back where it can be sent, whether its session came to be or not', () => {
    for (const cameToBe of [true, false]) {
      const page = openPage(createBrowser(), { key: newSessionKey });
      page.send('First.');
      const [sent] = page.sent();
      if (cameToBe) page.sessionKey.value = sent?.sessionId ?? '';
      page.outbox.receive({ type: 'sendOutcomes', recorded: [], unknown: [sent?.id ?? ''] });
      assert.equal(page.memory.draft(page.sessionKey.value).value, 'First.');
      page.send('First.');
      assert.equal(page.sent()[1]?.sessionId, sent?.sessionId);
      assert.equal(page.sent()[1]?.isNew, cameToBe ? undefined : true);
    }
  });

  it('keeps what was typed, to the last letter, over the end of the page', async () => {
    const page = openPage();
    page.memory.setDraft('s1', 'half a sent');
    await page.kill();
    // The editor's own memory is a letter behind.
    const state = { version: 1, sessions: { s1: { draft: 'half a sen', at: 1 } } };
    const next = openPage(page.browser, { state });
    await settled();
    assert.equal(next.memory.draft('s1').value, 'half a sent');
  });

  it('joins what comes late with what was typed meanwhile, and does not bring back what was cleared', async () => {
    const page = openPage();
    page.memory.setDraft('s1', 'typed before');
    page.memory.setDraft('s2', 'to be cleared');
    page.memory.setDraft('s2', '');
    await page.kill();
    const state = { version: 1, sessions: { s2: { draft: 'to be cleared', at: 1 } } };
    const next = openPage(page.browser, { state });
    await settled();
    assert.equal(next.memory.draft('s2').value, '');
    next.memory.setDraft('s1', 'typed now');
    next.outbox.receive({ type: 'keptDrafts', drafts: [{ key: 's1', text: 'of the host', at: time + 1 }], sends: [] });
    assert.equal(next.memory.draft('s1').value, 'of the host\n\ntyped now');
  });

  it('takes from the host what the page could not store: a message of a page that is gone, its images', () => {
    const image = { mediaType: 'image/png', data: 'A'.repeat(500), width: 1, height: 1 } as const;
    const page = openPage(createBrowser(300));
    page.outbox.send('s1', { text: 'See.', picked: [], images: [image] });
    const stored = [...page.browser.items.values()].join();
    assert.match(stored, /See\./);
    assert.doesNotMatch(stored, /AAAA/);
    const fresh = openPage();
    const id = page.sent()[0]?.id ?? '';
    fresh.outbox.receive({
      type: 'keptDrafts',
      drafts: [],
      sends: [{ id, sessionId: 's1', text: 'See.', images: [image], at: 1 }],
    });
    assert.deepEqual(fresh.asked(), [id]);
    fresh.outbox.receive({ type: 'sendOutcomes', recorded: [], unknown: [id] });
    assert.equal(fresh.memory.draft('s1').value, 'See.');
    assert.deepEqual(fresh.memory.images('s1').value, [image]);
  });

  it('keeps a command until the host has it', () => {
    const page = openPage();
    page.outbox.sendCommand('s1', { name: 'compact', argument: '', text: '/compact' });
    const [command] = page.posted.flatMap((message) => (message.type === 'slash' ? [message] : []));
    assert.equal(page.outbox.sending.value.length, 1);
    page.outbox.receive({ type: 'sendRecorded', id: command?.id ?? '' });
    assert.equal(page.outbox.sending.value.length, 0);
  });
});
