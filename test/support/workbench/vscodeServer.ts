// A browser VS Code with the packaged extension installed: its folders, its port, its extension hosts, its end.
// Knows nothing of what a page shows: see workbench.ts.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ensureBrowserVscode } from '../../../scripts/browserVscode.ts';
import { vsixFile } from '../../../scripts/paths.ts';
import { freePort, isAlive, runCommand } from '../../../scripts/processes.ts';
import { linkLeanExtensions } from './leanExtensions.ts';
import { ServerProcess } from './serverProcess.ts';
import { quietSettings, writeUserSettings, type Settings } from './userSettings.ts';

const launched = /<(\d+)> Launched Extension Host Process/;

export interface ServerOptions {
  /** A free one when left out. It is part of what names a workspace's storage: the same one for a whole test. */
  readonly port?: number;
  /** Holds user data, extensions and logs. A temporary one, removed in the end, when left out. */
  readonly home?: string;
  readonly settings?: Settings;
  /** `off`: every folder is trusted; `untrusted`: restricted mode without a question; `ask`: the editor's dialog. */
  readonly trust?: 'off' | 'untrusted' | 'ask';
  /** The editor's own extensions: all of them, as a user has them, or `lean` (the default): what a window needs. */
  readonly builtIn?: 'all' | 'lean';
  /** For the extension host and all that it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** The package to install; out/ratchet.vsix when left out. */
  readonly vsix?: string;
}

export class VscodeServer {
  readonly port: number;
  readonly home: string;
  readonly #options: ServerOptions;
  readonly #process = new ServerProcess();

  private constructor(options: ServerOptions, port: number, home: string) {
    this.#options = options;
    this.port = port;
    this.home = home;
  }

  /** Installs what is missing, writes the settings, installs the extension and starts the server. */
  static async start(options: ServerOptions = {}): Promise<VscodeServer> {
    const home = options.home ?? (await mkdtemp(path.join(os.tmpdir(), 'ratchet-vscode-')));
    const server = new VscodeServer(options, options.port ?? (await freePort()), home);
    try {
      await server.#prepare(options.vsix ?? vsixFile);
      await server.start();
      return server;
    } catch (error) {
      await server.dispose();
      throw error;
    }
  }

  /** Starts it again after {@link stop}, with the same folders and port. Resolves when it listens. */
  async start(): Promise<void> {
    const { entry } = await ensureBrowserVscode();
    const from = this.output.end;
    const trust = this.#options.trust ?? 'off';
    const args = [
      entry,
      ...this.#folders(),
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${this.port}`],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trust === 'off' ? ['--disable-workspace-trust'] : []),
      ...(this.#isLean ? ['--vscode-option', `builtin-extensions-dir=${this.#leanFolder}`] : []),
    ];
    this.#process.start(args, this.#options.env);
    await this.output.waitFor(/HTTP server listening on/, from);
  }

  /** Ends the server and its extension hosts; jobs that the extension started detached go on. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.#process.stop(signal);
  }

  /** Ends everything that was ever started from here and removes a temporary home. */
  async dispose(): Promise<void> {
    await this.#process.dispose();
    if (this.#options.home === undefined) await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  get output() {
    return this.#process.output;
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  get userDataFolder(): string {
    return path.join(this.home, 'user-data');
  }

  /** The address of the workbench, with a folder open in it. */
  urlOf(folder: string): string {
    return `http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(folder)}`;
  }

  /** Changes user settings. The browser VS Code does not watch the file: a window takes them when it is (re)loaded. */
  async changeSettings(settings: Settings): Promise<void> {
    await writeUserSettings(this.userDataFolder, settings);
  }

  /** The process ids of the living extension hosts, the newest last: one for each open window. */
  async extensionHosts(): Promise<number[]> {
    const pids = this.output.matches(launched).map(([, pid]) => Number(pid));
    const living = await Promise.all(pids.map(async (pid) => ((await isAlive(pid)) ? [pid] : [])));
    return living.flat();
  }

  /** The newest living extension host; waits for one when there is none yet. */
  async extensionHost(): Promise<number> {
    const from = this.output.end;
    const newest = (await this.extensionHosts()).at(-1);
    return newest ?? Number((await this.output.waitFor(launched, from))[1]);
  }

  /** Kills an extension host (SIGKILL) and resolves with the process id of the one that takes its place. */
  async killExtensionHost(pid?: number): Promise<number> {
    const victim = pid ?? (await this.extensionHost());
    const from = this.output.end;
    process.kill(victim, 'SIGKILL');
    return Number((await this.output.waitFor(launched, from))[1]);
  }

  get #isLean(): boolean {
    return this.#options.builtIn !== 'all';
  }

  get #leanFolder(): string {
    return path.join(this.home, 'built-in');
  }

  #folders(): string[] {
    const { userDataFolder, home } = this;
    const config = path.join(home, 'config.yaml');
    return ['--config', config, '--user-data-dir', userDataFolder, '--extensions-dir', path.join(home, 'extensions')];
  }

  async #prepare(vsix: string): Promise<void> {
    if (!existsSync(vsix)) throw new Error(`${vsix} is missing: make it with "npm run package".`);
    const { entry, builtInExtensions } = await ensureBrowserVscode();
    await mkdir(this.userDataFolder, { recursive: true });
    if (this.#isLean) await linkLeanExtensions(builtInExtensions, this.#leanFolder);
    const prompt = this.#options.trust === 'untrusted' ? 'never' : 'once';
    await writeUserSettings(this.userDataFolder, {
      ...quietSettings,
      'security.workspace.trust.startupPrompt': prompt,
      ...this.#options.settings,
    });
    await runCommand(process.execPath, [entry, ...this.#folders(), '--install-extension', vsix, '--force'], {
      output: 'capture',
      timeoutMs: 120_000,
    });
  }
}
