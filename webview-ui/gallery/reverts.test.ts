// Going back in the panel: the actions of a message, the card that says what would change, the way back.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { useGalleryPage } from './galleryPage.ts';
import { revertPlan } from './revertPlan.ts';

describe('going back, in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, sent, lastSent, button } = useGalleryPage(
    (opened) => {
      page = opened;
    },
    { height: 700, isBusy: true },
  );

  const card = (): Locator => page.getByRole('dialog');
  const say = (sessionId: string): Promise<void> =>
    page.evaluate(([id, plan]) => window.galleryHost.say({ type: 'revertPlan', sessionId: id, plan }), [
      sessionId,
      revertPlan,
    ] as const);

  it('asks what would change, shows it, and reverts as it was shown', async () => {
    await open('done');
    await button('Revert to before this message').first().press('Enter');
    assert.equal((await lastSent())?.type, 'planRevert');
    await say('another session');
    assert.equal(await card().count(), 0);
    await say('s1');
    await card().getByText('left: changed since').waitFor();
    await button('End command').press('Enter');
    assert.deepEqual(await lastSent(), { type: 'endCommand', key: 'k1' });
    assert.equal(await button('End command').count(), 0);
    await button('Revert').press('Enter');
    assert.deepEqual(await lastSent(), { type: 'revert', messageId: 'm1', lastSeq: 12 });
    assert.equal(await card().count(), 0);
  });

  it('is left by Escape, and changes nothing then', async () => {
    await open('done');
    await say('s1');
    await card().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await card().count(), 0);
    assert.ok(!(await sent()).some(({ type }) => type === 'revert'));
  });

  it('offers a fork only while a run goes on or a revert is unfinished, which is finished first', async () => {
    await open('running');
    assert.equal(await button('Revert to before this message').count(), 0);
    await button('Fork from here').first().press('Enter');
    assert.equal((await lastSent())?.type, 'fork');
    await open('revert-cut');
    assert.equal(await button('Revert to before this message').count(), 0);
    await button('Finish it').press('Enter');
    assert.deepEqual(await lastSent(), { type: 'finishRevert' });
    await open('reverted');
    await button('Undo the revert').press('Enter');
    assert.deepEqual(await lastSent(), { type: 'undoRevert' });
  });
});
