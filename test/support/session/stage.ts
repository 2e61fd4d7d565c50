// One editor server and one window that many end-to-end tests share, since they cost seconds to start: each test gets a
// new folder, a strict Messages API server of its own and the settings it asks for, and leaves nothing running.
import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startMessagesServer, type MessagesServer, type Script } from '../messagesServer/startMessagesServer.ts';
import type { Evidence } from '../workbench/failureEvidence.ts';
import { leanSettings, type Settings } from '../workbench/userSettings.ts';
import { VscodeServer } from '../workbench/vscodeServer.ts';
import { Workbench } from '../workbench/workbench.ts';
import { Chat } from './chat.ts';

export interface SceneOptions {
  readonly script?: Script;
  /** The key that the server takes; the editor has {@link editorKey}. */
  readonly apiKey?: string;
  readonly settings?: Settings;
  /** Instead of the server's address. */
  readonly baseUrl?: string;
  /** Prepares the new folder before it is opened. */
  readonly fill?: (folder: string) => Promise<void>;
  /** What to open instead of the folder: a workspace file in it, or no folder at all. */
  readonly open?: 'folder' | 'nothing' | { readonly workspace: string };
}

/** What one test works with. */
export interface Scene {
  readonly folder: string;
  readonly api: MessagesServer;
  readonly chat: Chat;
  readonly workbench: Workbench;
  readonly server: VscodeServer;
}

export const editorKey = 'test-key';

const usualSettings: Settings = {
  ...leanSettings,
  'ratchet.provider': 'auto',
  'ratchet.approvalMode': 'allowAll',
  'ratchet.run.timeoutMinutes': 480,
  'ratchet.run.retryMinutes': 10,
  'ratchet.stream.idleTimeoutSeconds': 120,
  'ratchet.autoResume': 'ask',
};

export class Stage {
  #server: VscodeServer | undefined;
  #workbench: Workbench | undefined;
  #scene: { readonly folder: string; readonly api: MessagesServer } | undefined;

  /** For `keepFailureEvidence`. */
  readonly evidence = (): Evidence => ({ server: this.#server, workbench: this.#workbench });

  /** Ends the scene before this one, opens a new folder and shows the chat. */
  async begin(options: SceneOptions = {}): Promise<Scene> {
    await this.#endScene();
    this.#server ??= await VscodeServer.start({ env: { ANTHROPIC_API_KEY: editorKey } });
    const folder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-folder-'));
    const api = await startMessagesServer({
      ...(options.script && { script: options.script }),
      ...(options.apiKey !== undefined && { apiKey: options.apiKey }),
    });
    this.#scene = { folder, api };
    await options.fill?.(folder);
    await this.changeSettings({ ...usualSettings, ...options.settings }, options.baseUrl ?? api.url);
    this.#workbench = await this.#openWindow(this.#server, this.#workbench, folder, options.open ?? 'folder');
    const chat = new Chat(this.#workbench);
    await chat.show();
    return { folder, api, chat, workbench: this.#workbench, server: this.#server };
  }

  /** Settings that hold from the next load of the window on. `baseUrl` goes where an editor server keeps its own. */
  async changeSettings(settings: Settings, baseUrl?: string): Promise<void> {
    assert.ok(this.#server !== undefined);
    await this.#server.changeSettings(settings);
    if (baseUrl !== undefined) await writeMachineSettings(this.#server, { 'ratchet.anthropic.baseUrl': baseUrl });
  }

  async dispose(): Promise<void> {
    await this.#workbench?.close();
    await this.#endScene();
    await this.#server?.dispose();
    this.#workbench = undefined;
    this.#server = undefined;
  }

  async #openWindow(
    server: VscodeServer,
    open: Workbench | undefined,
    folder: string,
    what: NonNullable<SceneOptions['open']>,
  ): Promise<Workbench> {
    const workbench = open ?? (await Workbench.open(server, folder));
    if (what !== 'folder') {
      const query =
        what === 'nothing' ? 'ew=true' : `workspace=${encodeURIComponent(path.join(folder, what.workspace))}`;
      await workbench.page.goto(`http://127.0.0.1:${server.port}/?${query}`);
    } else if (open !== undefined) {
      await workbench.openFolder(folder);
    }
    return workbench;
  }

  async #endScene(): Promise<void> {
    const scene = this.#scene;
    this.#scene = undefined;
    if (scene === undefined) return;
    await scene.api.close();
    await rm(scene.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Settings of machine scope: a user's own file is not asked for those where the extensions run on a server. */
async function writeMachineSettings(server: VscodeServer, settings: Settings): Promise<void> {
  const file = path.join(server.userDataFolder, 'Machine', 'settings.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(settings));
}

/** Fails when anything that was sent was not a valid request, or a script of the server threw. */
export function assertAccepted(api: MessagesServer): void {
  assert.deepEqual(
    api.refused.map(({ error }) => error),
    [],
  );
  assert.deepEqual(api.scriptErrors, []);
}
