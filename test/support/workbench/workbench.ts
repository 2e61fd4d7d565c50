// One window of the workbench in a browser, driven as a person would: the palette, the chat view, notifications, the
// panel's width, the theme. Knows nothing about what the extension does.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { calmTime, stretched } from '../../../scripts/calmTime.ts';
import { eventually } from '../session/eventually.ts';
import { launchBrowser } from './browser.ts';
import { extensionId, focusChatTitle } from './contributions.ts';
import type { VscodeServer } from './vscodeServer.ts';

// Two slow cores that others use too: nothing here is about speed.
const patienceMs = 60_000;

const themes = {
  light: { label: 'Light Modern', file: 'light_modern' },
  dark: { label: 'Dark Modern', file: 'dark_modern' },
  highContrast: { label: 'Dark High Contrast', file: 'hc_black' },
};

export interface Notice {
  readonly message: string;
  readonly buttons: readonly string[];
}

export interface WorkbenchOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
}

export class Workbench {
  #page: Page;
  readonly #browser: Browser;
  readonly #server: VscodeServer;
  readonly #console: string[] = [];

  private constructor(server: VscodeServer, browser: Browser, page: Page) {
    this.#server = server;
    this.#browser = browser;
    this.#page = this.#watched(page);
  }

  get page(): Page {
    return this.#page;
  }

  #watched(page: Page): Page {
    page.setDefaultTimeout(stretched(patienceMs));
    page.on('console', (message) => this.#console.push(`[${message.type()}] ${message.text()}`));
    page.on('pageerror', (error) => this.#console.push(`[page error] ${error.stack ?? error.message}`));
    // A page that asks whether to leave would otherwise stay: reloads are meant.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    return page;
  }

  /** Ends the page without a word to it, and shows the folder in a new one of the same browser profile. */
  async replacePage(folder: string): Promise<void> {
    const context = this.#page.context();
    await this.#page.close({ runBeforeUnload: false });
    this.#page = this.#watched(await context.newPage());
    await this.openFolder(folder);
  }

  /** Opens a folder in a window of its own and resolves when the workbench stands. */
  static async open(server: VscodeServer, folder: string, options: WorkbenchOptions = {}): Promise<Workbench> {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ viewport: options.viewport ?? { width: 1280, height: 800 } });
      const page = await context.newPage();
      const workbench = new Workbench(server, browser, page);
      await workbench.openFolder(folder);
      return workbench;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  /** Opens another folder in this window. */
  async openFolder(folder: string): Promise<void> {
    // As busy as the machine is now.
    this.page.setDefaultTimeout(stretched(patienceMs));
    await this.page.goto(this.#server.urlOf(folder), { timeout: stretched(patienceMs) });
    await this.#ready();
  }

  /** Runs "Developer: Reload Window" and resolves when the new workbench stands. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: stretched(patienceMs) });
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.#ready();
  }

  /** What the page wrote to its console: the workbench's own log and that of the webviews. */
  get console(): readonly string[] {
    return this.#console;
  }

  /** Runs a command from the palette by its whole title, category included; waits until the palette knows it. */
  async runCommand(title: string): Promise<void> {
    const deadline = calmTime() + patienceMs;
    // Grows: a window that has just loaded is asked again soon, one on a busy machine is given its time.
    for (let timeout = 1500; ; timeout = Math.min(2 * timeout, 5000)) {
      try {
        await this.page.keyboard.press('F1');
        await this.#quickInput.fill(`>${title}`, { timeout: 2 * timeout });
        await this.#quickEntry(title).click({ timeout });
        return;
      } catch (error) {
        // Its list is made when the palette opens, so a command that is registered later needs a new one; and a view
        // that takes the focus while it loads closes the palette.
        if (calmTime() > deadline) throw new Error(`the palette has no "${title}"`, { cause: error });
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Chooses an entry of the open quick pick by its label. */
  async pick(label: string | RegExp): Promise<void> {
    await this.#quickEntry(label).click();
  }

  /** Presses a button beside an entry of the open quick pick. */
  async pressEntryButton(label: string | RegExp, button: string): Promise<void> {
    const entry = this.#quickEntry(label);
    await entry.hover();
    await entry.getByRole('button', { name: button }).click();
  }

  /** The labels that the open quick pick shows. */
  async quickPickLabels(): Promise<string[]> {
    // An entry's second line, its detail, is made of the same parts.
    const labels = this.page.locator('.quick-input-widget .quick-input-list-row:first-child .label-name');
    await labels.first().waitFor();
    return await labels.allTextContents();
  }

  /** Fills the open input box and accepts it. */
  async answerInput(text: string): Promise<void> {
    // The palette that the command came from may still be closing.
    await eventually(async () => !(await this.#quickInput.inputValue()).startsWith('>'));
    await this.#quickInput.fill(text);
    await this.#quickInput.press('Enter');
  }

  /** Opens a file of the workspace in an editor, by its name. */
  async openFile(name: string): Promise<void> {
    await this.runCommand('Go to File...');
    await eventually(async () => !(await this.#quickInput.inputValue()).startsWith('>'));
    await this.#quickInput.fill(name);
    // Found by a search that takes its time: Enter before its end opens nothing.
    await this.pick(name);
  }

  /**
   * Answers the file dialog that is open.
   * @param proposal what the dialog offers: it would take the place of a path that comes earlier
   */
  async answerFileDialog(file: string, proposal: RegExp): Promise<void> {
    await this.page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
    await eventually(async () => proposal.test(await this.#quickInput.inputValue()));
    await this.answerInput(file);
  }

  /** The innermost frame of the chat view, which is shown for it. A new one after every reload or move. */
  async chatFrame(): Promise<Frame> {
    await this.runCommand(focusChatTitle());
    const inner = await (await this.#chatOuterFrame()).waitForSelector('#active-frame', { state: 'attached' });
    const frame = await inner.contentFrame();
    if (frame === null) throw new Error('the chat view has no frame');
    await frame.waitForLoadState('domcontentloaded');
    return frame;
  }

  /** The toasts that are on the screen now. */
  async notifications(): Promise<Notice[]> {
    return await Promise.all(
      (await this.#toasts.all()).map(async (toast) => ({
        message: (await toast.locator('.notification-list-item-message').textContent()) ?? '',
        buttons: await toast.locator('.notification-list-item-buttons-container .monaco-button').allTextContents(),
      })),
    );
  }

  /** Waits for a toast with this text in it. */
  async notification(text: string | RegExp): Promise<Locator> {
    const toast = this.#toasts.filter({ hasText: text }).first();
    await toast.waitFor();
    return toast;
  }

  /** Waits for a toast and presses one of its buttons. */
  async pressNotificationButton(text: string | RegExp, button: string): Promise<void> {
    const toast = await this.notification(text);
    await toast.locator('.monaco-button').filter({ hasText: button }).click();
  }

  /** Presses a button of a notification that may have gone to the notification centre meanwhile. */
  async pressOldNotificationButton(text: string | RegExp, button: string): Promise<void> {
    await this.runCommand('Notifications: Show Notifications');
    const item = this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text }).first();
    await item.locator('.monaco-button').filter({ hasText: button }).click();
  }

  /** Waits for a modal dialog (a question of trust, a confirmation) and presses one of its buttons. */
  async pressDialogButton(button: string | RegExp): Promise<void> {
    await this.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: button }).first().click();
  }

  /** Drags the edge of the side bar that shows the chat view, until the view is that wide (in CSS pixels). */
  async setPanelWidth(width: number): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const view = await this.#chatBox();
      if (Math.abs(view.width - width) <= 1) return;
      const isLeft = view.x + view.width / 2 < (this.page.viewportSize()?.width ?? 0) / 2;
      const edge = isLeft ? view.x + view.width : view.x;
      const target = isLeft ? edge + (width - view.width) : edge - (width - view.width);
      const sash = await this.#sashAt(edge);
      const middle = view.y + view.height / 2;
      await this.page.mouse.move(sash, middle);
      await this.page.mouse.down();
      await this.page.mouse.move(sash + (target - edge), middle, { steps: 5 });
      await this.page.mouse.up();
    }
    throw new Error(`the panel is ${String((await this.#chatBox()).width)} px wide, not ${width}`);
  }

  /** Changes the colour theme and resolves when it is drawn. */
  async setTheme(theme: keyof typeof themes): Promise<void> {
    const { label, file } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.#quickInput.fill(label);
    await this.pick(label);
    await this.page.locator(`.monaco-workbench.vscode-theme-defaults-themes-${file}-json`).waitFor();
  }

  /** Writes a picture of the window, or of the chat view alone. */
  async screenshot(file: string, of: 'window' | 'chat' = 'window'): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    if (of === 'window') await this.page.screenshot({ path: file });
    else await this.page.screenshot({ path: file, clip: await this.#chatBox() });
  }

  get #quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible input.input');
  }

  #quickEntry(label: string | RegExp): Locator {
    const name = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.page.locator('.quick-input-widget .monaco-list-row').filter({ has: name }).first();
  }

  get #toasts(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  async #ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
    await this.#server.extensionHost();
  }

  async #chatOuterFrame(): Promise<Frame> {
    // The extension has no other one, and one that was hidden comes back without its purpose in its address.
    const selector = `iframe.webview[src*="extensionId=${extensionId}"]`;
    const element = await this.page.waitForSelector(selector);
    const frame = await element.contentFrame();
    if (frame === null) throw new Error('the chat view is not in the page any more');
    return frame;
  }

  async #chatBox() {
    const element = await (await this.#chatOuterFrame()).frameElement();
    const box = await element.boundingBox();
    if (box === null) throw new Error('the chat view is hidden');
    return box;
  }

  /** The middle of the vertical sash that is nearest to an edge, horizontally. */
  async #sashAt(edge: number): Promise<number> {
    const boxes = await Promise.all(
      (await this.page.locator('.monaco-sash.vertical:not(.disabled):visible').all()).map((each) => each.boundingBox()),
    );
    const middles = boxes.flatMap((box) => (box !== null && box.height > 200 ? [box.x + box.width / 2] : []));
    const nearest = middles.sort((a, b) => Math.abs(a - edge) - Math.abs(b - edge))[0];
    if (nearest === undefined) throw new Error('there is no edge to drag');
    return nearest;
  }
}
