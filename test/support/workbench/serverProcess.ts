// One server process and all that descends from it: started in a group of its own, ended as a group, swept by a mark
// in the environment, so that nothing a test started outlives it. Knows nothing about VS Code.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import process from 'node:process';
import { cleanEnvironment, closed, killTree } from '../../../scripts/processes.ts';
import { ServerOutput } from './serverOutput.ts';

const mark = 'RATCHET_TEST_SERVER';

export class ServerProcess {
  readonly output = new ServerOutput();
  readonly #id = randomUUID();
  #running: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;
  readonly #onExit = () => {
    this.#tellGroup('SIGKILL');
  };

  /** Starts it. What it starts detached (jobs) leaves its group and survives {@link stop}, but not {@link dispose}. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    if (this.#running !== undefined) throw new Error('the server is already running');
    const child = spawn(process.execPath, args, {
      env: { ...cleanEnvironment(), ...env, [mark]: this.#id },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    this.output.follow(child);
    this.#running = { child, ended: closed(child) };
    process.once('exit', this.#onExit);
  }

  get isRunning(): boolean {
    return this.#running?.child.exitCode === null && this.#running.child.signalCode === null;
  }

  /** Ends the server's own processes and resolves when they are gone. SIGTERM that is not heeded becomes SIGKILL. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#running === undefined) return;
    this.#tellGroup(signal);
    const timer = setTimeout(() => {
      this.#tellGroup('SIGKILL');
    }, 10_000);
    await this.#running.ended;
    clearTimeout(timer);
    this.#tellGroup('SIGKILL');
    this.#running = undefined;
    process.off('exit', this.#onExit);
  }

  /** Ends everything that the server ever started, detached or not. */
  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    if (process.platform !== 'linux') return;
    for (const name of await readdir('/proc')) {
      if (/^\d+$/.test(name) && (await isMarked(name, this.#id))) await killTree(Number(name));
    }
  }

  #tellGroup(signal: NodeJS.Signals): void {
    const pid = this.#running?.child.pid;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

async function isMarked(pid: string, id: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'utf8')).includes(`${mark}=${id}`);
  } catch {
    // It ended between two looks, or belongs to somebody else: either way not ours to end.
    return false;
  }
}
