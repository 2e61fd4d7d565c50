import assert from 'node:assert/strict';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';

describe('the notices of the panel', () => {
  it('do what a button says once, however often it is pressed, and go away with it', async () => {
    const done: string[] = [];
    const notices = new PanelNotices();
    const run = (): Promise<void> => Promise.resolve(void done.push('resumed'));
    notices.add({ level: 'info', text: 'It was cut.', actions: [{ label: 'Resume', run }] });
    const [{ id } = { id: '' }] = notices.views;
    await notices.answer(id, 0)?.();
    await notices.answer(id, 0)?.();
    assert.deepEqual(done, ['resumed']);
    assert.deepEqual(notices.views, []);
  });

  it('are few, and each is there once', () => {
    const notices = new PanelNotices();
    for (const text of ['1', '2', '2', '3', '4']) notices.add({ level: 'error', text });
    assert.deepEqual(
      notices.views.map(({ text }) => text),
      ['2', '3', '4'],
    );
  });
});
