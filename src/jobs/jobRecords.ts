// The files of a job's folder: their names, what is in them, and the checks that what is read is that.
// Used by the supervisor too, which is its own small bundle: plain JavaScript only, no schema library.

import { join } from 'node:path';
import type { Confinement } from '../core/confinement.ts';
import { readIfThere } from '../platform/durableFiles.ts';
import type { JobExit, JobExitReason } from './jobPort.ts';
import type { ProcessIdentity } from '../platform/processIdentity.ts';
import { parsedJson } from '../core/parsedJson.ts';

/** `job.json`: what to run. Durable before anything runs. The environment is not in it: it may hold secrets. */
export interface JobRecord {
  readonly version: 1;
  readonly key: string;
  /** The value of RATCHET_JOB in the environment of the command: unique on this machine, finds all of its processes. */
  readonly mark: string;
  readonly command: string;
  readonly cwd: string;
  readonly shell: string;
  readonly createdAt: number;
  readonly timeLimitMs: number | null;
  /** How long the command has between TERM and KILL, in milliseconds. */
  readonly graceMs: number;
  readonly outputLimitBytes: number;
  /** The sandbox that the command runs in; absent: in none. */
  readonly confinement?: Confinement;
}

/** `claim`: who decides about this job. Taken once: by a supervisor that will run it, or by a canceller so that nobody will. */
export interface ClaimRecord {
  readonly by: 'supervisor' | 'canceller';
  readonly process: ProcessIdentity;
}

/** `running.json`: the process of the command. Durable before the command is let go. */
export interface RunningRecord {
  readonly process: ProcessIdentity;
  readonly startedAt: number;
}

/** `shell_killed.json`: the command's shell was killed, and processes of the command went on. */
export interface KilledShell {
  /** `unknown` when nobody saw it. */
  readonly signal: string;
  /** Some of the processes: "python3 (4711)". */
  readonly rest: readonly string[];
  readonly count: number;
}

export type Read<T> = T | 'absent' | 'unreadable';

export interface JobFiles {
  readonly folder: string;
  readonly job: string;
  readonly claim: string;
  readonly running: string;
  readonly exit: string;
  readonly output: string;
  /** Written by the command's own shell when the command ended: its code as a decimal number. */
  readonly code: string;
  /** The code before it has its name. */
  readonly unnamedCode: string;
  /** What the shell at the gate says itself: something when the command's own shell was killed by a signal. */
  readonly shellLog: string;
  readonly killedShell: string;
  /** Written by the command's own shell when it was not let go. */
  readonly notRun: string;
  /** What the sandbox program tells of its command: that it was started, and its exit code. */
  readonly sandboxStatus: string;
  /** The system calls that are refused inside, as the kernel reads it. */
  readonly sandboxFilter: string;
  /** Paths of empty folders that were made to stand in a place while the sandbox is there, a line of JSON each. */
  readonly placeholders: string;
  /** Written by whoever wants the job to end. */
  readonly endRequest: string;
  /** What the supervisor itself complains about. */
  readonly supervisorLog: string;
}

export function jobFiles(folder: string): JobFiles {
  return {
    folder,
    job: join(folder, 'job.json'),
    claim: join(folder, 'claim'),
    running: join(folder, 'running.json'),
    exit: join(folder, 'exit.json'),
    output: join(folder, 'output.log'),
    code: join(folder, 'code'),
    unnamedCode: join(folder, 'code.tmp'),
    shellLog: join(folder, 'shell.log'),
    killedShell: join(folder, 'shell_killed.json'),
    notRun: join(folder, 'not_run'),
    sandboxStatus: join(folder, 'sandbox.status'),
    sandboxFilter: join(folder, 'sandbox.filter'),
    placeholders: join(folder, 'placeholders'),
    endRequest: join(folder, 'end'),
    supervisorLog: join(folder, 'supervisor.log'),
  };
}

export async function readJob(files: JobFiles): Promise<Read<JobRecord>> {
  return readRecord(files.job, (fields) => {
    const { key, mark, command, cwd, shell, createdAt, timeLimitMs, graceMs, outputLimitBytes } = fields;
    if (!isText(key) || !isText(mark) || !isText(command) || !isText(cwd) || !isText(shell)) return undefined;
    if (!isNumber(createdAt) || !isNumber(graceMs) || !isNumber(outputLimitBytes)) return undefined;
    if (fields.version !== 1 || (timeLimitMs !== null && !isNumber(timeLimitMs))) return undefined;
    const record: JobRecord = {
      ...{ version: 1, key, mark, command, cwd, shell, createdAt, timeLimitMs, graceMs, outputLimitBytes },
    };
    if (fields.confinement === undefined) return record;
    // What can't be read is not run without its sandbox.
    const confinement = parseConfinement(fields.confinement);
    return confinement && { ...record, confinement };
  });
}

export async function readClaim(files: JobFiles): Promise<Read<ClaimRecord>> {
  return readRecord(files.claim, ({ by, process }) => {
    const identity = parseIdentity(process);
    return identity && (by === 'supervisor' || by === 'canceller') ? { by, process: identity } : undefined;
  });
}

export async function readRunning(files: JobFiles): Promise<Read<RunningRecord>> {
  return readRecord(files.running, ({ process, startedAt }) => {
    const identity = parseIdentity(process);
    return identity && isNumber(startedAt) ? { process: identity, startedAt } : undefined;
  });
}

export async function readKilledShell(files: JobFiles): Promise<Read<KilledShell>> {
  return readRecord(files.killedShell, ({ signal, rest, count }) =>
    isText(signal) && Array.isArray(rest) && rest.every(isText) && isNumber(count)
      ? { signal, rest, count }
      : undefined,
  );
}

export async function readExit(files: JobFiles): Promise<Read<JobExit>> {
  return readRecord(files.exit, ({ code, signal, reason, startedAt, endedAt, message, outputBytes, refusedHosts }) => {
    if ((code !== null && !isNumber(code)) || (signal !== null && !isText(signal)) || !isReason(reason))
      return undefined;
    if (!isNumber(startedAt) || !isNumber(endedAt) || !isNumber(outputBytes)) return undefined;
    if (message !== undefined && !isText(message)) return undefined;
    return {
      ...{ code, signal, reason, startedAt, endedAt, outputBytes },
      ...(message === undefined ? {} : { message }),
      ...(isTexts(refusedHosts) && { refusedHosts }),
    };
  });
}

/** A record as it is written: one line of JSON. */
export function recordText(record: JobRecord | ClaimRecord | RunningRecord | KilledShell | JobExit): string {
  return `${JSON.stringify(record)}\n`;
}

/** An environment as it is handed from the client to the supervisor, or undefined when it came only in part. */
export function parseEnvironment(text: string): Record<string, string> | undefined {
  const fields = parseFields(text);
  if (fields === undefined) return undefined;
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!isText(value)) return undefined;
    environment[name] = value;
  }
  return environment;
}

async function readRecord<T>(
  path: string,
  check: (fields: Readonly<Record<string, unknown>>) => T | undefined,
): Promise<Read<T>> {
  const text = await readIfThere(path);
  if (text === undefined) return 'absent';
  const fields = parseFields(text);
  return (fields && check(fields)) ?? 'unreadable';
}

function parseFields(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(text);
  return isFields(value) ? value : undefined;
}

function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (!isFields(value)) return undefined;
  const { pid, startTime } = value;
  return isNumber(pid) && Number.isInteger(pid) && pid > 0 && isText(startTime) ? { pid, startTime } : undefined;
}

function parseConfinement(value: unknown): Confinement | undefined {
  if (!isFields(value)) return undefined;
  const { program, folder, temporary, home, hidden, writable, domains } = value;
  if (!isText(program) || !isText(folder) || !isText(temporary) || !isText(home)) return undefined;
  if (!isTexts(hidden) || !isTexts(writable) || !isTexts(domains)) return undefined;
  return { program, folder, temporary, home, hidden, writable, domains };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const reasons: readonly JobExitReason[] = ['exited', 'signalled', 'ended', 'time_limit', 'spawn_failed', 'lost'];

function isReason(value: unknown): value is JobExitReason {
  return reasons.some((reason) => reason === value);
}
