// The page that a test of the panel drives: a gallery and a browser for its suite, a new page for each test, and what
// nearly all of them do in it. Knows no view and no rule of the panel but that it must not fail in silence.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Change, HostMessage, PanelMessage } from '../../src/protocol/messages.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { startGallery, type Gallery } from './build.ts';
import { lateFrames } from './lateFrames.ts';
import type { ViewName } from './views.ts';

export interface GalleryPage {
  /** Where the gallery is served; ends with a slash. */
  readonly url: () => string;
  /** Shows a view in the dark theme and waits until something of it is drawn. */
  readonly open: (view: ViewName) => Promise<void>;
  /**
   * What the panel sent to the host since the page was loaded, oldest first: without what it keeps in between, and without
   * the ids that it gives to what it sends.
   */
  readonly sent: () => Promise<readonly PanelMessage[]>;
  readonly lastSent: () => Promise<PanelMessage | undefined>;
  /** Says something to the panel, as the host does. */
  readonly say: (message: HostMessage) => Promise<void>;
  /** Says changes under the next number. */
  readonly change: (...changes: readonly Change[]) => Promise<void>;
  /** By its whole name. */
  readonly button: (name: string) => Locator;
  /** The input. */
  readonly message: () => Locator;
  /** Name of what has the focus: its label, else its text, else nothing. */
  readonly focusedName: () => Promise<string>;
  /** Waits until nothing that these selectors find has more in it than it is wide; fails with the classes of what has. */
  readonly fits: (selectors: string, view: ViewName) => Promise<void>;
}

/** Said at any time, about drafts. */
const betweenOthers: ReadonlySet<string> = new Set(['keepDraft', 'sendOutcomesWanted']);

function withoutIds(message: PanelMessage): PanelMessage {
  if (message.type === 'slash') {
    const { id: _id, ...rest } = message;
    return rest;
  }
  if (message.type !== 'send') return message;
  const { id: _id, sessionId: _sessionId, isNew: _isNew, at: _at, ...rest } = message;
  return rest;
}

/** Longer than from one key of a test to the next. */
const lateByMs = 300;

/**
 * Called inside a `describe`: its tests have a page each, and fail when the page wrote an error to its console
 * (violations of the content security policy come there too) or the panel reported one. They are skipped where there
 * is no browser.
 * @param take is given each test's page
 * @param options.height of the page in CSS pixels, 600 by default; it is as wide as the narrowest panel
 * @param options.isBusy what is put off until after a frame comes late, as on a machine that has much else to do: for
 *   suites of keys, of which one may come before any of it
 */
export function useGalleryPage(
  take: (page: Page) => void,
  options: { readonly height?: number; readonly isBusy?: boolean } = {},
): GalleryPage {
  const { height = 600, isBusy = false } = options;
  let gallery: Gallery;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];

  before(async function () {
    if (!existsSync(chromiumPath)) this.skip();
    gallery = await startGallery();
    browser = await launchBrowser();
    // One for all: a page of its own has a session storage of its own, and what was fetched once is at hand.
    context = await browser.newContext({ viewport: { width: 300, height } });
  });
  after(async () => {
    if (!existsSync(chromiumPath)) return;
    await browser.close();
    await gallery.close();
  });
  beforeEach(async () => {
    page = await context.newPage();
    if (isBusy) await page.addInitScript(lateFrames, lateByMs);
    take(page);
    problems = [];
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(line.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
  });
  afterEach(async () => {
    try {
      assert.deepEqual(problems, []);
      assert.deepEqual(
        (await sent()).filter(({ type }) => type === 'panelError'),
        [],
      );
    } finally {
      await page.close();
    }
  });

  const sent = async (): Promise<readonly PanelMessage[]> => {
    const all = await page.evaluate(() => window.galleryHost.sent);
    return all.filter(({ type }) => !betweenOthers.has(type)).map(withoutIds);
  };
  return {
    url: () => gallery.url,
    open: async (view) => {
      await page.goto(`${gallery.url}panel?view=${view}&theme=dark`);
      await page.locator('.view > *').first().waitFor();
    },
    sent,
    lastSent: async () => (await sent()).at(-1),
    say: (message) => page.evaluate((each) => window.galleryHost.say(each), message),
    change: (...changes) => page.evaluate((list) => window.galleryHost.change(...list), changes),
    button: (name) => page.getByRole('button', { name, exact: true }),
    message: () => page.getByRole('textbox', { name: 'Message' }),
    focusedName: () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      }),
    fits: async (selectors, view) => {
      const tooWide = (): Promise<readonly (string | null)[]> =>
        page.evaluate(
          (found) =>
            [...document.querySelectorAll(found)]
              .filter((el) => el.scrollWidth > el.clientWidth)
              .map((el) => el.getAttribute('class')),
          selectors,
        );
      // A scrollbar that comes up narrows what is beside it a moment later.
      for (let looks = 0; looks < 50 && (await tooWide()).length > 0; looks++) await page.waitForTimeout(100);
      assert.deepEqual(await tooWide(), [], view);
    },
  };
}
