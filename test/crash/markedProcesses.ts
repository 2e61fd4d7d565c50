// The processes of one crash case, found by the mark that its host hands down to everything it starts. Reads /proc.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export const markVariable = 'RATCHET_CRASH_CASE';

export interface MarkedProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** All living processes with this mark in their environment, but for this one. */
export function markedProcesses(mark: string): readonly MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && readProc(pid, 'environ').split('\0').includes(`${markVariable}=${mark}`))
    .filter((pid) => !/^\d+ \(.*\) [ZX]/s.test(readProc(pid, 'stat')))
    .map((pid) => ({ pid, commandLine: readProc(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/** Those of them that stand still. */
export function standing(mark: string): readonly MarkedProcess[] {
  return markedProcesses(mark).filter(({ pid }) => /^\d+ \(.*\) T/s.test(readProc(pid, 'stat')));
}

/** Kills what has the mark and is chosen, until nothing of it is there. */
export function killMarked(mark: string, isChosen: (process: MarkedProcess) => boolean): void {
  for (;;) {
    const found = markedProcesses(mark).filter(isChosen);
    if (found.length === 0) return;
    for (const { pid } of found) signal(pid);
  }
}

/** What is still there of a case after it was given `limitMs` milliseconds to go. */
export async function leftOver(mark: string, limitMs: number): Promise<readonly MarkedProcess[]> {
  const asked = performance.now();
  for (;;) {
    const found = markedProcesses(mark);
    if (found.length === 0 || performance.now() - asked > limitMs) return found;
    await delay(25);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It went by itself meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Empty for a process that is gone, or is not ours to look at. */
function readProc(pid: number, name: 'environ' | 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(String(error.code))
    )
      return '';
    throw error;
  }
}
