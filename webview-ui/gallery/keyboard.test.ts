// The panel by keyboard, on a machine that is busy: a key finds what is on screen, and the focus is where it belongs.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { useGalleryPage } from './galleryPage.ts';

describe('the panel by keyboard', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, sent, lastSent, say, button, message, focusedName } = useGalleryPage(
    (opened) => {
      page = opened;
    },
    { isBusy: true },
  );

  const log = (): Locator => page.getByRole('log', { name: 'Transcript' });

  it('sends with Enter, breaks the line with Shift+Enter, and leaves an empty input', async () => {
    await open('done');
    await message().fill('one');
    await message().press('Shift+Enter');
    await page.keyboard.type('two');
    await message().press('Enter');
    assert.deepEqual(await lastSent(), { type: 'send', text: 'one\ntwo' });
    assert.equal(await message().inputValue(), '');
    await message().press('Enter');
    assert.equal((await sent()).filter((m) => m.type === 'send').length, 1);
  });

  it('leaves the Enter that ends a composition to the input method', async () => {
    await open('done');
    await message().fill('日本');
    await message().evaluate((el) =>
      el.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
      ),
    );
    assert.ok((await sent()).every((m) => m.type !== 'send'));
  });

  it('keeps the cursor in the input when the first message opens its session', async () => {
    await open('empty-sessions');
    await message().fill('go');
    await message().press('Enter');
    const session = {
      id: 'n',
      title: 'go',
      state: 'running',
      stateWord: 'running',
      needsUser: false,
      model: 'm',
      approvalMode: 'ask',
      tasks: [],
    } as const;
    const panel = {
      screen: 'session',
      source: { kind: 'demo', text: '' },
      folders: [],
      sessions: [],
      approvalMode: 'ask',
      models: [],
      session,
    } as const;
    await say({ type: 'snapshot', revision: 2, panel, items: [], earlier: 0, live: [] });
    await button('Stop').waitFor();
    assert.equal(await focusedName(), 'Message');
  });

  it('answers an approval by keyboard, with a reason', async () => {
    await open('approve-command');
    await button('Give a reason…').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('use uv');
    await page.keyboard.press('Enter');
    const denied = await lastSent();
    assert.ok(denied?.type === 'approve' && denied.decision === 'deny' && denied.reason === 'use uv');
    await button('Allow').focus();
    await page.keyboard.press('Space');
    const allowed = await lastSent();
    assert.ok(allowed?.type === 'approve' && allowed.decision === 'allow');
  });

  it('is walked by keyboard: title, transcript, steps, banner, input', async () => {
    await open('interrupted');
    const walked: string[] = [];
    for (let i = 0; i < 12 && walked.at(-1) !== 'Message'; i++) {
      await page.keyboard.press('Tab');
      walked.push(await focusedName());
    }
    assert.deepEqual(walked, [
      'Sessions',
      'Train baseline and tune, rename',
      'Model claude-sonnet-5-5, choose another one',
      'More actions',
      'Plan3 of 5Tune with 50 trials',
      'Transcript',
      'Resume',
      'Resume with…',
      'Message',
    ]);
    await log().focus();
    await page.keyboard.press('ArrowUp');
    assert.match(await focusedName(), /tune\.py/);
    await page.keyboard.press('Home');
    assert.equal(await focusedName(), 'Revert to before this message');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focusedName(), 'Fork from here');
    await page.keyboard.press('ArrowDown');
    assert.match(await focusedName(), /Thought/);
    await page.keyboard.press('ArrowDown');
    assert.match(await focusedName(), /Ran.*check\.py/);
    await page.keyboard.press('Enter');
    await page.getByText('duplicates').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    assert.equal((await lastSent())?.type, 'openDiff');
    await page.keyboard.press('Escape');
    assert.equal(await focusedName(), 'Message');
  });

  it('renames in place: Enter keeps, Escape drops', async () => {
    await open('done');
    await page.getByRole('button', { name: /rename/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Other');
    await page.keyboard.press('Escape');
    assert.match(await focusedName(), /rename$/);
    await page.keyboard.press('Enter');
    await page.keyboard.type('Better title');
    await page.keyboard.press('Enter');
    assert.match(await focusedName(), /rename$/);
    assert.deepEqual(
      (await sent()).filter((m) => m.type === 'rename'),
      [{ type: 'rename', title: 'Better title' }],
    );
  });

  it('has a menu that the keyboard can use and leave', async () => {
    await open('running');
    await button('More actions').focus();
    await page.keyboard.press('Enter');
    const first = page.getByRole('menuitem', { name: 'Stop, keep command running' });
    await first.waitFor();
    await page.keyboard.press('ArrowUp');
    assert.equal(await focusedName(), 'Delete session…');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    assert.equal(await focusedName(), 'More actions');
  });

  it('goes on in the transcript when it has brought earlier items', async () => {
    await open('long');
    await page.getByRole('button', { name: /earlier/ }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await focusedName(), 'Transcript');
  });
});
