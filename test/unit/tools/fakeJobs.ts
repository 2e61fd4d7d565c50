// Jobs without processes: a test says what a command prints and how it ends. Behaves as the port promises:
// a key is used once, following waits for the end, an abort leaves the job alone.
import { windowOf } from '../../../src/core/jobOutput.ts';
import { JobError } from '../../../src/jobs/jobError.ts';
import type { JobExit, JobPort, JobSpec, JobState } from '../../../src/jobs/jobPort.ts';

interface FakeJob {
  readonly spec: JobSpec;
  output: Buffer;
  state: JobState;
  changed: PromiseWithResolvers<undefined>;
}

export class FakeJobs implements JobPort {
  readonly #jobs = new Map<string, FakeJob>();
  /** Called when a command starts, in the place of the command. */
  onStart: (spec: JobSpec) => void | Promise<void> = () => undefined;
  readonly started: JobSpec[] = [];
  readonly ended: string[] = [];

  async start(spec: JobSpec): Promise<void> {
    if (this.#jobs.has(spec.key)) throw new JobError('job_exists', `${spec.key} exists`);
    this.put(spec.key, { status: 'running', pid: 1, startedAt: 1000 }, spec);
    this.started.push(spec);
    await this.onStart(spec);
  }

  /** A job that another process left behind. */
  put(key: string, state: JobState, spec: JobSpec = { key, command: '', cwd: '' }): void {
    this.#jobs.set(key, { spec, output: Buffer.alloc(0), state, changed: Promise.withResolvers() });
  }

  print(key: string, text: string | Uint8Array): void {
    const job = this.#job(key);
    job.output = Buffer.concat([job.output, Buffer.from(text)]);
    this.#wake(job);
  }

  finish(key: string, exit: Partial<JobExit> = {}): void {
    const job = this.#job(key);
    job.state = { status: 'finished', exit: fakeExit({ outputBytes: job.output.length, ...exit }) };
    this.#wake(job);
  }

  find(key: string): Promise<JobState> {
    return Promise.resolve(this.#jobs.get(key)?.state ?? { status: 'absent' });
  }

  async follow(
    key: string,
    from: number,
    onOutput: (chunk: Uint8Array, offset: number) => void | Promise<void>,
    signal: AbortSignal,
  ): Promise<JobExit> {
    const job = this.#job(key);
    const aborted = Promise.withResolvers<undefined>();
    const onAbort = (): void => {
      aborted.resolve(undefined);
    };
    signal.addEventListener('abort', onAbort);
    try {
      for (let at = from; ;) {
        signal.throwIfAborted();
        const { state, output, changed } = job;
        if (output.length > at) await onOutput(output.subarray(at), at);
        at = output.length;
        if (state.status === 'finished') return state.exit;
        await Promise.race([changed.promise, aborted.promise]);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async end(key: string): Promise<JobExit> {
    const { state } = this.#job(key);
    this.ended.push(key);
    if (state.status !== 'finished') this.finish(key, { reason: 'ended', code: 143, signal: 'SIGTERM' });
    const now = await this.find(key);
    if (now.status !== 'finished') throw new Error('not finished');
    return now.exit;
  }

  readOutput(key: string, limits: { headBytes: number; tailBytes: number }) {
    return Promise.resolve(windowOf(this.#job(key).output, limits));
  }

  list() {
    return Promise.resolve([...this.#jobs].map(([key, { state }]) => ({ key, state })));
  }

  #job(key: string): FakeJob {
    const job = this.#jobs.get(key);
    if (!job) throw new JobError('not_found', key);
    return job;
  }

  #wake(job: FakeJob): void {
    job.changed.resolve(undefined);
    job.changed = Promise.withResolvers();
  }
}

export function fakeExit(fields: Partial<JobExit> = {}): JobExit {
  return { code: 0, signal: null, reason: 'exited', startedAt: 1000, endedAt: 5100, outputBytes: 0, ...fields };
}
