// The question of a step that waits, in a browser, by keyboard: once, always, with words, not at all.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PanelMessage } from '../../src/protocol/messages.ts';
import { useGalleryPage } from './galleryPage.ts';
import type { ViewName } from './views.ts';

describe('the question of a step, in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const {
    open: show,
    sent,
    button,
    fits,
  } = useGalleryPage(
    (opened) => {
      page = opened;
    },
    { isBusy: true },
  );

  const open = async (view: ViewName): Promise<void> => {
    await show(view);
    await page.getByRole('group', { name: /^Wants to/ }).waitFor();
  };
  const answers = async (): Promise<readonly PanelMessage[]> => (await sent()).filter(({ type }) => type === 'approve');
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const el = document.activeElement;
      if (el instanceof HTMLInputElement) return el.value;
      return el?.getAttribute('aria-label') ?? el?.textContent ?? '';
    });

  it('is answered with Allow by Enter on what is asked for, and by the button', async () => {
    await open('approve-always');
    await page.getByLabel('What is asked for').press('Enter');
    await button('Allow').press('Enter');
    const [first, second] = await answers();
    assert.ok(first?.type === 'approve' && first.decision === 'allow' && first.always === undefined);
    assert.deepEqual(second, first);
  });

  it('shows in words what always would allow, and keeps the choice that was made', async () => {
    await open('approve-always');
    await button('Allow always…').press('Enter');
    const wide = page.getByRole('radio', {
      name: 'npm run build:packages with safe arguments and tail with safe arguments',
    });
    assert.equal(await wide.isChecked(), true);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'npm run build:packages 2>&1 | tail -20');
    assert.deepEqual(await answers(), []);
    await page.keyboard.press('Enter');
    const [answer] = await answers();
    assert.ok(answer?.type === 'approve' && answer.always === 'npm run build:packages 2>&1 | tail -20');
  });

  it('is reached by Tab alone, and Esc goes back to where one was', async () => {
    await open('approve-always');
    await page.getByLabel('What is asked for').focus();
    const walked: string[] = [];
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab');
      walked.push((await focused()).replace('⏎', ''));
    }
    assert.deepEqual(walked, ['Allow', 'Allow always…', 'Deny', 'Give a reason…']);
    await button('Allow always…').press('Space');
    await page.keyboard.press('Tab');
    assert.equal((await focused()).replace('⏎', ''), 'Allow always');
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'Allow always…');
    await button('Allow').waitFor();
    assert.deepEqual(await answers(), []);
  });

  it('says why there is nothing to allow always', async () => {
    await open('approve-never');
    await button('Allow always…').click();
    await page
      .getByText('It cannot be allowed always: it has a command substitution. You are asked each time.')
      .waitFor();
    assert.equal(await button('Allow always').count(), 0);
    await button('Back').press('Enter');
    await button('Allow').waitFor();
  });

  it('is denied by Enter in the reason', async () => {
    await open('approve-always');
    await button('Give a reason…').press('Enter');
    await page.keyboard.type('use make');
    await page.keyboard.press('Enter');
    const [answer] = await answers();
    assert.ok(answer?.type === 'approve' && answer.decision === 'deny' && answer.reason === 'use make');
  });

  it('shows what cannot be seen, and says which letters look like others', async () => {
    await open('approve-odd');
    const asked = (await page.getByLabel('What is asked for').textContent()) ?? '';
    for (const mark of ['⟨U+202E⟩', '⟨U+200B⟩', '⟨40,000 blanks⟩; rm -rf build', '⟨CR⟩', '⟨59 empty lines⟩', '⟨ESC⟩'])
      assert.ok(asked.includes(mark), mark);
    assert.doesNotMatch(asked, /[\u202e\u200b\r\u001b]/);
    await page.getByText('Contains letters or signs that look like others: а (Cyrillic)').waitFor();
    const title = await page.locator('h1.title').textContent();
    assert.match(title ?? '', /⟨U\+202E⟩/);
  });

  it('says how much is below a cut, and shows it by one key', async () => {
    await open('approve-long');
    const asked = page.getByLabel(/^What is asked for/);
    assert.doesNotMatch((await asked.textContent()) ?? '', /rm -rf/);
    await asked.focus();
    await page.keyboard.press('Tab');
    assert.equal(await focused(), '49 more lines');
    await page.keyboard.press('Enter');
    assert.match((await asked.textContent()) ?? '', /rm -rf data\/raw/);
    assert.deepEqual(await answers(), []);
    const hidden = await asked.evaluate((el) => [el.scrollHeight - el.clientHeight, el.scrollWidth - el.clientWidth]);
    assert.ok(
      hidden.every((pixels) => pixels <= 1),
      String(hidden),
    );
  });

  it('says why an edit is asked about though edits are accepted', async () => {
    await open('approve-running-file');
    await page.getByText('This file runs with git commands such as commit, checkout or diff.').waitFor();
  });

  it('fits a narrow view, opened and not', async () => {
    for (const view of ['approve-always', 'approve-never', 'approve-command', 'approve-diff', 'approve-odd'] as const) {
      await open(view);
      for (const opened of [false, true]) {
        if (opened) await button('Allow always…').click();
        await fits('.transcript, .approval, .always, .button-row', view);
      }
    }
  });
});
