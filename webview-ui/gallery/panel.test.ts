// The panel in a browser, driven as a person would: by name, by keyboard, and by what the host says.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useGalleryPage } from './galleryPage.ts';

describe('the panel in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, sent, lastSent, say, change, button, message, fits } = useGalleryPage((opened) => {
    page = opened;
  });

  it('brings a refused message back with the reason', async () => {
    await open('empty-sessions');
    await message().fill('go on');
    await button('Send').click();
    await say({ type: 'sendRefused', text: 'go on', reason: 'No model is set.' });
    await page.getByText('No model is set.').waitFor();
    assert.equal(await message().inputValue(), 'go on');
  });

  it('sends while a run goes on too, for its next step, and has Stop beside it', async () => {
    await open('running');
    await page.getByPlaceholder('Message for the next step').waitFor();
    await message().fill('next');
    await message().press('Enter');
    assert.deepEqual(await lastSent(), { type: 'send', text: 'next' });
    assert.equal(await message().inputValue(), '');
    await button('Stop').click();
    assert.deepEqual(await lastSent(), { type: 'stop' });
  });

  it('says finished steps politely and the banner at once', async () => {
    await open('running');
    const region = page.locator('[data-announcements]');
    assert.equal(await region.textContent(), '');
    const step = {
      kind: 'step',
      id: 'x',
      at: 0,
      status: 'succeeded',
      verb: 'Ran',
      subject: 'make',
      durationMs: 4100,
      input: { language: 'shell', text: 'make' },
    } as const;
    await change({ kind: 'itemPut', item: step });
    assert.equal(await region.textContent(), 'Ran make, succeeded, 4.1 s');
    await open('interrupted');
    assert.equal(await page.getByRole('alert').getByText('Interrupted while running').count(), 1);
  });

  it('resumes at once, or with another model, thinking and mode', async () => {
    await open('interrupted');
    await button('Resume').click();
    assert.deepEqual(await lastSent(), { type: 'resume', mode: 'resume' });
    await button('Resume with…').click();
    await page.keyboard.type('claude-opus-5');
    await page.getByLabel('Thinking').selectOption('off');
    await page.getByLabel('Mode', { exact: true }).selectOption('retry');
    await button('Retry').click();
    assert.deepEqual(await lastSent(), { type: 'resume', mode: 'retry', model: 'claude-opus-5', thinking: 'off' });
  });

  it('retries what failed and offers what helps', async () => {
    await open('failed');
    await button('Set API key').click();
    assert.deepEqual(await lastSent(), { type: 'command', command: 'setApiKey' });
    await button('Retry').click();
    assert.deepEqual(await lastSent(), { type: 'resume', mode: 'retry' });
  });

  it('shows the mode that the host has, not the one that was asked for', async () => {
    await open('running');
    const mode = page.getByRole('combobox', { name: 'Approval mode' });
    await mode.selectOption('allowAll');
    assert.deepEqual((await sent()).at(-1), { type: 'setApprovalMode', mode: 'allowAll' });
    await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('.bar-select')?.value === 'allowAll');
  });

  it('opens a session of the list before it resumes it', async () => {
    await open('empty-sessions');
    await button('Resume').first().click();
    assert.deepEqual((await sent()).slice(1), [{ type: 'openSession', sessionId: 's1' }]);
  });

  it('scrolls what does not fit above the input in a low view, instead of drawing it over the rest', async () => {
    await page.setViewportSize({ width: 300, height: 320 });
    await open('parked');
    const { left, reached } = await page.locator('.view').evaluate((el) => {
      el.scrollTop = el.scrollHeight;
      return { left: el.scrollHeight - el.clientHeight, reached: el.scrollTop };
    });
    assert.ok(left > 0, 'it fits');
    assert.ok(Math.abs(reached - left) < 2);
    await page.setViewportSize({ width: 300, height: 600 });
  });

  it('gives every button a name and a tooltip', async () => {
    for (const view of [
      'running',
      'approve-diff',
      'failed',
      'empty-sessions',
      'empty-no-model',
      'untrusted',
      'opened',
    ] as const) {
      await open(view);
      const bare = await page
        .locator('button')
        .evaluateAll((buttons) =>
          buttons
            .filter((b) => !b.getAttribute('title') || !(b.getAttribute('aria-label') ?? b.textContent).trim())
            .map((b) => b.outerHTML),
        );
      assert.deepEqual(bare, [], view);
    }
  });

  it('never grows wider than the view', async () => {
    for (const view of ['long-names', 'rich', 'approve-diff', 'running', 'empty-demo', 'failed', 'opened'] as const) {
      await open(view);
      await fits('.header, .transcript, .composer, .screen, .banner', view);
    }
  });

  it('says in full where answers come from at 300 px, and has nothing that the title bar of the view has', async () => {
    for (const view of ['empty-demo', 'running', 'failed'] as const) {
      await open(view);
      await page.setViewportSize({ width: 300, height: 720 });
      const source = page.locator('.source');
      assert.notEqual(await source.textContent(), '');
      await fits('.source', view);
      for (const name of ['New session', 'Settings', 'Show log']) assert.equal(await button(name).count(), 0, name);
    }
  });

  it('says on the first screen that a script answers, and how a model is connected', async () => {
    await open('empty-demo');
    await page.getByText('No model is connected yet: a script answers').waitFor();
    await page.getByRole('heading', { name: 'Connect a model' }).waitFor();
    await open('empty-no-model');
    await page.getByRole('heading', { name: 'It needs a model' }).waitFor();
    assert.equal(await page.getByText('a script answers').count(), 0);
  });

  it('shows what an edit changes without the lines that name its file, which the step does', async () => {
    await open('approve-diff');
    const asked = page.locator('.approval pre');
    assert.match((await asked.textContent()) ?? '', /^@@ /);
  });

  it('stands still for who asked for less motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open('running');
    const name = await page.locator('.step-running .step-icon').evaluate((el) => getComputedStyle(el).animationName);
    assert.equal(name, 'none');
  });
});
