// `node webview-ui/gallery/shots.ts [view,view…] [theme,theme…] [width,width…]`: pictures of the panel into out/gallery/shots.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { outFolder, startGallery } from './build.ts';
import { launchBrowser } from './browser.ts';
import { pasteImages } from './pasteImages.ts';
import { revertPlan } from './revertPlan.ts';
import { themeNames } from './themes.ts';
import { views } from './views.ts';

async function typed(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).pressSequentially(text);
  await page.getByRole('listbox').waitFor();
}

/** States that only the reader can bring about: a view, and what is done in it. */
const scenes: Readonly<Record<string, readonly [view: string, play: (page: Page) => Promise<void>]>> = {
  'steps-opened': [
    'opened',
    async (page) => {
      for (const toggle of await page.locator('.step-toggle').all()) await toggle.click();
      await page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
    },
  ],
  'summary-opened': [
    'compacted',
    async (page) => {
      await page.getByRole('button', { name: /^compacted: / }).click();
    },
  ],
  'agent-opened': ['agents-done', openFirstCard],
  'agent-asks-opened': ['agents-ask', openFirstCard],
  'plan-opened': ['running', (page) => page.getByRole('button', { name: /^Plan/ }).click()],
  menu: ['running', (page) => page.getByRole('button', { name: 'More actions' }).click()],
  'resume-with': ['interrupted', (page) => page.getByRole('button', { name: 'Resume with…' }).click()],
  'allow-always': ['approve-always', (page) => page.getByRole('button', { name: 'Allow always…' }).click()],
  'allow-never': ['approve-never', (page) => page.getByRole('button', { name: 'Allow always…' }).click()],
  'deny-reason': ['approve-command', (page) => page.getByRole('button', { name: 'Give a reason…' }).click()],
  rename: ['running', (page) => page.getByRole('button', { name: /rename/ }).click()],
  'scrolled-up': [
    'long',
    async (page) => {
      await page.getByRole('log').hover();
      await page.mouse.wheel(0, -1500);
      await page.locator('.running-dock').waitFor();
      await page.evaluate(() =>
        window.galleryHost.change({
          kind: 'itemPut',
          item: { kind: 'assistant', id: 'new', at: 0, markdown: 'More.', streaming: false },
        }),
      );
    },
  ],
  'revert-plan': [
    'done',
    async (page) => {
      await page.locator('.item-user').first().hover();
      await page.evaluate((plan) => window.galleryHost.say({ type: 'revertPlan', sessionId: 's1', plan }), revertPlan);
      await page.getByRole('dialog').waitFor();
    },
  ],
  mention: ['attachments', (page) => typed(page, 'Look at @')],
  'mention-found': [
    'attachments',
    async (page) => {
      await typed(page, 'Look at @or');
      await page.getByRole('option').first().hover();
    },
  ],
  'mention-nothing': ['attachments', (page) => typed(page, 'Look at @nowhere')],
  slash: ['interrupted', (page) => typed(page, '/')],
  'slash-unknown': [
    'attachments',
    async (page) => {
      await typed(page, '/compress');
      await page.keyboard.press('Enter');
    },
  ],
  'slash-model': ['attachments', (page) => typed(page, '/model ')],
  'draft-images': [
    'attachments',
    async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).evaluate(pasteImages, 2);
      await page.locator('.draft-image').nth(1).waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('What is wrong in these charts?');
    },
  ],
  lost: [
    'running',
    async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Then write the report.');
      await page.evaluate(() => window.galleryHost.fallSilent());
      await page.getByText('Reconnecting').waitFor();
    },
  ],
  behind: [
    'running',
    async (page) => {
      await page.evaluate(() => {
        window.galleryHost.hold();
        window.galleryHost.say({ type: 'beat', revision: 99 });
      });
      await page.getByText('Catching up').waitFor();
    },
  ],
  refused: [
    'done',
    async (page) => {
      await page.evaluate(() =>
        window.galleryHost.say({
          type: 'sendRefused',
          text: 'Now write the report.\nKeep it short.',
          reason: 'No model is set. Set a key or use the offline demo.',
        }),
      );
    },
  ],
};

async function openFirstCard(page: Page): Promise<void> {
  await page.locator('.agent .step-toggle').first().click();
  await page.getByText('I look at the callers first.').waitFor();
  await page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
}

const listed = (index: number, all: readonly string[]): readonly string[] => {
  const argument = process.argv[index];
  return argument === undefined || argument === 'all' ? all : argument.split(',');
};
const wantedNames = listed(2, [...Object.keys(views), ...Object.keys(scenes)]);
const wantedThemes = listed(3, themeNames);
const widths = listed(4, ['300', '600']).map(Number);

const folder = join(outFolder, 'shots');
await mkdir(folder, { recursive: true });
const gallery = await startGallery();
const browser = await launchBrowser();
try {
  for (const width of widths) {
    for (const name of wantedNames) {
      for (const theme of wantedThemes) {
        const page = await browser.newPage({ viewport: { width, height: 720 } });
        page.on('console', (message) => console.log(`${name} [${message.type()}] ${message.text()}`));
        page.on('pageerror', (error) => console.log(`${name} [error] ${error.message}`));
        const [view, play] = scenes[name] ?? [name, undefined];
        await page.goto(`${gallery.url}panel?view=${view}&theme=${theme}`);
        await page.waitForFunction('document.fonts.ready.then(() => document.querySelector(".view > *") !== null)');
        await play?.(page);
        await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
  await gallery.close();
}
