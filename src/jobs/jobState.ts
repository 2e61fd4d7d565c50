// What a job's folder and the processes it names say about the job. A definite answer after a crash at any instant:
//   no claim            nobody took it up              → may be settled by taking the claim
//   claim, no running   the command was not let go     → starting while the supervisor lives, else never started
//   running, no exit    running while shell or supervisor lives, or a process of a shell that was killed; else the code
//                       that the shell left, else lost

import { stat } from 'node:fs/promises';
import { publishOnce, readIfThere } from '../platform/durableFiles.ts';
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';
import { signalOfCode } from './commandShell.ts';
import type { JobExit, JobState } from './jobPort.ts';
import { describeKilledShell, findRest } from './jobRest.ts';
import {
  readClaim,
  readExit,
  readKilledShell,
  readRunning,
  recordText,
  type JobFiles,
  type RunningRecord,
} from './jobRecords.ts';
import {
  identifyThisProcess,
  isAlive,
  isThisBoot,
  readBootId,
  type ProcessIdentity,
} from '../platform/processIdentity.ts';

/** Looks at a job; changes nothing but that the exit of an ended job, once concluded, is written down. */
export async function lookAtJob(files: JobFiles): Promise<JobState> {
  if (!(await exists(files.folder))) return { status: 'absent' };
  const first = await observe(files);
  if (first !== 'undecided') return first;
  // The supervisor and the command are gone by now, so that what they wrote is complete: this second look decides.
  const second = await observe(files);
  if (second !== 'undecided') return second;
  const running = await readRunning(files);
  if (running === 'absent' || (await exists(files.notRun))) return { status: 'never_started' };
  if (running === 'unreadable') return { status: 'finished', exit: await concludeExit(files, undefined) };
  const [rest] = await findRest(files, running);
  if (rest) return { status: 'running', pid: rest.pid, startedAt: running.startedAt };
  return { status: 'finished', exit: await concludeExit(files, running) };
}

/** As lookAtJob, but a job that nobody has taken up is taken out of reach: it will never start. */
export async function settleJob(files: JobFiles): Promise<JobState> {
  if (!(await exists(files.folder))) return { status: 'absent' };
  if (!(await exists(files.claim))) {
    const self = await identifyThisProcess();
    if (self === undefined) throw new Error('This process could not be identified.');
    await publishOnce(files.claim, recordText({ by: 'canceller', process: self }));
  }
  return lookAtJob(files);
}

/** The supervisor of the job while it is alive. */
export async function findSupervisor(files: JobFiles): Promise<ProcessIdentity | undefined> {
  const claim = await readClaim(files);
  if (typeof claim === 'string' || claim.by === 'canceller') return undefined;
  return (await isAlive(claim.process)) ? claim.process : undefined;
}

/** Writes down how a job ended whose supervisor could not; the first to do so decides, and the answer is the same for all. */
export async function concludeExit(
  files: JobFiles,
  running: RunningRecord | undefined,
  reason?: 'ended',
): Promise<JobExit> {
  const { message, ...known } = await gatherExit(files, running);
  // Why it is gone is known when it was ended on purpose: what is said about an unknown end does not apply.
  const concluded: JobExit = reason
    ? { ...known, reason }
    : { ...known, ...(message === undefined ? {} : { message }) };
  try {
    if (await publishOnce(files.exit, recordText(concluded))) return concluded;
  } catch (error) {
    // Those who could say more are gone: whoever looks later finds the same and writes it down.
    if (!isDiskRefusal(error)) throw error;
    return concluded;
  }
  const exit = await readExit(files);
  return typeof exit === 'string' ? concluded : exit;
}

async function observe(files: JobFiles): Promise<JobState | 'undecided'> {
  const exit = await readExit(files);
  if (typeof exit !== 'string') return { status: 'finished', exit };
  const claim = await readClaim(files);
  if (claim === 'absent') return { status: 'starting' };
  if (claim !== 'unreadable' && claim.by === 'canceller') return { status: 'never_started' };
  const running = await readRunning(files);
  if (typeof running !== 'string' && (await isAlive(running.process))) return stateOf(running);
  if (claim === 'unreadable' || !(await isAlive(claim.process))) return 'undecided';
  // The supervisor is about to write down either that the command runs or how it ended.
  return typeof running === 'string' ? { status: 'starting' } : stateOf(running);
}

function stateOf({ process, startedAt }: RunningRecord): JobState {
  return { status: 'running', pid: process.pid, startedAt };
}

async function gatherExit(files: JobFiles, running: RunningRecord | undefined): Promise<JobExit> {
  const output = await statIfThere(files.output);
  const outputBytes = output?.size ?? 0;
  const left = await statIfThere(files.code);
  const code = Number.parseInt((await readIfThere(files.code)) ?? '', 10);
  const startedAt = running?.startedAt ?? output?.birthtimeMs ?? Date.now();
  const killed = await readKilledShell(files);
  if (typeof killed === 'string' && left !== undefined && Number.isInteger(code)) {
    const signal = signalOfCode(code);
    const reason = signal === null ? 'exited' : 'signalled';
    return { code, signal, reason, startedAt, endedAt: Math.round(left.mtimeMs), outputBytes };
  }
  const restarted = running !== undefined && !isThisBoot(running.process, await readBootId());
  const message = restarted
    ? 'The machine was restarted while the command ran. How far it got is not known.'
    : typeof killed !== 'string'
      ? `${describeKilledShell(killed)} and ended later; how it ended is not known.`
      : 'The command is not running any more, and how it ended is not known: its supervisor and its shell were killed.';
  // The last output is the last sign of life.
  const endedAt = Math.max(Math.round(output?.mtimeMs ?? 0), startedAt);
  const signal = typeof killed === 'string' || killed.signal === 'unknown' ? null : killed.signal;
  return { code: null, signal, reason: 'lost', startedAt, endedAt, message, outputBytes };
}

async function exists(path: string): Promise<boolean> {
  return (await statIfThere(path)) !== undefined;
}

async function statIfThere(
  path: string,
): Promise<{ readonly size: number; readonly mtimeMs: number; readonly birthtimeMs: number } | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
