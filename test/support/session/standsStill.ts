// Linux only, as the places at which a process can be made to stand still are.
import { readFile } from 'node:fs/promises';
import { parseProcStat } from '../../../src/platform/processIdentity.ts';

/** Whether a process was stopped by a signal and waits for SIGCONT. @throws when there is no such process */
export async function standsStill(pid: number): Promise<boolean> {
  return parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'))?.state === 'T';
}
