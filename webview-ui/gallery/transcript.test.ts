// The scrolling middle of the panel in a browser: where the reader is, what is drawn again, what an answer may contain.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { useGalleryPage } from './galleryPage.ts';

describe('the transcript in a browser', function () {
  this.timeout(60_000);
  let page: Page;
  const { url, open, lastSent, change, button, message } = useGalleryPage((opened) => {
    page = opened;
  });

  const log = (): Locator => page.getByRole('log', { name: 'Transcript' });
  const scrollTop = (): Promise<number> => log().evaluate((el) => el.scrollTop);
  /** Nothing moves any more: scrolling by wheel is animated, and items get their height when they are first seen. */
  const stopped = (): Promise<void> =>
    log().evaluate(async (el) => {
      const placed = (): string => `${el.scrollTop} ${el.scrollHeight} ${el.clientHeight}`;
      let still = 0;
      for (let before = ''; still < 5; before = placed()) {
        await new Promise((done) => requestAnimationFrame(done));
        still = placed() === before ? still + 1 : 0;
      }
    });

  /** Where the end is followed, it is reached at last. */
  const endReached = async (): Promise<void> => {
    await stopped();
    await page.waitForFunction(() => {
      const el = document.querySelector('[role="log"]');
      return el !== null && el.scrollHeight - el.scrollTop - el.clientHeight < 9;
    });
  };

  it('has the same draft, folds and place after a reload', async () => {
    await open('long');
    await message().fill('half a thought');
    await log().hover();
    await page.mouse.wheel(0, -4000);
    await page.waitForFunction(() => document.querySelector('.running-dock') !== null);
    await stopped();
    const topItem = (): Promise<string | undefined> =>
      log().evaluate((el) => {
        const top = el.getBoundingClientRect().top;
        const first = [...el.querySelectorAll<HTMLElement>('[data-item]')].find(
          (i) => i.getBoundingClientRect().bottom > top + 1,
        );
        return first && `${first.innerText} ${Math.round(first.getBoundingClientRect().top - top)}`;
      });
    const before = await topItem();
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await page.reload();
    await page.locator('.running-dock').waitFor();
    await stopped();
    assert.equal(await topItem(), before);
    assert.equal(await message().inputValue(), 'half a thought');
    await open('opened');
    await page.getByRole('button', { name: /Ran python check.py/ }).click();
    await page.getByText('duplicates').waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await page.reload();
    await page.getByText('duplicates').waitFor();
  });

  it('follows the end of a list that shrinks and grows again before anybody is told', async () => {
    await open('long');
    await endReached();
    await log().evaluate((el) => {
      const list = el.firstElementChild;
      if (!(list instanceof HTMLElement)) throw new Error('no list');
      const cut = (height: string): void => {
        list.style.maxHeight = height;
        list.style.overflow = height === '' ? '' : 'hidden';
        // Laid out now: the place goes along with the end.
        el.getBoundingClientRect();
      };
      cut(`${list.offsetHeight - 400}px`);
      cut('');
      list.style.paddingBottom = '60px';
    });
    await endReached();
    assert.equal(await button('Go to the end').count(), 0);
  });

  it('follows the end while at the end, and stays with the reader otherwise', async () => {
    await open('long');
    await endReached();
    const answer = { kind: 'assistant', id: 'n', at: 0, markdown: 'One.\n\nTwo.\n\nThree.', streaming: true } as const;
    await change({ kind: 'itemPut', item: answer });
    await endReached();
    await log().hover();
    await page.mouse.wheel(0, -600);
    await button('Go to the end').waitFor();
    await stopped();
    const before = await scrollTop();
    await change({ kind: 'textAppended', id: 'n', text: '\n\nFour.\n\nFive.' });
    await button('New below').waitFor();
    assert.equal(await scrollTop(), before);
    await button('New below').click();
    await endReached();
  });

  it('does not move the line of a step that is opened at the end', async () => {
    await page.setViewportSize({ width: 300, height: 400 });
    await open('opened');
    await endReached();
    const toggle = page.getByRole('button', { name: /Ran pytest/ });
    const before = await toggle.boundingBox();
    await toggle.click();
    await page.getByText('1 error in 0.41s').waitFor();
    await stopped();
    assert.deepEqual(await toggle.boundingBox(), before);
  });

  it('keeps the place when earlier items come in front', async () => {
    await open('long');
    await log().evaluate((el) => el.scrollTo(0, 0));
    await stopped();
    const first = page.locator('[data-item]').first();
    const id = await first.getAttribute('data-item');
    const before = await first.boundingBox();
    await page.getByRole('button', { name: /earlier/ }).click();
    await page.waitForFunction(
      (known) => document.querySelector('[data-item]')?.getAttribute('data-item') !== known,
      id,
    );
    await stopped();
    const after = await page.locator(`[data-item="${id}"]`).boundingBox();
    assert.ok(before && after && Math.abs(before.y - after.y) < 2, `${before?.y} → ${after?.y}`);
  });

  it('leaves what is drawn of other items and finished blocks alone while text streams', async () => {
    await open('streaming');
    const drawnNodes = await page.evaluateHandle(() =>
      [...document.querySelectorAll('.user-text, .markdown-block')].map((el) => el.firstChild),
    );
    const texts = await drawnNodes.evaluate((nodes) => nodes.map((node) => node?.textContent));
    assert.ok(texts.length > 4);
    const id = await page.locator('.item-assistant').getAttribute('data-item');
    assert.ok(id);
    await change({ kind: 'textAppended', id, text: '\n```\n\nA new paragraph.\n\nAnd another.' });
    await page.getByText('And another.').waitFor();
    assert.equal(await page.getByText('What was found').count(), 1);
    const still = await drawnNodes.evaluate((nodes) =>
      nodes.map((node) => (node?.isConnected === true ? node.textContent : 'gone')),
    );
    assert.deepEqual(still, texts);
  });

  it('draws nothing of an answer that could run, load or restyle', async () => {
    await open('done');
    const markdown =
      '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">\n\n![i](https://example.com/i.png)\n\n' +
      '[a](javascript:window.hacked=1) [b](command:x) <a href="vscode://x" style="color:red">c</a> [d](https://example.com/d) [e](#e) [f](//example.com/f)';
    await change({ kind: 'itemPut', item: { kind: 'assistant', id: 'x', at: 0, markdown, streaming: false } });
    const item = page.locator('[data-item="x"]');
    await item.waitFor();
    assert.equal(await item.locator('script, img, [style], [onerror]').count(), 0);
    assert.deepEqual(await item.locator('a[href]').evaluateAll((links) => links.map((a) => a.textContent)), ['i', 'd']);
    await item.getByText('d', { exact: true }).click();
    assert.deepEqual(await lastSent(), { type: 'openLink', href: 'https://example.com/d' });
    assert.ok(page.url().startsWith(url()));
  });

  it('shows what a resume told the model under its line', async () => {
    await open('resumed');
    assert.equal(await page.getByText('Go on from where you were.').count(), 0);
    await page.getByRole('button', { name: /^resumed/ }).click();
    await page.getByText('Go on from where you were.').waitFor();
  });
});
