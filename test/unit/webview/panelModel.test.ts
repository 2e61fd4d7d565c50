import assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import type { Change, PanelMessage } from '../../../src/protocol/messages.ts';
import type { PanelView, TranscriptItem } from '../../../src/protocol/view.ts';
import { createClock } from '../../../webview-ui/clock.ts';
import { createPanelModel } from '../../../webview-ui/panelModel.ts';

const panel: PanelView = {
  screen: 'session',
  source: { kind: 'demo', text: '' },
  folders: [],
  approvalMode: 'ask',
  models: [],
  sessions: [],
  session: {
    id: 's1',
    title: '',
    state: 'running',
    stateWord: 'running',
    needsUser: false,
    model: 'm',
    approvalMode: 'ask',
    tasks: [],
  },
};
const answer = (id: string): TranscriptItem => ({ kind: 'assistant', id, at: 1, markdown: id, streaming: true });

function openModel() {
  const posted: PanelMessage[] = [];
  const model = createPanelModel((message) => {
    // What is taken in is said each time: see test/property/panelLink.
    if (message.type !== 'seen') posted.push(message);
  });
  let revision = 1;
  model.receive({ type: 'snapshot', revision, panel, items: [answer('a'), answer('b')], earlier: 0, live: [] });
  return {
    model,
    posted,
    change: (...changes: Change[]) => model.receive({ type: 'changes', revision: ++revision, changes }),
    skip: () => revision++,
  };
}

describe('webview panel model', () => {
  it('wakes only the item that a text was added to', () => {
    const { model, change } = openModel();
    const woken: string[] = [];
    const stops = [
      effect(() => void (model.item('a').value, woken.push('a'))),
      effect(() => void (model.item('b').value, woken.push('b'))),
      effect(() => void (model.itemIds.value, woken.push('ids'))),
    ];
    woken.length = 0;
    change({ kind: 'textAppended', id: 'b', text: '!' });
    assert.deepEqual(woken, ['b']);
    for (const stop of stops) stop();
  });

  it('goes on to wake what shows live output after snapshots that had none', () => {
    const { model } = openModel();
    const shown: (readonly string[])[] = [];
    const stop = effect(() => void shown.push(model.live('a').value));
    for (const revision of [2, 3])
      model.receive({ type: 'snapshot', revision, panel, items: [answer('a')], earlier: 0, live: [] });
    model.receive({ type: 'changes', revision: 4, changes: [{ kind: 'liveOutput', id: 'a', lines: ['1'] }] });
    assert.deepEqual(shown.at(-1), ['1']);
    model.receive({ type: 'snapshot', revision: 5, panel, items: [answer('a')], earlier: 0, live: [] });
    assert.deepEqual(shown.at(-1), []);
    model.receive({ type: 'changes', revision: 6, changes: [{ kind: 'liveOutput', id: 'a', lines: ['2'] }] });
    assert.deepEqual(shown.at(-1), ['2']);
    stop();
  });

  it('asks for a snapshot at a gap, and when the page is seen again', () => {
    const { model, posted, change, skip } = openModel();
    skip();
    change({ kind: 'itemRemoved', id: 'a' });
    assert.deepEqual(posted, [{ type: 'snapshotWanted' }]);
    model.visible();
    assert.deepEqual(posted, [{ type: 'snapshotWanted' }, { type: 'snapshotWanted' }]);
  });

  it('resumes a session of the list once it is open', () => {
    const { model, posted } = openModel();
    assert.ok(panel.session);
    const opened = { ...panel, session: { ...panel.session, id: 's2' } };
    const { session: _none, ...list } = panel;
    model.receive({
      type: 'snapshot',
      revision: 2,
      panel: { ...list, screen: 'empty' },
      items: [],
      earlier: 0,
      live: [],
    });
    model.openAndResume('s2', 'retry');
    model.receive({ type: 'changes', revision: 3, changes: [] });
    assert.deepEqual(posted, [{ type: 'openSession', sessionId: 's2' }]);
    model.receive({ type: 'snapshot', revision: 4, panel: opened, items: [], earlier: 0, live: [] });
    model.receive({ type: 'changes', revision: 5, changes: [] });
    assert.deepEqual(posted.slice(1), [{ type: 'resume', mode: 'retry' }]);
  });

  it('does not resume a session that was opened instead', () => {
    const { model, posted } = openModel();
    model.openAndResume('s2', 'resume');
    model.receive({ type: 'snapshot', revision: 2, panel, items: [], earlier: 0, live: [] });
    assert.ok(panel.session);
    const opened = { ...panel, session: { ...panel.session, id: 's2' } };
    model.receive({ type: 'snapshot', revision: 3, panel: opened, items: [], earlier: 0, live: [] });
    assert.ok(posted.every((message) => message.type !== 'resume'));
  });

  it('names the step that runs, until the run ends', () => {
    const { model, change } = openModel();
    change({
      kind: 'itemPut',
      item: {
        kind: 'step',
        id: 'c',
        at: 1,
        status: 'running',
        verb: '',
        subject: '',
        input: { language: 'json', text: '' },
      },
    });
    assert.equal(model.currentStep.value?.id, 'c');
    assert.ok(panel.session);
    change({ kind: 'session', session: { ...panel.session, state: 'interrupted' } });
    assert.equal(model.currentStep.value, undefined);
  });
});

describe('webview clock', () => {
  it('is current when it is taken up, and needs no timer when nobody holds it', () => {
    let time = 1000;
    const clock = createClock(() => time);
    time = 5000;
    const release = clock.hold('second');
    assert.equal(clock.now.value, 5000);
    release();
    // A second release must not count twice: mocha would not end if a timer were left.
    release();
    clock.hold('minute')();
  });
});
