// What goes on of a command whose shell was killed. A shell that ends by itself ends its job, whatever it leaves in the
// background; one that was killed said nothing, and the job goes on for as long as any of its processes does.

import { stat } from 'node:fs/promises';
import { publishOnce, readIfThere } from '../platform/durableFiles.ts';
import { isThisBoot, nameOfProcess, readBootId, type ProcessIdentity } from '../platform/processIdentity.ts';
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';
import { signalOfCode } from './commandShell.ts';
import {
  readJob,
  readKilledShell,
  recordText,
  type JobFiles,
  type KilledShell,
  type RunningRecord,
} from './jobRecords.ts';
import { findMembers, idOf, type JobTree } from './processTree.ts';
import { readProcessTable } from './processTable.ts';

/** Processes that are named in the record; of more, the number is said. */
const namedAtMost = 3;

/**
 * The signal that ended the command's own shell, as the shell in front of it noticed; undefined where it ended by itself.
 * `unknown`: neither of the two left a word, so that at least the outer one was killed.
 */
export async function killedBy(files: JobFiles): Promise<string | undefined> {
  const code = Number.parseInt((await readIfThere(files.code)) ?? '', 10);
  if (!Number.isInteger(code)) return 'unknown';
  const signal = signalOfCode(code);
  return signal !== null && (await sizeOf(files.shellLog)) > 0 ? signal : undefined;
}

/**
 * The processes of a job that are there now, its shell not among them. Once the shell is gone they are known by their mark,
 * by their parents, and by an earlier look; `isFresh`: the shell ended just now, so its group is still its own.
 */
export async function lookForRest(
  tree: JobTree,
  seen: Set<string>,
  isFresh = false,
): Promise<readonly ProcessIdentity[]> {
  // There, nothing tells whose a process was.
  if (process.platform === 'win32') return [];
  const { root, mark } = tree;
  const table = await readProcessTable(mark);
  if (isFresh) {
    for (const entry of table) if (entry.pgid === root.pid || entry.session === root.pid) seen.add(idOf(entry));
  }
  const rest = findMembers(table, tree, seen).filter(({ pid }) => pid !== root.pid);
  for (const member of rest) seen.add(idOf(member));
  return rest;
}

/** What still runs of a job whose shell and supervisor are gone; none when its shell ended by itself. */
export async function findRest(files: JobFiles, { process: root }: RunningRecord): Promise<readonly ProcessIdentity[]> {
  if (!isThisBoot(root, await readBootId())) return [];
  const signal = await killedBy(files);
  if (signal === undefined) return [];
  const job = await readJob(files);
  if (typeof job === 'string') return [];
  const rest = await lookForRest({ root, mark: job.mark }, new Set());
  if (rest.length > 0) await recordKilledShell(files, signal, rest);
  return rest;
}

/** Keeps what was killed and what went on, for the end that is told later; the first to see it decides. */
export async function recordKilledShell(
  files: JobFiles,
  signal: string,
  rest: readonly ProcessIdentity[],
): Promise<void> {
  if (typeof (await readKilledShell(files)) !== 'string') return;
  const named = await Promise.all(
    rest.slice(0, namedAtMost).map(async ({ pid }) => `${(await nameOfProcess(pid)) ?? 'a process'} (${pid})`),
  );
  const record: KilledShell = { signal, rest: named, count: rest.length };
  try {
    await publishOnce(files.killedShell, recordText(record));
  } catch (error) {
    // Without it the end is told in fewer words.
    if (!isDiskRefusal(error)) throw error;
  }
}

/** "The shell was killed by SIGKILL; its process python3 (4711) went on": for a person. */
export function describeKilledShell({ signal, rest, count }: KilledShell): string {
  const by = signal === 'unknown' ? '' : ` by ${signal}`;
  const more = count > rest.length ? ` and ${String(count - rest.length)} more` : '';
  const what = count === 1 ? 'its process' : 'its processes';
  return `The shell was killed${by}; ${what} ${rest.join(', ')}${more} went on`;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
