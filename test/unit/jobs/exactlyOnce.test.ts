import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { crashVariable, type CrashPoint } from '../../../src/platform/crashPoint.ts';
import type { JobState } from '../../../src/jobs/jobPort.ts';
import { readJob, recordText } from '../../../src/jobs/jobRecords.ts';
import { readProcessTable } from '../../../src/jobs/processTable.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';
import { finish, openJobsFixture, supervisorScript, until, wordsOf, type JobsFixture } from './jobsFixture.ts';

const program = bundledProgram(join(import.meta.dirname, 'startJobAndDie.ts'));

describe('a job is started exactly once', () => {
  let fixture: JobsFixture;
  let marks: string;

  beforeEach(async () => {
    fixture = await openJobsFixture();
    marks = join(fixture.cwd, 'marks');
  });
  afterEach(() => fixture.dispose());

  function startInChild(crashAt = ''): ChildProcess {
    return spawn(
      process.execPath,
      [program, supervisorScript, fixture.root, 'step', fixture.cwd, `echo ran >> '${marks}'`],
      {
        env: { ...process.env, [crashVariable]: crashAt },
        stdio: 'ignore',
      },
    );
  }

  /** What a resumer does: looks, and waits for what still runs. */
  async function settle(): Promise<JobState> {
    for (;;) {
      const state = await fixture.client().find('step');
      if (state.status === 'running') await finish(fixture.jobs, 'step').catch(() => undefined);
      else if (state.status !== 'starting') return state;
      await delay(10);
    }
  }

  async function waitForAllProcesses(): Promise<void> {
    const job = await readJob(fixture.files('step'));
    if (typeof job === 'string') return;
    await until(async () => (await readProcessTable(job.mark)).every(({ marked }) => !marked));
  }

  const crashes: readonly (readonly [CrashPoint, JobState['status'], number])[] = [
    ['before_job_record', 'never_started', 0],
    ['after_job_record', 'never_started', 0],
    ['after_supervisor_spawn', 'never_started', 0],
    ['before_claim', 'never_started', 0],
    ['after_claim', 'never_started', 0],
    ['after_command_spawn', 'never_started', 0],
    ['after_running_record', 'never_started', 0],
    ['after_release', 'finished', 1],
    ['before_exit_record', 'finished', 1],
  ];

  for (const [point, status, runs] of crashes) {
    it(`killed ${point}: ${status}, run ${runs} times`, async () => {
      await once(startInChild(point), 'exit');
      const state = await settle();
      await waitForAllProcesses();
      assert.equal(state.status, status);
      assert.equal(wordsOf(marks).length, runs);
      assert.deepEqual(await fixture.client().find('step'), state, 'a second look gives the same answer');
      if (state.status === 'finished') assert.equal(state.exit.code, 0);
    });
  }

  for (const after of [90, 130, 170, 210]) {
    it(`client killed ${after} ms after its launch: runs once or never, as the answer says`, async () => {
      const child = startInChild();
      const exited = once(child, 'exit');
      await Promise.race([exited, delay(after)]);
      child.kill('SIGKILL');
      await exited;
      const state = await settle();
      await waitForAllProcesses();
      assert.equal(wordsOf(marks).length, state.status === 'finished' ? 1 : 0, state.status);
    });
  }

  it('of several supervisors for one job one runs it', async () => {
    const files = fixture.files('step');
    await mkdir(files.folder, { recursive: true });
    const job = { key: 'step', mark: 'step.1', command: `echo ran >> '${marks}'`, cwd: fixture.cwd, shell: '/bin/sh' };
    const limits = { createdAt: 1, timeLimitMs: null, graceMs: 100, outputLimitBytes: 1e6 };
    await writeFile(files.job, recordText({ version: 1, ...job, ...limits }));
    const supervisors = [1, 2, 3].map(() => {
      const child = spawn(process.execPath, [supervisorScript, files.folder], { stdio: ['pipe', 'ignore', 'inherit'] });
      child.stdin.end('{}');
      return once(child, 'exit');
    });
    await Promise.all(supervisors);
    assert.deepEqual(wordsOf(marks), ['ran']);
  });

  it('a supervisor that comes after the answer "never started" does nothing', async () => {
    await once(startInChild('after_job_record'), 'exit');
    assert.equal((await fixture.jobs.find('step')).status, 'never_started');
    const files = fixture.files('step');
    const late = spawn(process.execPath, [supervisorScript, files.folder], { stdio: ['pipe', 'ignore', 'inherit'] });
    late.stdin.end('{}');
    await once(late, 'exit');
    assert.deepEqual(wordsOf(marks), []);
    assert.match(await readFile(files.claim, 'utf8'), /canceller/);
  });

  it('a key can be used once only', async () => {
    const spec = { key: 'step', command: `echo ran >> '${marks}'`, cwd: fixture.cwd };
    await fixture.jobs.start(spec);
    await assert.rejects(fixture.jobs.start(spec), { name: 'JobError', code: 'job_exists' });
    await finish(fixture.jobs, 'step');
    assert.deepEqual(wordsOf(marks), ['ran']);
  });
});
