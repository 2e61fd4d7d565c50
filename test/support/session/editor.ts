// An editor that a test may kill and start again: a server with several windows, each in a browser of its own, one
// strict Messages API server behind all of them, and folders that outlive everything but the test.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { freePort, isAlive } from '../../../scripts/processes.ts';
import { startMessagesServer, type MessagesServer, type Script } from '../messagesServer/startMessagesServer.ts';
import type { RecordedRequest } from '../messagesServer/requestLog.ts';
import type { Evidence } from '../workbench/failureEvidence.ts';
import { leanSettings, type Settings } from '../workbench/userSettings.ts';
import { VscodeServer } from '../workbench/vscodeServer.ts';
import { Workbench } from '../workbench/workbench.ts';
import { Chat } from './chat.ts';
import { eventually } from './eventually.ts';

const hostLaunched = /<(\d+)> Launched Extension Host Process/;

export interface EditorOptions {
  readonly settings?: Settings;
  /** For the extension hosts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Without an address and a key of a Messages API server. */
  readonly unconnected?: true;
}

export interface EditorWindow {
  readonly workbench: Workbench;
  readonly chat: Chat;
  /** Process id of its first extension host. */
  readonly hostPid: number;
}

/** What a window shows: a folder, or a workspace file. */
export type Opened = string | { readonly workspace: string };

export class Editor {
  readonly api: MessagesServer;
  readonly home: string;
  readonly #options: EditorOptions;
  readonly #servers: VscodeServer[] = [];
  readonly #windows: EditorWindow[] = [];
  readonly #folders: string[] = [];
  #from = 0;

  private constructor(api: MessagesServer, home: string, options: EditorOptions) {
    this.api = api;
    this.home = home;
    this.#options = options;
  }

  /** An editor without windows, with nothing to be asked and every folder trusted. */
  static async start(options: EditorOptions = {}): Promise<Editor> {
    const home = await mkdtemp(path.join(os.tmpdir(), 'ratchet-vscode-'));
    const editor = new Editor(await startMessagesServer(), home, options);
    try {
      await editor.#startServer(await freePort());
      return editor;
    } catch (error) {
      await editor.dispose();
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await this.closeWindows();
    for (const server of this.#servers) await server.dispose();
    await this.api.close();
    for (const each of [this.home, ...this.#folders]) await rm(each, { recursive: true, force: true, maxRetries: 5 });
  }

  /** For `keepFailureEvidence`. */
  readonly evidence = (): Evidence => ({ server: this.#servers.at(-1), workbench: this.#windows.at(-1)?.workbench });

  get server(): VscodeServer {
    const server = this.#servers.at(-1);
    assert.ok(server !== undefined, 'the editor was not started');
    return server;
  }

  /** What the next scene's requests are answered with; {@link requests} begins anew. */
  script(script: Script): void {
    this.api.script = script;
    this.#from = this.api.messageRequests.length;
  }

  /** What was sent since {@link script}, oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.api.messageRequests.slice(this.#from);
  }

  /** An empty folder with nothing around it, removed in the end. */
  async newFolder(name = 'folder'): Promise<string> {
    const around = await realpath(await mkdtemp(path.join(os.tmpdir(), 'ratchet-around-')));
    this.#folders.push(around);
    const folder = path.join(around, name);
    await mkdir(folder);
    return folder;
  }

  /** Opens a folder in one more window, in a browser of its own, and shows the chat. */
  async openWindow(what: string): Promise<EditorWindow> {
    const from = this.server.output.end;
    const workbench = await Workbench.open(this.server, what);
    await this.server.output.waitFor(hostLaunched, from);
    const chat = new Chat(workbench);
    await chat.show();
    const hostPid = Number(this.server.output.matches(hostLaunched, from).at(-1)?.[1]);
    const window = { workbench, chat, hostPid };
    this.#windows.push(window);
    return window;
  }

  /** Shows something else in a window that is open. */
  async reopen({ workbench, chat }: EditorWindow, what: Opened): Promise<void> {
    await workbench.page.goto(this.#addressOf(what));
    await chat.show();
    const noFolder = chat.frame.getByText(/^Ratchet works in a folder/);
    for (;;) {
      await noFolder.or(chat.message).first().waitFor();
      if ((await noFolder.count()) === 0) return;
      // The editor takes a workspace file for empty when it looks before the connection to its server stands.
      await workbench.page.reload();
      await chat.show();
    }
  }

  /** Leaves the editor as a browser tab does that goes elsewhere; {@link reopen} comes back. */
  async leave({ workbench }: EditorWindow): Promise<void> {
    await workbench.page.goto('about:blank');
  }

  /** Loads a window again; it has another extension host then. */
  async reload(window: EditorWindow): Promise<EditorWindow> {
    const from = this.server.output.end;
    await window.workbench.page.reload();
    const hostPid = Number((await this.server.output.waitFor(hostLaunched, from))[1]);
    await window.chat.show();
    const loaded = { ...window, hostPid };
    this.#windows.splice(this.#windows.indexOf(window), 1, loaded);
    return loaded;
  }

  /** Closes a window's browser. Its extension host goes on for a while: the editor hopes that the page comes back. */
  async closeWindow(window: EditorWindow): Promise<void> {
    this.#windows.splice(this.#windows.indexOf(window), 1);
    await window.workbench.close();
  }

  async closeWindows(): Promise<void> {
    for (const window of [...this.#windows]) await this.closeWindow(window);
  }

  /** Kills the extension hosts, then the whole server, then the browsers. Resolves when nothing of it lives. */
  async killAll(): Promise<void> {
    const { server } = this;
    const hosts = await server.extensionHosts();
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    await server.stop('SIGKILL');
    await this.closeWindows();
    await eventually(async () => (await server.extensionHosts()).length === 0);
  }

  /** Starts the server again with the same user data: on the same port, or on another one. */
  async startAgain(port = this.server.port): Promise<void> {
    if (port === this.server.port) await this.server.start();
    else await this.#startServer(port);
  }

  /** Settings that hold from the next load of a window on. */
  async changeSettings(settings: Settings): Promise<void> {
    await this.server.changeSettings(settings);
  }

  async #startServer(port: number): Promise<void> {
    const server = await VscodeServer.start({
      ...{ port, home: this.home },
      env: { ...(!this.#options.unconnected && { ANTHROPIC_API_KEY: this.api.apiKey }), ...this.#options.env },
      settings: { ...leanSettings, 'ratchet.approvalMode': 'allowAll', ...this.#options.settings },
    });
    this.#servers.push(server);
    if (this.#options.unconnected) return;
    // Of machine scope: a user's own file is not asked for it where the extensions run on a server.
    const file = path.join(server.userDataFolder, 'Machine', 'settings.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ 'ratchet.anthropic.baseUrl': this.api.url }));
  }

  #addressOf(what: Opened): string {
    if (typeof what === 'string') return this.server.urlOf(what);
    return `http://127.0.0.1:${this.server.port}/?workspace=${encodeURIComponent(what.workspace)}`;
  }
}

/** Whether none of these processes lives any more. */
export async function areGone(pids: readonly number[]): Promise<boolean> {
  return !(await Promise.all(pids.map(isAlive))).includes(true);
}
