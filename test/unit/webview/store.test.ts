import assert from 'node:assert/strict';
import type { Change, HostMessage } from '../../../src/protocol/messages.ts';
import type { PanelView, SessionView, StepItem, TranscriptItem } from '../../../src/protocol/view.ts';
import { initialState, reduce, stateTone, type PanelState } from '../../../webview-ui/store.ts';

const session: SessionView = {
  id: 's1',
  title: 'Train',
  state: 'running',
  stateWord: 'running',
  needsUser: false,
  model: 'm',
  approvalMode: 'ask',
  tasks: [],
};
const panel: PanelView = {
  screen: 'session',
  source: { kind: 'demo', text: 'demo' },
  folders: [],
  approvalMode: 'ask',
  models: [],
  session,
  sessions: [],
};
const answer = (id: string, markdown = ''): TranscriptItem => ({
  kind: 'assistant',
  id,
  at: 1,
  markdown,
  streaming: true,
});
const step = (id: string, status: StepItem['status']): StepItem => ({
  kind: 'step',
  id,
  at: 1,
  status,
  verb: 'Running',
  subject: 'make',
  input: { language: 'shell', text: 'make' },
});
function snapshot(revision: number, items: readonly TranscriptItem[], earlier = 0): HostMessage {
  return { type: 'snapshot', revision, panel, items, earlier, live: [] };
}
function changes(revision: number, ...list: Change[]): HostMessage {
  return { type: 'changes', revision, changes: list };
}
function after(...messages: HostMessage[]): PanelState {
  return messages.reduce((state, message) => reduce(state, message).state, initialState);
}
const idsOf = (state: PanelState): readonly string[] => state.items.map((item) => item.id);

describe('webview store', () => {
  it('takes over a snapshot as it is', () => {
    const state = after({ ...snapshot(7, [answer('a')], 40), live: [{ id: 'x', lines: ['1'] }] } as HostMessage);
    assert.equal(state.revision, 7);
    assert.equal(state.earlier, 40);
    assert.deepEqual(idsOf(state), ['a']);
    assert.deepEqual(state.live.get('x'), ['1']);
  });

  it('applies consecutive changes in order', () => {
    const state = after(
      snapshot(1, []),
      changes(2, { kind: 'itemPut', item: answer('a') }, { kind: 'textAppended', id: 'a', text: 'one ' }),
      changes(3, { kind: 'textAppended', id: 'a', text: 'two' }, { kind: 'itemPut', item: step('b', 'running') }),
    );
    assert.deepEqual(idsOf(state), ['a', 'b']);
    assert.equal(state.items[0]?.kind === 'assistant' && state.items[0].markdown, 'one two');
  });

  it('keeps what is inside of a card apart, and only of cards that were opened', () => {
    const inside = (...items: readonly TranscriptItem[]): HostMessage => ({
      type: 'agentItems',
      sessionId: 's1',
      stepId: 'card',
      items,
      earlier: 2,
    });
    const put = (revision: number): HostMessage =>
      changes(
        revision,
        { kind: 'itemPut', cardId: 'card', item: step('in', 'running') },
        { kind: 'itemPut', cardId: 'other', item: step('unseen', 'running') },
      );
    const opened = after(snapshot(1, [step('card', 'running')]), inside(answer('a')), put(2));
    assert.deepEqual(idsOf(opened), ['card']);
    assert.deepEqual(
      opened.agents.get('card')?.items.map(({ id }) => id),
      ['a', 'in'],
    );
    assert.equal(opened.agents.has('other'), false);
    const earlier = reduce(opened, {
      ...inside(answer('z'), answer('a')),
      beforeId: 'a',
      earlier: 0,
    } as HostMessage).state;
    assert.deepEqual(
      [earlier.agents.get('card')?.items.map(({ id }) => id), earlier.agents.get('card')?.earlier],
      [['z', 'a', 'in'], 0],
    );
    const again = reduce(earlier, snapshot(9, [step('card', 'running')])).state;
    assert.equal(again.agents.get('card')?.items.length, 3, 'stays on screen until the answer to the next question');
    assert.equal(again.snapshots, 2);
    assert.equal(reduce(again, { ...inside(), sessionId: 'another' } as HostMessage).state, again);
  });

  it('asks for a snapshot once when a number is missing and ignores changes until it comes', () => {
    const before = after(snapshot(1, [answer('a')]));
    const gap = reduce(before, changes(3, { kind: 'itemRemoved', id: 'a' }));
    assert.equal(gap.snapshotWanted, true);
    assert.deepEqual(idsOf(gap.state), ['a']);
    const next = reduce(gap.state, changes(4, { kind: 'itemRemoved', id: 'a' }));
    assert.equal(next.snapshotWanted, false);
    assert.deepEqual(idsOf(next.state), ['a']);
    const healed = reduce(next.state, snapshot(9, [answer('z')])).state;
    assert.equal(healed.awaitingSnapshot, false);
    assert.deepEqual(idsOf(reduce(healed, changes(10, { kind: 'itemPut', item: answer('y') })).state), ['z', 'y']);
  });

  it('asks for a snapshot when changes come first', () => {
    assert.equal(reduce(initialState, changes(1)).snapshotWanted, true);
  });

  it('takes a repeated number for a gap', () => {
    assert.equal(reduce(after(snapshot(5, [])), changes(5)).snapshotWanted, true);
  });

  it('replaces a known item in its place and leaves the others the same objects', () => {
    const before = after(snapshot(1, [answer('a'), step('b', 'running'), answer('c')]));
    const { state } = reduce(before, changes(2, { kind: 'itemPut', item: step('b', 'succeeded') }));
    assert.deepEqual(idsOf(state), ['a', 'b', 'c']);
    assert.equal(state.items[1]?.kind === 'step' && state.items[1].status, 'succeeded');
    assert.equal(state.items[0], before.items[0]);
    assert.equal(state.items[2], before.items[2]);
  });

  it('replaces live output and drops it when the step ends', () => {
    const running = after(
      snapshot(1, [step('b', 'running')]),
      changes(2, { kind: 'liveOutput', id: 'b', lines: ['1'] }),
      changes(3, { kind: 'liveOutput', id: 'b', lines: ['2', '3'] }),
    );
    assert.deepEqual(running.live.get('b'), ['2', '3']);
    const ended = reduce(running, changes(4, { kind: 'itemPut', item: step('b', 'failed') })).state;
    assert.equal(ended.live.has('b'), false);
  });

  it('puts earlier items in front, without doubles', () => {
    const state = after(snapshot(1, [answer('c')], 2), {
      type: 'earlierItems',
      sessionId: 's1',
      items: [answer('a'), answer('b'), answer('c')],
      earlier: 0,
    });
    assert.deepEqual(idsOf(state), ['a', 'b', 'c']);
    assert.equal(state.earlier, 0);
  });

  it('drops earlier items of a session that is no longer open', () => {
    const before = after(snapshot(1, [answer('c')], 2));
    const { state } = reduce(before, { type: 'earlierItems', sessionId: 'other', items: [answer('a')], earlier: 0 });
    assert.equal(state, before);
  });

  it('keeps the items when the session changes its state, and drops them when another session opens', () => {
    const before = after(snapshot(1, [answer('a')], 3));
    const same = reduce(before, changes(2, { kind: 'session', session: { ...session, state: 'done' } })).state;
    assert.deepEqual(idsOf(same), ['a']);
    const other = reduce(before, changes(2, { kind: 'session', session: { ...session, id: 's2' } })).state;
    assert.deepEqual(idsOf(other), []);
    assert.equal(other.earlier, 0);
  });

  it('tells two equal refusals apart', () => {
    const refusal: HostMessage = { type: 'sendRefused', text: 'hello', reason: 'No model is set.' };
    const once = after(snapshot(1, []), refusal);
    const twice = reduce(once, refusal).state;
    assert.equal(once.refused?.text, 'hello');
    assert.notEqual(once.refused.count, twice.refused?.count);
  });

  it('says "waiting" only for a running session that needs the user', () => {
    assert.equal(stateTone({ state: 'running', needsUser: true }), 'waiting');
    assert.equal(stateTone({ state: 'running', needsUser: false }), 'running');
    assert.equal(stateTone({ state: 'timed_out', needsUser: false }), 'cut');
  });
});
