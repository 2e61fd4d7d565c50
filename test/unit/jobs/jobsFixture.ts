// Real jobs in a temporary folder, and the end of everything that a test left running.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createJobClient, type JobClientOptions } from '../../../src/jobs/jobClient.ts';
import type { JobExit, JobPort } from '../../../src/jobs/jobPort.ts';
import { jobFiles, readClaim, readRunning, type JobFiles } from '../../../src/jobs/jobRecords.ts';
import { bundledSupervisor } from '../../support/programs/bundledProgram.ts';

export const supervisorScript = bundledSupervisor();

export interface JobsFixture {
  readonly root: string;
  readonly cwd: string;
  readonly jobs: JobPort;
  client(options?: Partial<JobClientOptions>): JobPort;
  files(key: string): JobFiles;
  dispose(): Promise<void>;
}

export async function openJobsFixture(): Promise<JobsFixture> {
  const base = await mkdtemp(join(tmpdir(), 'ratchet-jobs-'));
  const root = join(base, 'jobs');
  const client = (options: Partial<JobClientOptions> = {}): JobPort =>
    createJobClient({ root, supervisorScript, graceMs: 5_000, ...options });
  const jobs = client();
  return {
    root,
    cwd: base,
    jobs,
    client,
    files: (key) => jobFiles(join(root, key)),
    async dispose() {
      for (const { key } of await jobs.list()) await jobs.end(key);
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Follows a job to its end, and returns how it ended and all of its output. */
export async function finish(jobs: JobPort, key: string): Promise<{ readonly exit: JobExit; readonly output: string }> {
  const chunks: Uint8Array[] = [];
  const exit = await jobs.follow(key, 0, (chunk) => void chunks.push(chunk), new AbortController().signal);
  return { exit, output: Buffer.concat(chunks).toString('utf8') };
}

export async function supervisorPid(files: JobFiles): Promise<number> {
  const claim = await readClaim(files);
  if (typeof claim === 'string') throw new Error(`The claim is ${claim}.`);
  return claim.process.pid;
}

export async function shellPid(files: JobFiles): Promise<number> {
  const running = await readRunning(files);
  if (typeof running === 'string') throw new Error(`The running record is ${running}.`);
  return running.process.pid;
}

/** Waits until something is so; mocha's own time limit is the limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(10);
}

/** True while a process with this pid is there and has not ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The words of a file, none when it is not there yet. */
export function wordsOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}
