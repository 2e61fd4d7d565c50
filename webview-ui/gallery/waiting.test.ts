// What waits in the panel: messages for the next step, a request for its next try, a session for its time.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { SessionView } from '../../src/protocol/view.ts';
import { useGalleryPage } from './galleryPage.ts';

describe('what waits, in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, sent, lastSent, button, message, focusedName } = useGalleryPage(
    (opened) => {
      page = opened;
    },
    { isBusy: true },
  );

  describe('messages that wait', () => {
    const first = 'Use 80 trials, not 50, and keep the seed that the baseline had.';
    const row = (text: string): Locator => page.getByRole('button', { name: `Queued: ${text}`, exact: true });
    const field = (): Locator => page.getByRole('textbox', { name: 'Edit queued message' });
    const withQueue = async (queue: SessionView['queue']): Promise<void> => {
      const session = await page.evaluate(() => window.galleryHost.first.panel.session);
      assert.ok(session);
      const { queue: _before, ...rest } = session;
      const next = { ...rest, ...(queue && { queue }) };
      await page.evaluate((value) => window.galleryHost.change({ kind: 'session', session: value }), next);
    };

    it('are edited with Enter, left alone with Escape, and not sent when nothing was changed', async () => {
      await open('queued');
      await row(first).focus();
      await page.keyboard.press('Enter');
      await field().fill('Use 90.');
      await field().press('Escape');
      assert.equal(await focusedName(), 'Message');
      await row(first).press('F2');
      await field().press('Enter');
      assert.ok((await sent()).every((m) => m.type !== 'editQueued'));
      await row(first).click();
      await field().fill('Use 90.');
      await field().press('Shift+Enter');
      await page.keyboard.type('Or 95.');
      await field().press('Enter');
      assert.deepEqual(await lastSent(), { type: 'editQueued', messageId: 'q1', text: 'Use 90.\nOr 95.' });
    });

    it('are removed with Delete or the button, and Undo puts one back into the input', async () => {
      await open('queued');
      await message().fill('draft');
      await row(first).press('Delete');
      assert.deepEqual(await lastSent(), { type: 'removeQueued', messageId: 'q1' });
      assert.equal(await focusedName(), 'Message');
      await withQueue(undefined);
      await button('Undo').click();
      assert.equal(await message().inputValue(), `${first}\n\ndraft`);
      assert.equal(await page.getByRole('region', { name: 'Queued messages' }).count(), 0);
    });

    it('give what was being typed to the host when they are sent meanwhile', async () => {
      await open('queued');
      await row(first).click();
      await field().fill('Use 90.');
      await withQueue(undefined);
      await page.waitForFunction(() => window.galleryHost.sent.some((m) => m.type === 'editQueued'));
      await page.evaluate(() =>
        window.galleryHost.say({ type: 'sendRefused', text: 'Use 90.', reason: 'It was sent already.' }),
      );
      await page.getByText('It was sent already.').waitFor();
      assert.equal(await message().inputValue(), 'Use 90.');
    });
  });

  it('counts down to the next try, and tries at once when asked', async () => {
    await open('waiting');
    const note = page.getByRole('region', { name: 'Waiting' });
    await note.getByText(/The server is overloaded\. Next try in \d+ s \(attempt 7\)/).waitFor();
    await button('Retry now').click();
    assert.deepEqual(await lastSent(), { type: 'retryNow' });
    assert.equal(await focusedName(), 'Message');
  });

  it('says when the next try of a parked session is where no server named a time', async () => {
    await open('parked-long');
    const banner = page.getByRole('alert');
    await banner.getByText(/had an error of its own: next try at (\d+ \w+, )?\d\d:\d\d \(in [89] min\)$/).waitFor();
    await banner.getByText('Tried for 10 min.').waitFor();
    await banner.getByText('Goes on by itself then.').waitFor();
  });

  it('puts what helps first where trying again does not', async () => {
    await open('too-long');
    await button('Compact').click();
    assert.deepEqual(await lastSent(), { type: 'command', command: 'compactSession' });
  });

  it('says when a parked session can go on, and tries at once when asked', async () => {
    await open('parked');
    const banner = page.getByRole('alert');
    await banner.getByText(/^Rate limit: possible again at (\d+ \w+, )?\d\d:\d\d \(in 1[12] min\)$/).waitFor();
    await banner.getByText('You are asked then.').waitFor();
    await button('Retry now').click();
    assert.deepEqual(await lastSent(), { type: 'resume', mode: 'resume', now: true });
    await button('Resume with…').waitFor();
  });
});
