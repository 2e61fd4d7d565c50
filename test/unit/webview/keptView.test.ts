import assert from 'node:assert/strict';
import type { PanelMessage } from '../../../src/protocol/messages.ts';
import type { PanelView, TranscriptItem } from '../../../src/protocol/view.ts';
import { keptValue, parseKept } from '../../../webview-ui/keptView.ts';
import { createPanelModel } from '../../../webview-ui/panelModel.ts';
import { initialState } from '../../../webview-ui/store.ts';

const panel: PanelView = {
  ...{ screen: 'empty', source: { kind: 'demo', text: '' }, folders: [], approvalMode: 'ask' },
  ...{ models: [], sessions: [], notices: [{ id: 'n1', level: 'info', text: 'Cut.', actions: ['Resume'] }] },
};
const item = (id: string, length = 10): TranscriptItem => ({
  kind: 'assistant',
  ...{ id, at: 1, markdown: 'x'.repeat(length), streaming: false },
});

describe('what was on the screen last', () => {
  it('is shown by the next page as what was, until the host is heard of', () => {
    const posted: PanelMessage[] = [];
    const before = createPanelModel(() => undefined);
    before.receive({ type: 'snapshot', revision: 9, panel, items: [item('a')], earlier: 2, live: [] });
    const kept = parseKept(structuredClone(before.toKeep()));
    assert.ok(kept);
    const model = createPanelModel((message) => posted.push(message));
    model.showKept(kept);
    assert.equal(model.link.value, 'lost');
    assert.deepEqual(
      model.items.value.map(({ id }) => id),
      ['a'],
    );
    assert.equal(model.panel.value?.notices, undefined);
    // The host is another one, and counts from the beginning.
    model.receive({ type: 'snapshot', revision: 1, panel, items: [item('b')], earlier: 0, live: [] });
    assert.equal(model.link.value, 'live');
    assert.deepEqual(
      model.items.value.map(({ id }) => id),
      ['b'],
    );
  });

  it('is bounded, the newest items first, and nothing is made of what is something else', () => {
    const items = Array.from({ length: 200 }, (_each, n) => item(String(n), 5_000));
    const kept = keptValue({ ...initialState, panel, items, earlier: 10 });
    assert.ok(JSON.stringify(kept).length < 100_000);
    assert.equal(parseKept(kept)?.items.at(-1)?.id, '199');
    assert.equal(parseKept({ shape: 0 }), undefined);
    assert.equal(parseKept(undefined), undefined);
  });
});
