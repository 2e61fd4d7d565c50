// A look at all processes of the machine: who started whom, and which of them carry a job's mark in their environment.
// Linux reads /proc, other unixes ask `ps`. Windows needs none of it: `taskkill` walks the tree itself.

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  isEndedState,
  isGone,
  parseProcStat,
  plainLocale,
  readBootId,
  type ProcessIdentity,
} from '../platform/processIdentity.ts';
import { systemErrorCode } from '../platform/systemError.ts';

export interface ProcessEntry extends ProcessIdentity {
  readonly ppid: number;
  readonly pgid: number;
  readonly session: number;
  /** It has ended and waits to be reaped. */
  readonly ended: boolean;
  /** The job's mark is in its environment. */
  readonly marked: boolean;
}

/** The variable that marks a job's processes. */
export const markVariable = 'RATCHET_JOB';

const run = promisify(execFile);

/** All processes that can be seen, each with whether it carries the mark `RATCHET_JOB=<mark>`. */
export async function readProcessTable(mark: string): Promise<readonly ProcessEntry[]> {
  return process.platform === 'linux' ? readProc(mark) : readPs(mark);
}

async function readProc(mark: string): Promise<readonly ProcessEntry[]> {
  const [names, bootId] = await Promise.all([readdir('/proc'), readBootId()]);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = await Promise.all(pids.map((pid) => readProcEntry(pid, bootId, mark)));
  return entries.filter((entry) => entry !== undefined);
}

async function readProcEntry(pid: number, bootId: string, mark: string): Promise<ProcessEntry | undefined> {
  try {
    const stat = parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (stat === undefined) return undefined;
    const ended = isEndedState(stat.state);
    const { ppid, pgid, session } = stat;
    const marked = !ended && (await hasMark(pid, mark));
    return { pid, startTime: `${bootId}:${stat.startTicks}`, ppid, pgid, session, ended, marked };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function hasMark(pid: number, mark: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment.split('\0').includes(`${markVariable}=${mark}`);
  } catch (error) {
    // Another user's process, or one that is just ending.
    if (isGone(error) || systemErrorCode(error) === 'EACCES' || systemErrorCode(error) === 'EPERM') return false;
    throw error;
  }
}

async function readPs(mark: string): Promise<readonly ProcessEntry[]> {
  const options = { env: plainLocale, maxBuffer: 64 * 1024 * 1024 };
  const [table, environments] = await Promise.all([
    run('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], options),
    run('ps', ['-axEww', '-o', 'pid=,command='], options),
  ]);
  return parsePsTable(table.stdout, findMarkedPids(environments.stdout, mark));
}

/** Takes the lines of `ps -axo pid=,ppid=,pgid=,stat=,lstart=` apart. A session is not told by it: the group stands in. */
export function parsePsTable(text: string, marked: ReadonlySet<number>): readonly ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [pid, ppid, pgid, state, ...started] = line.trim().split(/\s+/);
    if (pid === undefined || ppid === undefined || pgid === undefined || state === undefined) return [];
    if (started.length === 0) return [];
    return {
      pid: Number(pid),
      startTime: started.join(' '),
      ppid: Number(ppid),
      pgid: Number(pgid),
      session: Number(pgid),
      ended: isEndedState(state),
      marked: marked.has(Number(pid)),
    };
  });
}

/** The pids in lines of `<pid> <command with its environment>` that carry the mark. */
export function findMarkedPids(text: string, mark: string): ReadonlySet<number> {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const marked = lines.filter((words) => words.includes(`${markVariable}=${mark}`));
  return new Set(marked.map(([pid]) => Number(pid)));
}
