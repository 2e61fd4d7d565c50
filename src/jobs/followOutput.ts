// Hands over a job's output while it grows, until the job has ended. Polls the file's size: file watching misses changes.

import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from './jobError.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { JobExit, JobState, OutputListener } from './jobPort.ts';
import { readExit, type JobFiles } from './jobRecords.ts';

export interface FollowSetup {
  readonly files: JobFiles;
  readonly from: number;
  readonly onOutput: OutputListener;
  readonly signal: AbortSignal;
  /** Asks processes, so it is called seldom. */
  readonly lookAtJob: () => Promise<JobState>;
}

const chunkBytes = 64 * 1024;
const shortestPauseMs = 50;
const longestPauseMs = 250;
/** A look at processes is two small reads on Linux, a program started elsewhere. */
const lookEveryMs = process.platform === 'linux' ? 1_000 : 5_000;

/** See JobPort.follow. */
export async function followOutput({ files, from, onOutput, signal, lookAtJob }: FollowSetup): Promise<JobExit> {
  let offset = from;
  let pauseMs = shortestPauseMs;
  let file: FileHandle | undefined;
  let exit = await endOf(lookAtJob);
  let lookedAt = performance.now();
  let looksAfterCode = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      // First the exit, then the output: so nothing that was written before the end is missed.
      exit ??= await readRecordedExit(files);
      // A code without a record: the supervisor is just writing it, or is gone; or the command goes on without its shell.
      const isDue = performance.now() - lookedAt >= lookEveryMs;
      if (exit === undefined && (isDue || (looksAfterCode < 4 && existsSync(files.code) && ++looksAfterCode > 0))) {
        exit = await endOf(lookAtJob);
        lookedAt = performance.now();
      }
      file ??= await openIfThere(files.output);
      const before = offset;
      if (file !== undefined) offset = await handOver(file, offset, onOutput, signal);
      if (exit !== undefined) return exit;
      pauseMs = offset > before ? shortestPauseMs : Math.min(pauseMs * 1.5, longestPauseMs);
      await pause(pauseMs, signal);
    }
  } finally {
    await file?.close();
  }
}

/** Hands over what is there now, not what is added meanwhile: an output that grows for ever must not keep the end from being seen. */
async function handOver(
  file: FileHandle,
  from: number,
  onOutput: OutputListener,
  signal: AbortSignal,
): Promise<number> {
  const { size } = await file.stat();
  let offset = from;
  while (offset < size) {
    signal.throwIfAborted();
    const buffer = new Uint8Array(Math.min(chunkBytes, size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) break;
    await onOutput(buffer.subarray(0, bytesRead), offset);
    offset += bytesRead;
  }
  return offset;
}

async function endOf(lookAtJob: () => Promise<JobState>): Promise<JobExit | undefined> {
  const state = await lookAtJob();
  switch (state.status) {
    case 'absent':
      throw new JobError('not_found', 'There is no such job.');
    case 'never_started':
      throw new JobError('never_started', 'The command was never started.');
    case 'starting':
    case 'running':
      return undefined;
    case 'finished':
      return state.exit;
  }
}

async function readRecordedExit(files: JobFiles): Promise<JobExit | undefined> {
  const exit = await readExit(files);
  return typeof exit === 'string' ? undefined : exit;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    // The caller's own reason, not the timer's wrapping of it.
    signal.throwIfAborted();
    throw error;
  }
}
