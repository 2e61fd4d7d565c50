// Ends a job from outside: asks its supervisor where there is one, does the supervisor's work where there is none, and sweeps up
// what a finished command left in the background.

import { setTimeout as delay } from 'node:timers/promises';
import { crashPoint } from '../platform/crashPoint.ts';
import { publishOnce } from '../platform/durableFiles.ts';
import { JobError } from './jobError.ts';
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';
import type { JobExit } from './jobPort.ts';
import { readExit, readJob, readRunning, type JobFiles } from './jobRecords.ts';
import { concludeExit, findSupervisor, lookAtJob, settleJob } from './jobState.ts';
import { isAlive, isThisBoot, readBootId, type ProcessIdentity } from '../platform/processIdentity.ts';
import { endTree } from './processTree.ts';

const pollMs = 25;
const killLimitMs = 5_000;

/** See JobPort.end. A supervisor that takes `stuckAfterMs` more than the time between TERM and KILL is killed. */
export async function endJob(files: JobFiles, stuckAfterMs: number): Promise<JobExit> {
  const before = await settleJob(files);
  if (before.status === 'absent') throw new JobError('not_found', 'There is no such job.');
  const job = await readJob(files);
  if (before.status === 'never_started') return exitOfUnstarted(typeof job === 'string' ? Date.now() : job.createdAt);
  if (typeof job === 'string') throw new JobError('end_failed', `"${files.job}" can't be read.`);
  if (before.status !== 'finished') await askSupervisor(files, job.graceMs + stuckAfterMs);

  const now = await lookAtJob(files);
  const running = await readRunning(files);
  if (typeof running !== 'string' && isThisBoot(running.process, await readBootId())) {
    crashPoint('before_tree_ended');
    const left = await endTree({ root: running.process, mark: job.mark }, job.graceMs);
    crashPoint('after_tree_ended');
    if (left.length > 0) throw new JobError('end_failed', `These processes could not be ended: ${left.join(', ')}.`);
  }
  switch (now.status) {
    case 'finished':
      return now.exit;
    case 'running':
      return concludeExit(files, typeof running === 'string' ? undefined : running, 'ended');
    case 'absent':
    case 'never_started':
    case 'starting':
      return exitOfUnstarted(job.createdAt);
  }
}

/** Returns when the supervisor has written the exit record, or is gone: killed by us when it is stuck. */
async function askSupervisor(files: JobFiles, limitMs: number): Promise<void> {
  // The request is there before the nudge; a supervisor that misses the nudge finds it at its next tick.
  const asked = await request(files);
  crashPoint('after_end_requested');
  const supervisor = await findSupervisor(files);
  if (supervisor === undefined) return;
  if (asked && process.platform !== 'win32') signal(supervisor, 'SIGTERM');
  const askedAt = performance.now();
  while (asked && performance.now() - askedAt < limitMs) {
    if (typeof (await readExit(files)) !== 'string' || !(await isAlive(supervisor))) return;
    await delay(pollMs);
  }
  if (await isAlive(supervisor)) signal(supervisor, 'SIGKILL');
  const killedAt = performance.now();
  while (await isAlive(supervisor)) {
    if (performance.now() - killedAt >= killLimitMs) {
      throw new JobError('end_failed', `The job's supervisor (process ${supervisor.pid}) could not be ended.`);
    }
    await delay(pollMs);
  }
}

/** False when the disk refuses the request: then the supervisor cannot be asked, and its work is done here. */
async function request(files: JobFiles): Promise<boolean> {
  try {
    await publishOnce(files.endRequest, '');
    return true;
  } catch (error) {
    if (!isDiskRefusal(error)) throw error;
    return false;
  }
}

function signal({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

function exitOfUnstarted(createdAt: number): JobExit {
  const message = 'The command was never started.';
  return {
    code: null,
    signal: null,
    reason: 'ended',
    startedAt: createdAt,
    endedAt: createdAt,
    message,
    outputBytes: 0,
  };
}
