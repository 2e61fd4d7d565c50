// Child processes of the scripts and of the harness: run one to its end, end a whole tree, find a free port.
// Knows nothing about VS Code.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { afterCalm } from './calmTime.ts';
import { binFolder, repositoryRoot } from './paths.ts';

/** A command that could not be started or did not end with 0. `output` is its last part, when it was captured. */
export class CommandFailed extends Error {
  readonly code = 'command_failed';
  readonly exitCode: number | undefined;
  readonly output: string;

  constructor(command: string, exitCode: number | undefined, output: string) {
    super(`"${command}" ended with ${String(exitCode ?? 'no exit code')}${output === '' ? '' : `:\n${output}`}`);
    this.exitCode = exitCode;
    this.output = output;
  }
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `stream` shows the output as it comes; `capture` returns it. */
  readonly output?: 'stream' | 'capture';
  /** After so many milliseconds of calm time the command and all that it started are ended, and that counts as a failure. */
  readonly timeoutMs?: number;
}

/** Runs a command to its end and returns what it printed (empty when streamed). Throws {@link CommandFailed}. */
export async function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const shown = [path.basename(command), ...args].join(' ');
  const capture = options.output === 'capture';
  const child = spawn(command, args, {
    cwd: options.cwd ?? repositoryRoot,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const takeLimitBack = afterCalm(options.timeoutMs ?? 30 * 60_000, () => void killTree(child.pid));
  try {
    const code = await closed(child);
    if (code !== 0) throw new CommandFailed(shown, code, output.slice(-4000));
    return output;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(shown, undefined, String(error));
  } finally {
    takeLimitBack();
  }
}

/** Runs one of the project's own npm-installed commands, for example `tsc`, on the Node that runs this. */
export async function runTool(tool: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return process.platform === 'win32'
    ? await runCommand('cmd.exe', ['/d', '/c', path.join(binFolder, `${tool}.cmd`), ...args], options)
    : await runCommand(process.execPath, [path.join(binFolder, tool), ...args], options);
}

/** Runs npm on the Node that runs this. */
export async function runNpm(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js') === true) return await runCommand(process.execPath, [cli, ...args], options);
  return process.platform === 'win32'
    ? await runCommand('cmd.exe', ['/d', '/c', 'npm.cmd', ...args], options)
    : await runCommand('npm', args, options);
}

/**
 * The environment for child processes: the project's Node first on the path, and without what npm tells its scripts
 * about this package (it would mislead an npm that works in another folder).
 */
export function cleanEnvironment(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(npm_(package|lifecycle|config_local_prefix)|VSCODE_)/.test(key)) env[key] = value;
  }
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  env[pathKey] = [path.dirname(process.execPath), binFolder, env[pathKey] ?? ''].join(path.delimiter);
  return env;
}

/** Ends a process and everything that descends from it. Resolves when the processes were told; never throws. */
export async function killTree(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    await closed(killer);
    return;
  }
  for (const each of [pid, ...(await descendants(pid))]) tell(each, signal);
}

/** Ends everything that descends from this process. */
export async function killDescendants(): Promise<void> {
  const children = process.platform === 'win32' ? [] : await descendants(process.pid);
  for (const pid of children) tell(pid, 'SIGKILL');
}

/** Whether a process with this id exists (and is not a zombie, where that can be seen). */
export async function isAlive(pid: number): Promise<boolean> {
  if (!tell(pid, 0)) return false;
  return (await statusOf(pid))?.state !== 'Z';
}

/** A port on the loopback address that nothing listens on now. */
export async function freePort(): Promise<number> {
  const port = await listenFor(0);
  if (port === undefined) throw new Error('no free port on the loopback address');
  return port;
}

/** Whether nothing listens on a port of the loopback address now. */
export async function isFree(port: number): Promise<boolean> {
  return (await listenFor(port)) !== undefined;
}

async function listenFor(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address === null || typeof address === 'string' ? undefined : address.port;
}

/** Resolves with the exit code when the process has ended and its output was read; `undefined` after a signal. */
export async function closed(child: ChildProcess): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? undefined);
    });
  });
}

function tell(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

async function descendants(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
    for (const each of pids) parents.set(each, (await statusOf(each))?.parent ?? 0);
  } else {
    const listing = await runCommand('ps', ['-A', '-o', 'pid=,ppid='], { output: 'capture' });
    for (const [, each, parent] of listing.matchAll(/^\s*(\d+)\s+(\d+)/gm)) parents.set(Number(each), Number(parent));
  }
  const found = [pid];
  for (const parent of found) {
    for (const [each, its] of parents) if (its === parent && !found.includes(each)) found.push(each);
  }
  return found.slice(1);
}

async function statusOf(pid: number): Promise<{ state: string; parent: number } | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so read from its end.
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch (error) {
    // The process ended between two looks.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}
