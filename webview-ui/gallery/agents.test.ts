// Agents' cards in a browser: what they ask the host for, what they ask the user, and what they show folded.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useGalleryPage } from './galleryPage.ts';
import type { ViewName } from './views.ts';

describe("agents' cards in a browser", function () {
  this.timeout(60_000);
  let page: Page;
  const {
    open: show,
    sent,
    fits,
  } = useGalleryPage(
    (opened) => {
      page = opened;
    },
    { height: 720, isBusy: true },
  );

  async function open(view: ViewName): Promise<void> {
    await show(view);
    await page.locator('.agent').first().waitFor();
  }

  it('are opened by keyboard, ask for what is inside, and let go of it when they are folded', async () => {
    await open('agents-done');
    const line = page.locator('.agent .step-toggle').first();
    await page.getByRole('log').focus();
    await line.focus();
    await page.keyboard.press('Enter');
    await page.getByText('I look at the callers first.').waitFor();
    assert.equal(await line.getAttribute('aria-expanded'), 'true');
    await page.getByRole('button', { name: /^Show 240 earlier/ }).click();
    await line.focus();
    await page.keyboard.press('Enter');
    await page.getByText('I look at the callers first.').waitFor({ state: 'detached' });
    // The card lets go of it once it is drawn folded.
    await page.waitForFunction(() => window.galleryHost.sent.some(({ type }) => type === 'closeAgent'));
    const types = (await sent()).map((message) =>
      message.type === 'openAgent' ? `openAgent${message.beforeId === undefined ? '' : ' before'}` : message.type,
    );
    assert.deepEqual(
      types.filter((type) => type.includes('Agent')),
      ['openAgent', 'openAgent before', 'closeAgent'],
    );
  });

  it('ask again for what is inside after a snapshot', async () => {
    await open('agents-done');
    await page.locator('.agent .step-toggle').first().click();
    await page.getByText('I look at the callers first.').waitFor();
    const before = (await sent()).filter(({ type }) => type === 'openAgent').length;
    await page.evaluate(() =>
      window.galleryHost.change({ kind: 'itemRemoved', id: 'nothing' }, { kind: 'itemRemoved', id: 'nothing' }),
    );
    await page.evaluate(() => window.galleryHost.say({ type: 'changes', revision: 99, changes: [] }));
    await page.waitForFunction(
      (count) => window.galleryHost.sent.filter(({ type }) => type === 'openAgent').length > count,
      before,
    );
    assert.equal(await page.getByText('I look at the callers first.').count(), 1);
  });

  it('ask the user while they are folded, with the name of the agent around the question', async () => {
    await open('agents-ask');
    const card = page.getByRole('group', { name: 'Agent migration-reviewer' });
    assert.equal(await card.locator('.step-toggle').first().getAttribute('aria-expanded'), 'false');
    await card.getByRole('button', { name: 'Allow' }).click();
    const last = (await sent()).at(-1);
    assert.ok(last?.type === 'approve' && last.decision === 'allow');
    await card.locator('.step-toggle').first().click();
    await page.getByText('I look at the callers first.').waitFor();
    assert.equal(
      await card.getByRole('button', { name: 'Allow' }).count(),
      0,
      'opened, the question stands in its place inside',
    );
  });

  it('never grow wider than the view', async () => {
    for (const view of ['agents', 'agents-ask', 'agents-cut', 'agents-done'] as const) {
      await open(view);
      await page.locator('.agent .step-toggle').first().click();
      await fits('.header, .transcript, .composer, .banner', view);
    }
  });
});
