// Which process a pid stands for: pid and start time together, so that a pid that was given to another process is noticed.
// All that differs by platform about one process is here.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemErrorCode } from './systemError.ts';

/** `startTime` is opaque and compared whole. On Linux it is `<boot id>:<clock ticks since boot>`. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** The fields of `/proc/<pid>/stat` that matter here. */
export interface ProcStat {
  readonly state: string;
  readonly ppid: number;
  readonly pgid: number;
  readonly session: number;
  readonly startTicks: number;
}

const run = promisify(execFile);

/** Who the process is now, or undefined when there is none. One that has ended and was not reaped yet counts as none. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  if (!isPidInUse(pid)) return undefined;
  const startTime = await readStartTime(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

let own: Promise<ProcessIdentity | undefined> | undefined;

/** Who this process is: looked up once. */
export function identifyThisProcess(): Promise<ProcessIdentity | undefined> {
  own ??= identifyProcess(process.pid).catch((error: unknown) => {
    own = undefined;
    throw error;
  });
  return own;
}

/** True when this very process is alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const current = await identifyProcess(identity.pid);
  return current?.startTime === identity.startTime;
}

/** What a living process is called by the system, in short; undefined when it is gone or cannot be asked. */
export async function nameOfProcess(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
    if (process.platform === 'win32') return undefined;
    const { stdout } = await run('ps', ['-p', String(pid), '-o', 'comm='], { env: plainLocale });
    const name = stdout.trim().split('/').at(-1);
    return name === '' ? undefined : name;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** False when the two are provably from different boots of the machine; only Linux can tell. */
export function isThisBoot(identity: ProcessIdentity, bootId: string): boolean {
  return process.platform !== 'linux' || identity.startTime.startsWith(`${bootId}:`);
}

/** Linux: changes with each boot. Elsewhere the empty string. */
export async function readBootId(): Promise<string> {
  if (process.platform !== 'linux') return '';
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** Takes a line of `/proc/<pid>/stat` apart; the name in it may hold spaces and brackets. */
export function parseProcStat(line: string): ProcStat | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid, session] = fields;
  const startTicks = fields[19];
  if (state === undefined || ppid === undefined || pgid === undefined || session === undefined) return undefined;
  if (startTicks === undefined) return undefined;
  return { state, ppid: Number(ppid), pgid: Number(pgid), session: Number(session), startTicks: Number(startTicks) };
}

/** True for a state of `/proc` or `ps` that means: ended, only its exit code is still there. */
export function isEndedState(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}

/** True when an error of a look at a process means that the process is gone. */
export function isGone(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ESRCH';
}

/** The environment for `ps`, so that its dates are the same for everybody. */
export const plainLocale = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false;
    // Not ours to signal, but there.
    if (systemErrorCode(error) === 'EPERM') return true;
    throw error;
  }
}

async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readLinuxStartTime(pid);
  if (process.platform === 'win32') return readWindowsStartTime(pid);
  return readUnixStartTime(pid);
}

async function readLinuxStartTime(pid: number): Promise<string | undefined> {
  try {
    const stat = parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (stat === undefined || isEndedState(stat.state)) return undefined;
    return `${await readBootId()}:${stat.startTicks}`;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function readUnixStartTime(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-p', String(pid), '-o', 'stat=,lstart='], { env: plainLocale });
    const [state, ...started] = stdout.trim().split(/\s+/);
    return state === undefined || isEndedState(state) || started.length === 0 ? undefined : started.join(' ');
  } catch (error) {
    // `ps` ends with 1 when there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return undefined;
    throw error;
  }
}

async function readWindowsStartTime(pid: number): Promise<string | undefined> {
  const query =
    `Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}' | ` +
    'ForEach-Object { $_.CreationDate.ToUniversalTime().Ticks }';
  const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query], {
    windowsHide: true,
  });
  return stdout.trim() || undefined;
}
