// Which job belongs to a step. A job's key is used once, for ever; a step whose job never started gets the next key,
// so that it can be started again and yet never twice.
import type { JobPort, JobState } from '../jobs/jobPort.ts';
import { hashBytes } from './fileHash.ts';

/** The folder below a session's storage that holds its jobs' folders, each named by its key. */
export const jobsFolderName = 'jobs';

/** The output of a job, relative to the session's storage, with `/`. */
export function jobOutputFile(key: string): string {
  return `${jobsFolderName}/${key}/output.log`;
}

/** The first key of a step: its id, or a hash of it where the id can't be a file name. */
export function firstJobKey(stepId: string): string {
  return /^[A-Za-z0-9_-][A-Za-z0-9_-]{0,99}$/.test(stepId) ? stepId : `step-${hashBytes(stepId).slice(0, 32)}`;
}

/** The first key from `key` on under which nothing was ever started. */
export async function freeJobKey(jobs: JobPort, key: string): Promise<string> {
  let free = key;
  while ((await jobs.find(free)).status !== 'absent') free = nextJobKey(free);
  return free;
}

/** The job from `key` on that did start, or what is known of the last one that did not. */
export async function currentJob(
  jobs: JobPort,
  key: string,
): Promise<{ readonly key: string; readonly state: JobState }> {
  let current = { key, state: await jobs.find(key) };
  while (current.state.status === 'never_started') {
    const next = nextJobKey(current.key);
    const state = await jobs.find(next);
    if (state.status === 'absent') return current;
    current = { key: next, state };
  }
  return current;
}

/** The key that comes before this one for the same step; undefined for the first. */
export function keyBefore(key: string): string | undefined {
  const found = /^(.*)\.(\d+)$/.exec(key);
  if (!found) return undefined;
  const [, first = '', number] = found;
  return Number(number) > 2 ? `${first}.${String(Number(number) - 1)}` : first;
}

function nextJobKey(key: string): string {
  const dot = key.lastIndexOf('.');
  return dot === -1 ? `${key}.2` : `${key.slice(0, dot)}.${String(Number(key.slice(dot + 1)) + 1)}`;
}
