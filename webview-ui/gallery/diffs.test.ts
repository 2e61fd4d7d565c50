// Where the panel in a browser asks for a diff: of a change that waits, and of what a run made of a file.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useGalleryPage } from './galleryPage.ts';

describe('diffs asked for in the panel', function () {
  this.timeout(60_000);
  let page: Page;
  const { open, lastSent } = useGalleryPage((opened) => {
    page = opened;
  });

  it('a change that waits has one, and says what is done first; a command has none', async () => {
    await open('approve-diff');
    await page.getByText('Your unsaved changes in this file are saved first.').waitFor();
    await page.getByRole('button', { name: 'Open diff', exact: true }).click();
    const asked = await lastSent();
    assert.ok(asked?.type === 'openDiff');
    assert.deepEqual([asked.path, asked.since], ['src/models/train.py', undefined]);
    await open('approve-command');
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Open diff', exact: true }).count(), 0);
  });

  it('a file that a run changed has one from its first step to its last', async () => {
    await open('done');
    const files = page.getByRole('region', { name: 'Files changed' });
    await files.getByRole('button', { name: /train\.py/ }).click();
    const asked = await lastSent();
    assert.ok(asked?.type === 'openDiff' && asked.since !== undefined);
  });
});
