// The chat panel as a person or a screen reader finds it: by role and name only. What is found stays right when the
// view's frames are replaced by a reload or a new extension host. Knows nothing about what the extension does.
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { stretched } from '../../../scripts/calmTime.ts';
import { extensionId, focusChatTitle } from '../workbench/contributions.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { eventually } from './eventually.ts';

const showPatienceMs = 20_000;

export class Chat {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Brings the view to the front; to be called after each load of the window. */
  async show(): Promise<void> {
    const drawn = this.frame.locator('#root > *').first();
    for (let attempt = 1; ; attempt++) {
      await this.#workbench.runCommand(focusChatTitle());
      try {
        await drawn.waitFor({ timeout: stretched(showPatienceMs) });
        return;
      } catch (error) {
        // A window that still arranges itself may hide again what was shown.
        if (attempt === 3) throw error;
      }
    }
  }

  get page(): Page {
    return this.#workbench.page;
  }

  get frame(): FrameLocator {
    return this.page.frameLocator(`iframe.webview[src*="extensionId=${extensionId}"]`).frameLocator('#active-frame');
  }

  get message(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  get transcript(): Locator {
    return this.frame.getByRole('log', { name: 'Transcript' });
  }

  /** The amber one: what was cut, and the button that goes on. */
  get banner(): Locator {
    return this.frame.getByRole('alert');
  }

  /** Title, state, folder and model of the open session. */
  get header(): Locator {
    return this.frame.getByRole('banner');
  }

  get approvalMode(): Locator {
    return this.frame.getByRole('combobox', { name: 'Approval mode' });
  }

  /** The thin lines "resumed · 2 steps kept" and "retried · …", one for each resume. */
  get resumeLines(): Locator {
    // By text: what is scrolled out of sight has no role for the browser.
    return this.transcript.getByText(/^(resumed|retried) · /);
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.button('Send').click();
  }

  /** Waits until a command that counts has been seen at this number or beyond: only its last lines stay on screen. */
  async showsProgress(count: number): Promise<void> {
    await eventually(async () => {
      const shown = (await this.transcript.textContent()) ?? '';
      return [...shown.matchAll(/progress (\d+)/g)].some(([, number]) => Number(number) >= count);
    });
  }

  /** Waits until the header says this word for the session's state. */
  async waitForState(word: string): Promise<void> {
    await this.header.getByText(word, { exact: true }).waitFor();
  }

  async waitForApprovalMode(mode: string): Promise<void> {
    await eventually(async () => (await this.approvalMode.inputValue()) === mode);
  }

  /** Waits until exactly this stands in the message field. */
  async waitForDraft(text: string): Promise<void> {
    await eventually(async () => (await this.message.inputValue()) === text);
  }
}
