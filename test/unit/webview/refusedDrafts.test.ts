import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { MessageImage } from '../../../src/core/images.ts';
import type { PanelState } from '../../../webview-ui/store.ts';
import { createRefusedDrafts } from '../../../webview-ui/refusedDrafts.ts';
import { createViewMemory, newSessionKey } from '../../../webview-ui/viewMemory.ts';

function open(key: string) {
  const refused = signal<PanelState['refused']>(undefined);
  const sessionKey = signal(key);
  const memory = createViewMemory({ getState: () => null, setState: () => {} });
  const drafts = createRefusedDrafts({ refused, sessionKey }, memory);
  let count = 0;
  return {
    memory,
    drafts,
    sessionKey,
    refuse: (text: string, images?: readonly MessageImage[]) =>
      (refused.value = { text, ...(images && { images }), reason: 'No model is set.', count: ++count }),
    close() {
      drafts.dispose();
      memory.dispose();
    },
  };
}

describe('webview refused drafts', () => {
  it('brings the text back with the reason', () => {
    const panel = open('s1');
    panel.refuse('hello');
    assert.equal(panel.memory.draft('s1').value, 'hello');
    assert.equal(panel.drafts.reason.value, 'No model is set.');
    panel.drafts.clear();
    assert.equal(panel.drafts.reason.value, undefined);
    panel.close();
  });

  it('keeps what was typed meanwhile, behind it', () => {
    const panel = open('s1');
    panel.memory.setDraft('s1', 'and more');
    panel.refuse('hello');
    assert.equal(panel.memory.draft('s1').value, 'hello\n\nand more');
    panel.close();
  });

  it('brings back the same text twice when it is refused twice', () => {
    const panel = open('s1');
    panel.refuse('hello');
    panel.memory.setDraft('s1', '');
    panel.refuse('hello');
    assert.equal(panel.memory.draft('s1').value, 'hello');
    panel.close();
  });

  it('goes along with a first message whose session opens after the refusal', () => {
    const panel = open(newSessionKey);
    panel.refuse('hello');
    panel.sessionKey.value = 's1';
    assert.equal(panel.memory.draft('s1').value, 'hello');
    assert.equal(panel.memory.draft(newSessionKey).value, '');
    assert.equal(panel.drafts.reason.value, 'No model is set.');
    panel.close();
  });

  it('stays with its session when another one is looked at', () => {
    const panel = open('s1');
    panel.refuse('hello');
    panel.sessionKey.value = 's2';
    assert.equal(panel.memory.draft('s2').value, '');
    assert.equal(panel.drafts.reason.value, undefined);
    panel.sessionKey.value = 's1';
    assert.equal(panel.drafts.reason.value, 'No model is set.');
    panel.close();
  });

  it('brings images and chosen mentions back with the text that they were sent with', () => {
    const panel = open('s1');
    const image = { mediaType: 'image/png', data: 'AAAA', width: 1, height: 1 } as const;
    panel.drafts.giveBack('s1', { text: 'see @a.ts', picked: ['a.ts'], images: [image], reason: 'No model is set.' });
    assert.equal(panel.memory.draft('s1').value, 'see @a.ts');
    assert.deepEqual(panel.memory.images('s1').value, [image]);
    assert.deepEqual(panel.memory.picked('s1'), ['a.ts']);
    panel.close();
  });

  it('is there once where a copy of the draft came back already', () => {
    const panel = open('s1');
    panel.memory.setDraft('s1', 'hello ');
    panel.drafts.giveBack('s1', { text: 'hello', reason: 'Not sent yet.' });
    assert.equal(panel.memory.draft('s1').value, 'hello');
    panel.close();
  });

  it('keeps a reason for each session', () => {
    const panel = open('s1');
    panel.drafts.giveBack('s1', { text: 'one', reason: 'First.' });
    panel.drafts.giveBack('s2', { text: 'two', reason: 'Second.' });
    assert.equal(panel.drafts.reason.value, 'First.');
    panel.sessionKey.value = 's2';
    assert.equal(panel.drafts.reason.value, 'Second.');
    panel.close();
  });

  it('takes the images of a message that was taken back, and not those of one with the same text', () => {
    const panel = open('s1');
    const image = { mediaType: 'image/png', data: 'AAAA', width: 1, height: 1 } as const;
    panel.memory.setImages('s1', [{ ...image, data: 'BBBB' }]);
    panel.refuse('like this', [image]);
    assert.deepEqual(
      panel.memory.images('s1').value.map(({ data }) => data),
      ['AAAA', 'BBBB'],
    );
    panel.close();
  });
});
