// The port to durable jobs: shell commands that live outside the editor and outlive it.
// Pure types, so that another way to run them (a batch system with its own client) can stand behind it.
// Must never know: processes, files, vscode.

import type { Confinement } from '../core/confinement.ts';
import type { OutputLimits, OutputWindow } from '../core/jobOutput.ts';

/** What to run. `key` is the step's id: letters, digits, `.`, `_`, `-`, at most 128; one key is used once, for ever. */
export interface JobSpec {
  readonly key: string;
  readonly command: string;
  /** Absolute path of the folder to run in. */
  readonly cwd: string;
  /** Added to the environment that the port gives to commands. Never written to disk. */
  readonly env?: Readonly<Record<string, string>>;
  /** Running time in milliseconds after which the command is ended; time asleep is not counted. */
  readonly timeLimitMs?: number;
  /** The command runs in this sandbox, or not at all. */
  readonly confinement?: Confinement;
}

export type JobExitReason = 'exited' | 'signalled' | 'ended' | 'time_limit' | 'spawn_failed' | 'lost';

/** How a job ended. Times are milliseconds since the epoch. */
export interface JobExit {
  /** As a shell reports it (128 + n for a signal); null when nobody could learn it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** `lost`: it is not running any more, and how it ended is not known. */
  readonly reason: JobExitReason;
  readonly startedAt: number;
  readonly endedAt: number;
  /** One or two sentences for a person, when there is more to say than the code. */
  readonly message?: string;
  /** Hosts that a confined command asked the proxy for and that are not allowed. */
  readonly refusedHosts?: readonly string[];
  /** Size of the output when the command ended. */
  readonly outputBytes: number;
}

export type JobState =
  | { readonly status: 'absent' }
  /** The command has not run and will never run under this key. */
  | { readonly status: 'never_started' }
  | { readonly status: 'starting' }
  | { readonly status: 'running'; readonly pid: number; readonly startedAt: number }
  | { readonly status: 'finished'; readonly exit: JobExit };

export type OutputListener = (chunk: Uint8Array, offset: number) => void | Promise<void>;

export interface JobPort {
  /**
   * Records the job durably, then runs it. Resolves once the command runs, or once it is recorded why it could not (then its
   * state is `finished` with `spawn_failed`). Rejects with a JobError: `invalid_key`, `job_exists`, `supervisor_failed`,
   * or `storage_refused` when the disk (its cause says why) kept it from being started and it never will be under this key.
   * Any other failure may have come at any point: `find` tells.
   */
  start(spec: JobSpec): Promise<void>;
  /**
   * What became of the job, provably. A job that was recorded and not taken up by anybody is settled: after the answer
   * `never_started` it can't start any more.
   */
  find(key: string): Promise<JobState>;
  /**
   * Hands over the output from byte `from` on, in order, in chunks of at most 64 KB, waiting for the listener between them,
   * until the command has ended. Rejects with the signal's reason on abort (the job goes on), with a JobError `not_found` or
   * `never_started` when there is nothing to follow.
   */
  follow(key: string, from: number, onOutput: OutputListener, signal: AbortSignal): Promise<JobExit>;
  /**
   * Ends the job's whole process tree: asks (TERM), then kills. Also ends what a finished command left in the background.
   * A job that never started is kept from starting. Rejects with a JobError: `not_found`, `end_failed`.
   */
  end(key: string): Promise<JobExit>;
  /** Start and end of the output, without reading it all into memory. A job without output gives an empty window. */
  readOutput(key: string, limits: OutputLimits): Promise<OutputWindow>;
  /** All jobs, oldest key first. Only looks: unlike `find` it settles nothing. */
  list(): Promise<readonly { readonly key: string; readonly state: JobState }[]>;
}
