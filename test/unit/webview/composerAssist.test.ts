import assert from 'node:assert/strict';
import type { PanelMessage } from '../../../src/protocol/messages.ts';
import { createComposerAssist } from '../../../webview-ui/composerAssist.ts';

describe('webview composer assist', () => {
  it('shows the answer to the last question only', () => {
    const asked: PanelMessage[] = [];
    const assist = createComposerAssist((message) => asked.push(message));
    const first = assist.ask('a');
    const second = assist.ask('ab');
    assist.receive({ type: 'suggestions', id: second, suggestions: [{ kind: 'file', name: 'ab.ts' }] });
    assist.receive({ type: 'suggestions', id: first, suggestions: [] });
    assert.deepEqual(assist.suggestions.value, { id: second, suggestions: [{ kind: 'file', name: 'ab.ts' }] });
    assert.deepEqual(asked, [
      { type: 'complete', id: first, query: 'a' },
      { type: 'complete', id: second, query: 'ab' },
    ]);
  });

  it('asks for each thumbnail once', () => {
    const asked: PanelMessage[] = [];
    const assist = createComposerAssist((message) => asked.push(message));
    const preview = assist.preview('m1', 0);
    assist.preview('m1', 0);
    assist.preview('m1', 1);
    assert.equal(asked.length, 2);
    assist.receive({ type: 'imagePreview', sessionId: 's', itemId: 'm1', index: 0, source: 'data:,' });
    assert.equal(preview.value, 'data:,');
    assert.equal(assist.preview('m1', 1).value, undefined);
  });
});
