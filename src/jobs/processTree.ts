// Ends all processes of a job: those below its shell, those in its group or session, and those that left both but carry its
// mark. Each is signalled by pid, directly after a look that confirmed who it is.

import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { identifyProcess, isAlive, type ProcessIdentity } from '../platform/processIdentity.ts';
import { readProcessTable, type ProcessEntry } from './processTable.ts';
import { systemErrorCode } from '../platform/systemError.ts';

export interface JobTree {
  /** The job's own shell, which may have ended. */
  readonly root: ProcessIdentity;
  readonly mark: string;
}

const pollMs = 20;
const killLimitMs = 5_000;
const run = promisify(execFile);

/**
 * TERM to all, and after `graceMs` KILL to what is left, again and again until nothing is.
 * `seenBefore`: processes of the job by an earlier look. Returns the pids that are still there (processes that the kernel can't end now), normally none.
 */
export async function endTree(
  tree: JobTree,
  graceMs: number,
  seenBefore: ReadonlySet<string> = new Set(),
): Promise<readonly number[]> {
  if (process.platform === 'win32') return endWindowsTree(tree);
  const seen = new Set(seenBefore);
  const asked = new Set<string>();
  const askedFrom = performance.now();
  for (;;) {
    const members = await look(tree, seen);
    if (members.length === 0) return [];
    if (performance.now() - askedFrom >= graceMs) break;
    for (const member of members) {
      if (asked.has(idOf(member))) continue;
      asked.add(idOf(member));
      signal(member.pid, 'SIGTERM');
      // A stopped process takes note of TERM only when it goes on.
      signal(member.pid, 'SIGCONT');
    }
    await delay(pollMs);
  }
  const killedFrom = performance.now();
  for (;;) {
    const members = await look(tree, seen);
    if (members.length === 0) return [];
    if (performance.now() - killedFrom >= killLimitMs) return members.map(({ pid }) => pid);
    for (const { pid } of members) signal(pid, 'SIGKILL');
    await delay(pollMs);
  }
}

/**
 * The living processes of a job in a look at all processes. `seen` holds those of earlier looks (`<pid>@<start time>`): one whose
 * parent has died since is still known by it.
 */
export function findMembers(
  table: readonly ProcessEntry[],
  tree: JobTree,
  seen: ReadonlySet<string>,
): readonly ProcessEntry[] {
  const { root } = tree;
  const rootIsThere = table.some(({ pid, startTime }) => pid === root.pid && startTime === root.startTime);
  const members = new Map<number, ProcessEntry>();
  for (const entry of table) {
    // Group and session go by the shell's pid, which may be somebody else's once the shell is gone.
    const isInGroup = rootIsThere && (entry.pgid === root.pid || entry.session === root.pid);
    if (entry.marked || isInGroup || seen.has(idOf(entry))) members.set(entry.pid, entry);
  }
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const entry of table) if (members.has(entry.ppid)) members.set(entry.pid, entry);
  }
  return [...members.values()].filter(({ ended, pid }) => !ended && pid !== process.pid);
}

async function look(tree: JobTree, seen: Set<string>): Promise<readonly ProcessEntry[]> {
  const members = findMembers(await readProcessTable(tree.mark), tree, seen);
  for (const member of members) seen.add(idOf(member));
  return members;
}

/** A process over all time: `<pid>@<start time>`. */
export function idOf({ pid, startTime }: ProcessIdentity): string {
  return `${pid}@${startTime}`;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // Gone since the look, or made itself another user's (then the last look reports it).
    const code = systemErrorCode(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

async function endWindowsTree({ root }: JobTree): Promise<readonly number[]> {
  if (!(await isAlive(root))) return [];
  try {
    await run('taskkill.exe', ['/PID', String(root.pid), '/T', '/F'], { windowsHide: true });
  } catch (error) {
    // It fails when a process of the tree ended meanwhile; what counts is whether the root is still there.
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) throw error;
  }
  const left = await identifyProcess(root.pid);
  return left?.startTime === root.startTime ? [root.pid] : [];
}
