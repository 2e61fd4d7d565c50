import assert from 'node:assert/strict';
import type { PanelView, StepItem, TranscriptItem } from '../../../src/protocol/view.ts';
import { announcements } from '../../../webview-ui/announcements.ts';
import { initialState, type PanelState } from '../../../webview-ui/store.ts';

function state(items: readonly TranscriptItem[], stateWord = 'running', id = 's1'): PanelState {
  const panel: PanelView = {
    screen: 'session',
    source: { kind: 'demo', text: '' },
    folders: [],
    approvalMode: 'ask',
    models: [],
    sessions: [],
    session: {
      id,
      title: '',
      state: 'running',
      stateWord,
      needsUser: false,
      model: 'm',
      approvalMode: 'ask',
      tasks: [],
    },
  };
  return { ...initialState, panel, items };
}
const step = (status: StepItem['status'], more: Partial<StepItem> = {}): StepItem => ({
  kind: 'step',
  id: 'b',
  at: 1,
  status,
  verb: 'Ran',
  subject: 'make',
  input: { language: 'shell', text: 'make' },
  ...more,
});

describe('webview announcements', () => {
  it('says what turns a line around as it is shown', () => {
    const odd = { subject: 'echo safe\u202Etxt.exe' };
    assert.deepEqual(announcements(state([]), state([step('waiting', odd)])), [
      'Ran echo safe⟨U+202E⟩txt.exe, waits for your answer',
    ]);
  });

  it('says a step that finished, with its time and its problem', () => {
    const said = announcements(
      state([step('running')]),
      state([step('failed', { durationMs: 4100, problem: 'no rule' })]),
    );
    assert.deepEqual(said, ['Ran make, failed, 4.1 s: no rule']);
  });

  it('says a step that waits for an answer', () => {
    assert.deepEqual(announcements(state([]), state([step('waiting')])), ['Ran make, waits for your answer']);
  });

  it('is silent about streaming text, running steps and steps that only changed', () => {
    const text: TranscriptItem = { kind: 'assistant', id: 'a', at: 1, markdown: 'x', streaming: true };
    assert.deepEqual(announcements(state([]), state([text, step('running')])), []);
    assert.deepEqual(announcements(state([step('succeeded')]), state([step('succeeded', { note: 'n' })])), []);
  });

  it('says a change of state', () => {
    assert.deepEqual(announcements(state([]), state([], 'done')), ['Session: done']);
  });

  it('is silent when a session opens or older items arrive: history is not news', () => {
    assert.deepEqual(announcements(initialState, state([step('succeeded')])), []);
    assert.deepEqual(announcements(state([], 'done', 's0'), state([step('succeeded')])), []);
    const before = { ...state([]), earlier: 1 };
    assert.deepEqual(announcements(before, { ...state([step('succeeded')]), earlier: 0 }), []);
  });
});
