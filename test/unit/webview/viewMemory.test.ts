import assert from 'node:assert/strict';
import { createViewMemory, keptImageData, newSessionKey, type MemoryPort } from '../../../webview-ui/viewMemory.ts';

function fakePort(state?: unknown): MemoryPort & { saved: unknown } {
  const port = {
    saved: state,
    getState: () => port.saved,
    setState: (value: unknown) => {
      // As the editor does: what comes back is a copy.
      port.saved = JSON.parse(JSON.stringify(value)) as unknown;
    },
  };
  return port;
}

describe('webview view memory', () => {
  it('gives back drafts, folds and places after a reload, each to its session', () => {
    const port = fakePort();
    const first = createViewMemory(port);
    first.setDraft('s1', 'half a sent');
    first.setFold('s1', 'step-1', true);
    first.setFold('s2', 'plan', true);
    first.setPlace('s2', { anchor: { id: 'a', offset: 12 }, pages: 2 });
    first.dispose();

    const second = createViewMemory(port);
    assert.equal(second.draft('s1').value, 'half a sent');
    assert.equal(second.draft('s2').value, '');
    assert.equal(second.draft(newSessionKey).value, '');
    assert.equal(second.fold('s1', 'step-1', false).value, true);
    assert.equal(second.fold('s2', 'step-1', false).value, false);
    assert.deepEqual(second.place('s2'), { anchor: { id: 'a', offset: 12 }, pages: 2 });
    assert.equal(second.place('s1'), undefined);
    second.dispose();
  });

  it('remembers a fold that was closed although it begins open', () => {
    const port = fakePort();
    const first = createViewMemory(port);
    first.setFold('s1', 'files', false);
    first.dispose();
    assert.equal(createViewMemory(port).fold('s1', 'files', true).value, false);
  });

  it('begins afresh with a state that it does not know', () => {
    for (const state of [null, 'x', { version: 2, sessions: {} }, { version: 1, sessions: { s1: { draft: 7 } } }]) {
      assert.equal(createViewMemory(fakePort(state)).draft('s1').value, '');
    }
  });

  it('forgets the sessions used least recently', () => {
    const port = fakePort();
    const memory = createViewMemory(port);
    for (let i = 0; i < 40; i++) memory.setDraft(`s${i}`, 'x');
    memory.setDraft('s5', 'used again');
    memory.dispose();
    const later = createViewMemory(port);
    assert.equal(later.draft('s0').value, '');
    assert.equal(later.draft('s5').value, 'used again');
    assert.equal(later.draft('s39').value, 'x');
  });

  it('keeps the images and the chosen mentions of drafts, as far as they are not too large', () => {
    const port = fakePort();
    const image = (length: number) =>
      ({ mediaType: 'image/png', data: 'A'.repeat(length), width: 1, height: 1 }) as const;
    const memory = createViewMemory(port);
    memory.setImages('old', [image(keptImageData - 100)]);
    memory.setImages('large', [image(keptImageData + 1)]);
    memory.setDraft('large', 'words');
    memory.setImages('new', [image(50), { ...image(50), name: 'a.png', preview: 'data:,' }]);
    memory.setPicked('new', ['src/a.ts']);
    assert.equal(memory.images('large').value.length, 1);
    memory.dispose();

    const later = createViewMemory(port);
    assert.deepEqual(later.images('new').value[1], { ...image(50), name: 'a.png', preview: 'data:,' });
    assert.deepEqual(later.picked('new'), ['src/a.ts']);
    assert.equal(later.images('old').value.length, 1);
    assert.deepEqual([later.images('large').value.length, later.draft('large').value], [0, 'words']);
    later.dispose();
  });
});
