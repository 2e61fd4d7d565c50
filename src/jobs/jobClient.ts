// The jobs port over supervisor processes on this machine: one folder a job below one root. Only starts supervisors, looks at
// folders and ends process trees; holds no truth of its own, so any number of clients may use one root, one after the other or at
// the same time. Must never know: vscode, sessions.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commandEnvironment } from './commandEnvironment.ts';
import { defaultShell } from './commandShell.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { createFolder, publishOnce, readIfThere } from '../platform/durableFiles.ts';
import { clearTemporaries } from '../platform/temporaryFiles.ts';
import { endJob } from './endJob.ts';
import { followOutput } from './followOutput.ts';
import { JobError } from './jobError.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { JobPort, JobSpec, JobState } from './jobPort.ts';
import { jobFiles, recordText, type JobFiles } from './jobRecords.ts';
import { parseFailure, startedWord } from './supervisorWords.ts';
import { lookAtJob, settleJob } from './jobState.ts';
import { removePlaceholders } from './placeholders.ts';
import { readOutputWindow } from './readOutput.ts';

export interface JobClientOptions {
  /** Absolute path of the folder that holds the jobs' folders; made when needed. */
  readonly root: string;
  /** Absolute path of the supervisor's script. */
  readonly supervisorScript: string;
  /** Runs the script; by default this process's own executable, as Node. */
  readonly execPath?: string;
  /** What commands inherit; by default this process's environment. The editor's internals are always taken out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Values that no command, and no supervisor, may see in any variable; asked for at each start. */
  readonly secrets?: () => readonly string[];
  /** Absolute path of the shell; by default bash, else sh (Windows: cmd). */
  readonly shell?: string;
  /** Time between TERM and KILL in milliseconds; 2,000 by default. */
  readonly graceMs?: number;
  /** On top of it, what a supervisor may take before it counts as stuck and is killed, in milliseconds; 8,000 by default. */
  readonly stuckAfterMs?: number;
  /** A command whose output grows past this is ended; 1 GiB by default. */
  readonly outputLimitBytes?: number;
}

const keyPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
/** After this long without a word from the supervisor, the claim decides: taken, it will run; free, it will not. */
const startLimitMs = 15_000;

/** Durable jobs below `options.root`. Holds nothing open between calls. */
export function createJobClient(options: JobClientOptions): JobPort {
  // A job that is being started here has no claim yet; without this a look from the same process would cancel it.
  const startingHere = new Set<string>();
  const filesOf = (key: string): JobFiles => {
    if (!keyPattern.test(key)) throw new JobError('invalid_key', `"${key}" can't be the name of a job.`);
    return jobFiles(join(options.root, key));
  };
  const find = async (key: string): Promise<JobState> => {
    const files = filesOf(key);
    if (startingHere.has(key)) return lookAtJob(files);
    const state = await settleJob(files);
    if (state.status === 'finished' || state.status === 'never_started') await clearJobFolder(files);
    return state;
  };

  return {
    find,
    async start(spec) {
      const files = filesOf(spec.key);
      startingHere.add(spec.key);
      try {
        await startJob(files, spec, options);
      } finally {
        startingHere.delete(spec.key);
      }
    },
    async follow(key, from, onOutput, signal) {
      return followOutput({ files: filesOf(key), from, onOutput, signal, lookAtJob: () => find(key) });
    },
    async end(key) {
      return endJob(filesOf(key), options.stuckAfterMs ?? 8_000);
    },
    async readOutput(key, limits) {
      return readOutputWindow(filesOf(key).output, limits);
    },
    async list() {
      const keys = (await listFolder(options.root)).filter((name) => keyPattern.test(name)).sort();
      return Promise.all(keys.map(async (key) => ({ key, state: await lookAtJob(filesOf(key)) })));
    },
  };
}

async function startJob(files: JobFiles, spec: JobSpec, options: JobClientOptions): Promise<void> {
  const { key, command, cwd, timeLimitMs, confinement } = spec;
  if (!(await createFolder(files.folder))) throw new JobError('job_exists', `The job "${key}" exists already.`);
  crashPoint('before_job_record');
  const record = recordText({
    version: 1,
    key,
    mark: `${key}.${randomUUID()}`,
    command,
    cwd,
    shell: options.shell ?? defaultShell(),
    createdAt: Date.now(),
    timeLimitMs: timeLimitMs ?? null,
    graceMs: options.graceMs ?? 2_000,
    outputLimitBytes: options.outputLimitBytes ?? 2 ** 30,
    ...(confinement && { confinement }),
  });
  await publishOnce(files.job, record);
  crashPoint('after_job_record');
  const base = options.environment ?? process.env;
  const environment = commandEnvironment(base, spec.env, options.secrets?.() ?? []);
  const complaint = await runSupervisor(files, environment, options);
  const state = await settleJob(files);
  if (state.status !== 'never_started') return;
  const refusal = parseFailure(complaint);
  if (refusal !== undefined) {
    throw new JobError('storage_refused', 'The disk kept the command from being started.', { cause: refusal });
  }
  const log = (await readIfThere(files.supervisorLog))?.trim().slice(-2_000);
  const details = [complaint?.trim(), log].filter((text) => text !== undefined && text !== '').join('\n');
  throw new JobError('supervisor_failed', `The command could not be started, and will not be. ${details}`.trim());
}

/** Starts the supervisor and waits until it says that the command runs, or is gone. Returns what went wrong, if that is known. */
async function runSupervisor(
  files: JobFiles,
  environment: Readonly<Record<string, string>>,
  options: JobClientOptions,
): Promise<string | undefined> {
  const log = await open(files.supervisorLog, 'a', 0o600);
  const supervisor = spawn(options.execPath ?? process.execPath, [options.supervisorScript, files.folder], {
    cwd: files.folder,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', log.fd],
    env: { ...supervisorEnvironment(options), ELECTRON_RUN_AS_NODE: '1' },
  });
  const { stdin, stdout } = supervisor;
  const enough = new AbortController();
  if (stdin === null || stdout === null) throw new Error('The supervisor has no streams.');
  try {
    // A supervisor that is gone before it has read everything shows as the end of its stdout.
    stdin.on('error', () => undefined);
    await once(supervisor, 'spawn');
    crashPoint('after_supervisor_spawn');
    stdin.end(JSON.stringify(environment));
    const { signal } = enough;
    let said = '';
    stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    // Its end closes its stdout, after what it said there.
    await Promise.race([
      once(stdout, 'data', { signal }),
      once(stdout, 'close', { signal }),
      delay(startLimitMs, undefined, { signal }),
    ]);
    return said === startedWord ? undefined : said;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return error instanceof Error ? error.message : undefined;
  } finally {
    enough.abort();
    stdin.destroy();
    stdout.destroy();
    supervisor.unref();
    await log.close();
  }
}

/**
 * The supervisor's own environment: what a program needs to start, without anything that changes how Node behaves. Other
 * processes of the user, the command among them, can read it.
 */
function supervisorEnvironment({ environment, secrets }: JobClientOptions): Record<string, string> {
  const own = commandEnvironment(environment ?? process.env, {}, secrets?.() ?? []);
  const entries = Object.entries(own).filter(([name]) => !/^NODE_/i.test(name));
  return Object.fromEntries(entries);
}

/** Clears away what processes that were killed left half made in the folder of a job that is over. */
async function clearJobFolder(files: JobFiles): Promise<void> {
  await clearTemporaries(files.folder);
  await removePlaceholders(files);
  try {
    await rm(files.unnamedCode, { force: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
