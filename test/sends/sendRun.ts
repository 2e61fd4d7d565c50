// One message after the other, each typed and sent by a key in the real workbench, with something killed within a second
// of the key press: it must be in the input or in the trace afterwards, and reach the model once.
import type { Locator } from 'playwright-core';
import { setTimeout as pause } from 'node:timers/promises';
import process from 'node:process';
import { text } from '../support/messagesServer/reply.ts';
import { Editor, type EditorWindow } from '../support/session/editor.ts';
import { eventually } from '../support/session/eventually.ts';
import { extensionId } from '../support/workbench/contributions.ts';
import { keepBusy } from './busyMachine.ts';
import { recordedAs } from './traces.ts';

/** `host`: the extension host; `reload`: the page loads again; `page`: it is closed without a word and opened anew; `server`: the whole editor server with all its hosts. */
export const killKinds = ['host', 'reload', 'page', 'server'] as const;
export type KillKind = (typeof killKinds)[number];
/** Where the message goes: it makes its session, begins a run in one, or waits for the next turn of a run. */
export const places = ['new', 'idle', 'running'] as const;
export type Place = (typeof places)[number];

export interface SendCase {
  readonly kind: KillKind;
  readonly place: Place;
  /** Between the key press and the kill, in milliseconds. */
  readonly delayMs: number;
  readonly isBusy: boolean;
}

export type Outcome = 'recorded' | 'given back' | 'lost' | 'doubled';

export interface SendResult extends SendCase {
  readonly number: number;
  readonly outcome: Outcome;
  /** It stood in the input and in the trace when everything had come to rest. */
  readonly wasBoth: boolean;
  readonly detail: string;
}

const patienceMs = 60_000;
/** How long a window has to show the chat of its own accord. */
const ownPatienceMs = 15_000;
const busyProcesses = 3;

export class SendRun {
  readonly #editor: Editor;
  readonly #folder: string;
  #window: EditorWindow;
  #number = 0;
  #held: (() => void) | undefined;

  private constructor(editor: Editor, folder: string, window: EditorWindow) {
    this.#editor = editor;
    this.#folder = folder;
    this.#window = window;
  }

  static async start(): Promise<SendRun> {
    const editor = await Editor.start({ settings: { 'ratchet.autoResume': 'never' } });
    try {
      const folder = await editor.newFolder();
      return new SendRun(editor, folder, await editor.openWindow(folder));
    } catch (error) {
      await editor.dispose();
      throw error;
    }
  }

  async dispose(): Promise<void> {
    this.#held?.();
    await this.#editor.dispose();
  }

  get editor(): Editor {
    return this.#editor;
  }

  async try(one: SendCase): Promise<SendResult> {
    const number = ++this.#number;
    const words = `Note ${number}x${Math.floor(one.delayMs)}.`;
    await this.#goTo(one.place);
    const { chat } = this.#window;
    const view = await this.#viewAddress();
    const stopBusy = one.isBusy ? keepBusy(busyProcesses) : undefined;
    try {
      await chat.message.fill(words);
      await chat.message.focus();
      const pressed = chat.page.keyboard.press('Enter').catch(() => undefined);
      await pause(one.delayMs);
      await this.#kill(one.kind);
      await pressed;
    } finally {
      stopBusy?.();
    }
    await this.#comeBack(one.kind, view);
    this.#held?.();
    this.#held = undefined;
    return { number, ...one, ...(await this.#judge(words)) };
  }

  async #judge(words: string): Promise<Pick<SendResult, 'outcome' | 'wasBoth' | 'detail'>> {
    const { chat } = this.#window;
    const look = async (): Promise<{ readonly inTrace: boolean; readonly inInput: boolean }> => {
      const { ids } = await recordedAs(this.#editor.server.userDataFolder, words);
      const isOnItsWay = (await chat.frame.getByRole('list', { name: 'Being sent' }).getByText(words).count()) > 0;
      const typed = await chat.message.inputValue({ timeout: 2_000 }).catch(() => '');
      return { inTrace: ids.size > 0 && !isOnItsWay, inInput: typed.includes(words) };
    };
    let found = await look();
    for (let waited = 0; waited < patienceMs && !found.inTrace && !found.inInput; waited += 200) {
      await pause(200);
      found = await look();
    }
    const { inInput } = found;
    if (!found.inTrace && !inInput) return { outcome: 'lost', wasBoth: false, detail: words };
    if (found.inTrace && inInput) {
      // What was recorded late leaves the input by itself.
      for (let waited = 0; waited < 5_000 && found.inInput; waited += 200) {
        await pause(200);
        found = await look();
      }
    }
    const wasBoth = found.inTrace && found.inInput;
    if (found.inInput) {
      await chat.message.press('Enter');
      for (let waited = 0; waited < patienceMs && !(await look()).inTrace; waited += 100) await pause(100);
    }
    return { wasBoth, ...(await this.#count(words, inInput ? 'given back' : 'recorded')) };
  }

  /** Recorded once, shown, and sent once at most in each request. */
  async #count(words: string, outcome: Outcome): Promise<Pick<SendResult, 'outcome' | 'detail'>> {
    const { ids, added } = await recordedAs(this.#editor.server.userDataFolder, words);
    if (ids.size === 0) return { outcome: 'lost', detail: `${words} was sent again and is not in a trace` };
    if (ids.size > 1 || added > 1) return { outcome: 'doubled', detail: `${words} is ${added} times in the traces` };
    const most = Math.max(0, ...this.#editor.requests.map(({ raw }) => raw.split(words).length - 1));
    if (most > 1) return { outcome: 'doubled', detail: `${words} was sent ${most} times in one request` };
    return { outcome, detail: '' };
  }

  async #goTo(place: Place): Promise<void> {
    const { chat } = this.#window;
    const back = chat.button('Sessions');
    // One that was cut is left: each case begins in a session of its own, or where the one before ended well.
    const canStay = place === 'idle' && (await chat.header.getByText('done', { exact: true }).count()) > 0;
    this.#editor.script(() => text('Noted.'));
    if (canStay) return;
    if ((await back.count()) > 0) await back.click();
    await chat.frame.getByPlaceholder('Describe a task').waitFor();
    if (place === 'new') return;
    if (place === 'running') {
      const held = Promise.withResolvers<undefined>();
      this.#held = () => held.resolve(undefined);
      let isFirst = true;
      this.#editor.script(async () => {
        if (!isFirst) return text('Noted.');
        isFirst = false;
        await held.promise;
        return text('Waited.');
      });
    }
    await chat.send(`Begin ${this.#number}.`);
    await chat.waitForState(place === 'running' ? 'running' : 'done');
  }

  async #kill(kind: KillKind): Promise<void> {
    const { server } = this.#editor;
    switch (kind) {
      case 'host': {
        const hosts = await server.extensionHosts();
        for (const pid of hosts) process.kill(pid, 'SIGKILL');
        return;
      }
      case 'reload':
        await this.#window.workbench.page.reload({ waitUntil: 'commit' });
        return;
      case 'page':
        await this.#window.workbench.replacePage(this.#folder);
        return;
      case 'server': {
        const hosts = await server.extensionHosts();
        for (const pid of hosts) process.kill(pid, 'SIGKILL');
        await server.stop('SIGKILL');
        return;
      }
    }
  }

  /** Another one for each time that the view is made. */
  async #viewAddress(): Promise<string> {
    const views = this.#window.workbench.page.locator(`iframe.webview[src*="extensionId=${extensionId}"]`);
    const addressOf = (view: Locator): Promise<string | null> =>
      // It may go away between the two looks.
      view.getAttribute('src', { timeout: 1_000 }).catch(() => null);
    return (await Promise.all((await views.all()).map(addressOf))).join(' ');
  }

  async #comeBack(kind: KillKind, before: string): Promise<void> {
    const { workbench, chat } = this.#window;
    if (kind === 'server') {
      await this.#editor.startAgain();
      await workbench.page.reload({ waitUntil: 'commit' });
    }
    // The host that takes the place of the killed one makes the view anew; until then nobody hears what is said in it.
    if (kind === 'host') {
      await eventually(async () => {
        const now = await this.#viewAddress();
        return now !== '' && now !== before;
      });
    }
    // The view is there again by itself, nearly always.
    await chat.message.waitFor({ timeout: ownPatienceMs }).catch(() => chat.show());
    await chat.message.waitFor();
  }
}
