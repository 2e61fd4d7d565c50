// The process that owns one job: takes the claim, starts the command, enforces its limits, ends it when asked, writes the exit
// record. Runs without any editor; nobody need be there. Started as `supervisor <job folder>` with the command's environment as
// JSON on stdin; says `started` on stdout when the command runs. Must never know: vscode, anything outside src/jobs.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeSync } from 'node:fs';
import { open, stat, statfs, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gateRole, goLine, runGate, signalOfCode, spawnShell } from './commandShell.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { publishOnce, replaceFile } from '../platform/durableFiles.ts';
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';
import type { JobExit, JobExitReason } from './jobPort.ts';
import {
  jobFiles,
  parseEnvironment,
  readJob,
  readKilledShell,
  recordText,
  type JobFiles,
  type JobRecord,
  type KilledShell,
} from './jobRecords.ts';
import { identifyProcess, identifyThisProcess } from '../platform/processIdentity.ts';
import { describeKilledShell, killedBy, lookForRest, recordKilledShell } from './jobRest.ts';
import { endTree, type JobTree } from './processTree.ts';
import { markVariable } from './processTable.ts';
import { createRunningTime } from './runningTime.ts';
import { failureWord, startedWord } from './supervisorWords.ts';

const longestTickMs = process.platform === 'win32' ? 250 : 1_000;
const shortestTickMs = 50;
const fastGrowthBytes = 4 * 1024 * 1024;
const exitRecordPauseMs = 1_000;
/** How often what a killed shell left behind is looked at: all processes of the machine are read for it. */
const restTickMs = process.platform === 'linux' ? 1_000 : 5_000;
/** Processes that get the same signal as the shell have ended after this long. */
const dyingMs = 500;
/** Less than this is left on a disk that is full, in bytes. */
const fullBelowBytes = 4_096;

type Ending = { readonly reason: 'ended' | 'time_limit'; readonly message?: string };
type NotStarted = { readonly reason: 'spawn_failed' | 'ended'; readonly message: string };
type Started = { readonly shell: ChildProcess; readonly tree: JobTree };

/** Woken by a signal: whoever wants the job to end writes the request first, and then nudges. A signal alone means nothing. */
let nudge = new AbortController();
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(name, () => {
    nudge.abort();
  });
}

async function supervise(folder: string): Promise<void> {
  const files = jobFiles(folder);
  const environment = parseEnvironment(await readStdin());
  const job = await readJob(files);
  const self = await identifyThisProcess();
  // The client died before it had handed everything over: without a claim the job counts as never started.
  if (environment === undefined || typeof job === 'string' || self === undefined) return;
  crashPoint('before_claim');
  if (!(await publishOnce(files.claim, recordText({ by: 'supervisor', process: self })))) return;
  crashPoint('after_claim');

  const output = await open(files.output, 'a', 0o600);
  const startedAt = Date.now();
  const record = async (exit: Omit<JobExit, 'startedAt' | 'endedAt' | 'outputBytes'>): Promise<void> => {
    const outputBytes = (await output.stat()).size;
    const endedAt = Date.now();
    const message = [exit.message, await complaintOfDisk(folder)].filter((text) => text !== undefined).join(' ');
    crashPoint('before_exit_record');
    await recordExit(files, { ...exit, ...(message !== '' && { message }), startedAt, endedAt, outputBytes });
    crashPoint('after_exit_record');
  };

  const commandEnvironment = { ...environment, [markVariable]: job.mark };
  const started = await startCommand(files, job, commandEnvironment, output, startedAt);
  if ('reason' in started) {
    await record({ code: null, signal: null, ...started });
    return;
  }
  const rest = new Rest(files, started);
  const ending = await watch(files, job, started.shell, output, rest);
  let left: readonly number[] = [];
  if (ending !== undefined) {
    left = await endTree(started.tree, job.graceMs, rest.seen);
    // Killed, so it exits; unless the kernel can't end it now, and then the record is not kept waiting.
    await Promise.race([exitOf(started.shell), delay(1_000, undefined, { ref: false })]);
  }
  await record(describeExit(started.shell, ending, left, await rest.record()));
}

/** Starts the command, recorded before it can do anything; or says why it could not be started. */
async function startCommand(
  files: JobFiles,
  job: JobRecord,
  environment: Readonly<Record<string, string>>,
  output: FileHandle,
  startedAt: number,
): Promise<Started | NotStarted> {
  const problem = await findFolderProblem(job.cwd);
  if (problem !== undefined) return { reason: 'spawn_failed', message: problem };
  let shell: ChildProcess;
  const shellLog = await openShellLog(files);
  try {
    const shellLogFd = shellLog?.fd ?? output.fd;
    shell = spawnShell({ folder: files.folder, job, environment, outputFd: output.fd, shellLogFd });
    await once(shell, 'spawn');
  } catch (error) {
    return { reason: 'spawn_failed', message: describeSpawnError(error, job) };
  } finally {
    await shellLog?.close();
  }
  crashPoint('after_command_spawn');
  // The gate may be closed from the other side by then; what counts is the shell's exit.
  shell.stdin?.on('error', () => undefined);
  const identity = shell.pid === undefined ? undefined : await identifyProcess(shell.pid);
  if (identity === undefined) {
    return { reason: 'spawn_failed', message: 'The shell ended before the command could be started.' };
  }
  if (existsSync(files.endRequest)) {
    shell.stdin?.end();
    await exitOf(shell);
    return { reason: 'ended', message: 'Ended before the command was started.' };
  }
  await publishOnce(files.running, recordText({ process: identity, startedAt }));
  crashPoint('after_running_record');
  shell.stdin?.end(goLine);
  crashPoint('after_release');
  say(startedWord);
  return { shell, tree: { root: identity, mark: job.mark } };
}

/** Waits for the command; returns why it has to be ended, or undefined when it ended by itself. */
async function watch(
  files: JobFiles,
  { timeLimitMs, outputLimitBytes }: JobRecord,
  shell: ChildProcess,
  output: FileHandle,
  rest: Rest,
): Promise<Ending | undefined> {
  let tickMs = shortestTickMs;
  let size = 0;
  const runningTime = createRunningTime(3 * longestTickMs);
  const exited = exitOf(shell);
  for (;;) {
    const counted = runningTime.tick(performance.now());
    if (hasExited(shell) && !(await rest.goesOn())) return undefined;
    if (existsSync(files.endRequest)) return { reason: 'ended' };
    if (timeLimitMs !== null && counted >= timeLimitMs) {
      return { reason: 'time_limit', message: `Ended at its time limit of ${describeDuration(timeLimitMs)}.` };
    }
    const before = size;
    ({ size } = await output.stat());
    if (size > outputLimitBytes) {
      return { reason: 'ended', message: `Ended because its output grew past ${outputLimitBytes} bytes.` };
    }
    // Seldom, but not so seldom that a command which writes at full speed fills the disk between two looks.
    tickMs = size - before > fastGrowthBytes ? shortestTickMs : Math.min(tickMs * 2, longestTickMs);
    const left = timeLimitMs === null ? tickMs : Math.min(tickMs, timeLimitMs - counted);
    await (hasExited(shell) ? pause(Math.min(left, restTickMs)) : Promise.race([exited, pause(left)]));
  }
}

/** What goes on of the command when its shell was killed. */
class Rest {
  readonly seen = new Set<string>();
  readonly #files: JobFiles;
  readonly #started: Started;
  #signal: string | null | undefined;
  #wentOn = false;

  constructor(files: JobFiles, started: Started) {
    this.#files = files;
    this.#started = started;
  }

  /** Asked once the shell has ended. */
  async goesOn(): Promise<boolean> {
    const { tree } = this.#started;
    if (this.#signal === undefined) {
      this.#signal = (await this.#killedBy()) ?? null;
      if (this.#signal === null) return false;
      // A signal to the whole group ends the others a moment later.
      if ((await lookForRest(tree, this.seen, true)).length > 0) await delay(dyingMs);
    }
    if (this.#signal === null) return false;
    const rest = await lookForRest(tree, this.seen);
    if (rest.length > 0 && !this.#wentOn) {
      this.#wentOn = true;
      await recordKilledShell(this.#files, this.#signal, rest);
    }
    return rest.length > 0;
  }

  /** What was killed and what went on; undefined when nothing did. */
  async record(): Promise<KilledShell | undefined> {
    const killed = this.#wentOn ? await readKilledShell(this.#files) : 'absent';
    return typeof killed === 'string' ? undefined : killed;
  }

  async #killedBy(): Promise<string | undefined> {
    const { shell } = this.#started;
    return shell.signalCode ?? (await killedBy(this.#files));
  }
}

/** Undefined when the disk refuses it: then the words of the shell go where those of the command go. */
async function openShellLog(files: JobFiles): Promise<FileHandle | undefined> {
  try {
    return await open(files.shellLog, 'a', 0o600);
  } catch (error) {
    if (!isDiskRefusal(error)) throw error;
    return undefined;
  }
}

/** Waits for a while, or until there is a nudge. */
async function pause(ms: number): Promise<void> {
  try {
    await delay(Math.max(ms, 1), undefined, { signal: nudge.signal });
  } catch (error) {
    if (!nudge.signal.aborted) throw error;
    nudge = new AbortController();
  }
}

function hasExited(shell: ChildProcess): boolean {
  return shell.exitCode !== null || shell.signalCode !== null;
}

async function exitOf(shell: ChildProcess): Promise<void> {
  if (!hasExited(shell)) await once(shell, 'exit');
}

function describeExit(
  shell: ChildProcess,
  ending: Ending | undefined,
  left: readonly number[],
  killed: KilledShell | undefined,
): Pick<JobExit, 'code' | 'signal' | 'reason' | 'message'> {
  const code = shell.exitCode;
  const signal = shell.signalCode ?? (code === null ? null : signalOfCode(code));
  const stuck = left.length === 0 ? [] : [`Some of its processes could not be ended: ${left.join(', ')}.`];
  if (killed && ending === undefined) {
    // Nobody saw how the rest ended: the code of the shell says nothing of it.
    const message = `${describeKilledShell(killed)} and ended later; how it ended is not known.`;
    return { code: null, signal: killed.signal === 'unknown' ? null : killed.signal, reason: 'lost', message };
  }
  if (killed && ending) {
    const message = [`${describeKilledShell(killed)}.`, ending.message, ...stuck].filter(Boolean).join(' ');
    return { code, signal, reason: ending.reason, message };
  }
  const orphaned =
    ending === undefined && shell.signalCode !== null
      ? ['The shell that ran the command was killed, and nothing of it was left.']
      : [];
  const message = [...(ending?.message === undefined ? [] : [ending.message]), ...stuck, ...orphaned].join(' ');
  const reason: JobExitReason = ending?.reason ?? (signal === null ? 'exited' : 'signalled');
  return { code, signal, reason, ...(message === '' ? {} : { message }) };
}

async function findFolderProblem(cwd: string): Promise<string | undefined> {
  try {
    return (await stat(cwd)).isDirectory() ? undefined : `"${cwd}" is not a folder.`;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return `The folder "${cwd}" does not exist.`;
    if (code !== undefined) return `The folder "${cwd}" can't be entered (${code}).`;
    throw error;
  }
}

function describeSpawnError(error: unknown, { cwd, command }: JobRecord): string {
  const code = systemErrorCode(error);
  if (code === 'E2BIG')
    return `The command is too long to be run (${command.length} characters): put it in a script file.`;
  if (code === 'EACCES') return `The folder "${cwd}" can't be entered (EACCES).`;
  return `The shell could not be started: ${error instanceof Error ? error.message : String(error)}`;
}

function describeDuration(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} s` : `${Math.round(ms / 6000) / 10} min`;
}

/** Why an output may lack something: what a command prints goes to the disk that its job is on. */
async function complaintOfDisk(folder: string): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= fullBelowBytes) return undefined;
    return 'The disk that keeps its output was full when it ended: output may be missing, and printing may have failed.';
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Writes the exit record over anything that an onlooker may have concluded. Nobody else knows how the command ended: while
 * the disk refuses, it is tried again, for as long as the job's folder is there.
 */
async function recordExit(files: JobFiles, exit: JobExit): Promise<void> {
  for (;;) {
    try {
      await replaceFile(files.exit, recordText(exit));
      return;
    } catch (error) {
      if (!isDiskRefusal(error)) throw error;
      await delay(exitRecordPauseMs);
    }
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function say(word: string): void {
  try {
    writeSync(1, word);
  } catch (error) {
    // The client need not be there any more.
    const code = systemErrorCode(error);
    if (code !== 'EPIPE' && code !== 'EAGAIN') throw error;
  }
}

async function main(): Promise<number> {
  const [, , folder = '', role, shell = '', command = ''] = process.argv;
  if (role === gateRole) return runGate(folder, shell, command);
  try {
    await supervise(folder);
  } catch (error) {
    const word = failureWord(error);
    if (word !== undefined) say(word);
    throw error;
  }
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    // Goes to supervisor.log. Whoever looks next finds the claim of a dead supervisor and settles the rest.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
