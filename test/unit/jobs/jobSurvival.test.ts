import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobPort } from '../../../src/jobs/jobPort.ts';
import { recordText } from '../../../src/jobs/jobRecords.ts';
import { identifyProcess } from '../../../src/platform/processIdentity.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';
import {
  finish,
  isRunning,
  type JobsFixture,
  openJobsFixture,
  shellPid,
  supervisorPid,
  supervisorScript,
  until,
  wordsOf,
} from './jobsFixture.ts';

const program = bundledProgram(join(import.meta.dirname, 'startJobAndDie.ts'));

describe('a job outlives what watches it', () => {
  let fixture: JobsFixture;

  beforeEach(async () => {
    fixture = await openJobsFixture();
  });
  afterEach(() => fixture.dispose());

  const start = (command: string, jobs = fixture.jobs): Promise<void> =>
    jobs.start({ key: 'step', command, cwd: fixture.cwd });
  /** For commands that do not listen to TERM, or are not asked in time; the others are never killed, however slow. */
  const impatient = (): JobPort => fixture.client({ graceMs: 150 });
  /** A command that goes on when the test says so. */
  const gated = (then: string): string => `echo begun; until [ -e go ]; do sleep 0.02; done; ${then}`;
  const openGate = (): Promise<void> => writeFile(join(fixture.cwd, 'go'), '');
  const killSupervisor = async (): Promise<void> => {
    const pid = await supervisorPid(fixture.files('step'));
    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(pid));
  };

  it('is picked up again by another process after the one that started it was killed', async () => {
    const command = gated('echo ended; exit 6');
    const child = spawn(process.execPath, [program, supervisorScript, fixture.root, 'step', fixture.cwd, command], {
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    await until(async () => (await fixture.client().list()).some(({ state }) => state.status === 'running'));
    child.kill('SIGKILL');
    await exited;
    assert.equal((await fixture.jobs.find('step')).status, 'running');
    const finished = finish(fixture.jobs, 'step');
    await openGate();
    const { exit, output } = await finished;
    assert.deepEqual([exit.code, exit.reason, output], [6, 'exited', 'begun\nended\n']);
  });

  it('goes on without its supervisor, and its code is known', async () => {
    await start(gated('echo ended; exit 7'));
    await killSupervisor();
    assert.equal((await fixture.jobs.find('step')).status, 'running');
    const finished = finish(fixture.client(), 'step');
    await openGate();
    const { exit, output } = await finished;
    assert.deepEqual([exit.code, exit.reason, output], [7, 'exited', 'begun\nended\n']);
    assert.equal(exit.outputBytes, 12);
    assert.deepEqual(await fixture.jobs.find('step'), { status: 'finished', exit });
  });

  it('signals its whole group without its supervisor, and how it ended is known', async () => {
    await start(gated('kill -TERM 0; sleep 100'));
    await killSupervisor();
    const finished = finish(fixture.jobs, 'step');
    await openGate();
    const { exit } = await finished;
    assert.deepEqual([exit.code, exit.signal, exit.reason], [143, 'SIGTERM', 'signalled']);
  });

  it('goes on for as long as its process does when its shell is killed too; it can be ended', async () => {
    await start('echo $BASHPID > inner; sleep 100');
    const inner = join(fixture.cwd, 'inner');
    await until(() => wordsOf(inner).length === 1);
    await killSupervisor();
    const shell = await shellPid(fixture.files('step'));
    process.kill(shell, 'SIGKILL');
    await until(() => !isRunning(shell));
    assert.equal((await fixture.jobs.find('step')).status, 'running');
    const exit = await fixture.jobs.end('step');
    assert.equal(exit.reason, 'ended');
    assert.equal(isRunning(Number(wordsOf(inner)[0])), false);
    assert.deepEqual(await fixture.jobs.find('step'), { status: 'finished', exit });
  });

  it('is lost, and says so, when all of it is killed', async () => {
    await start('echo $BASHPID > inner; exec sleep 100');
    const inner = join(fixture.cwd, 'inner');
    await until(() => wordsOf(inner).length === 1);
    await killSupervisor();
    for (const pid of [await shellPid(fixture.files('step')), Number(wordsOf(inner)[0])]) process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(Number(wordsOf(inner)[0])));
    const state = await fixture.jobs.find('step');
    assert.ok(state.status === 'finished');
    assert.deepEqual([state.exit.reason, state.exit.code], ['lost', null]);
    assert.match(state.exit.message ?? '', /how it ended is not known/);
  });

  it('can be ended without its supervisor', async () => {
    await start('sleep 100');
    await killSupervisor();
    const exit = await fixture.jobs.end('step');
    assert.deepEqual([exit.reason, exit.signal, exit.message], ['ended', 'SIGTERM', undefined]);
    assert.deepEqual(await fixture.jobs.find('step'), { status: 'finished', exit });
  });

  it('is ended without losing its code, however long the writing of that takes', async () => {
    const slow = join(fixture.cwd, 'mv');
    await writeFile(slow, '#!/bin/sh\nsleep 0.5\nexec /bin/mv "$@"\n', { mode: 0o755 });
    const env = { PATH: `${fixture.cwd}:${process.env.PATH ?? ''}` };
    await fixture.jobs.start({ key: 'step', command: 'sleep 100', cwd: fixture.cwd, env });
    await killSupervisor();
    const exit = await fixture.jobs.end('step');
    assert.deepEqual([exit.reason, exit.signal], ['ended', 'SIGTERM']);
  });

  it('is not taken for running when its pid belongs to another process', async () => {
    const self = await identifyProcess(process.pid);
    assert.ok(self);
    const stranger = { pid: process.pid, startTime: `${self.startTime}0` };
    const files = fixture.files('step');
    await mkdir(files.folder, { recursive: true });
    const job = { key: 'step', mark: 'step.1', command: 'true', cwd: fixture.cwd, shell: '/bin/sh' };
    const limits = { createdAt: 1, timeLimitMs: null, graceMs: 100, outputLimitBytes: 1e6 };
    await writeFile(files.job, recordText({ version: 1, ...job, ...limits }));
    await writeFile(files.claim, recordText({ by: 'supervisor', process: stranger }));
    assert.deepEqual(await fixture.jobs.find('step'), { status: 'never_started' });
    await writeFile(files.running, recordText({ process: stranger, startedAt: 5 }));
    const state = await fixture.jobs.find('step');
    assert.ok(state.status === 'finished');
    assert.equal(state.exit.reason, 'lost');
    // Were the stranger taken for the job, this would end the test itself.
    assert.deepEqual(await fixture.jobs.end('step'), state.exit);
  });

  it('says that the machine was restarted', async () => {
    const files = fixture.files('step');
    await mkdir(files.folder, { recursive: true });
    const before = { pid: process.pid, startTime: '00000000-0000-0000-0000-000000000000:17' };
    await writeFile(files.claim, recordText({ by: 'supervisor', process: before }));
    await writeFile(files.running, recordText({ process: before, startedAt: 5 }));
    await writeFile(files.job, '{');
    const state = await fixture.jobs.find('step');
    assert.match(state.status === 'finished' ? (state.exit.message ?? '') : state.status, /machine was restarted/);
    await rm(files.folder, { recursive: true });
  });

  it('what its supervisor knows in the end replaces what an onlooker concluded', async () => {
    await start(gated('exit 8'));
    const files = fixture.files('step');
    const lost = { code: null, signal: null, reason: 'lost', startedAt: 1, endedAt: 2, outputBytes: 0 } as const;
    await writeFile(files.exit, recordText(lost));
    await openGate();
    await until(async () => !(await readFile(files.exit, 'utf8')).includes('lost'));
    const state = await fixture.jobs.find('step');
    assert.equal(state.status === 'finished' && state.exit.code, 8);
  });

  it('ends everything below it: other sessions, other environments, what does not listen', async () => {
    await start(
      [
        'cd "$PWD"; p() { echo $BASHPID >> pids; }',
        `setsid bash -c 'trap "" TERM; echo $$ >> pids; while :; do sleep 1; done' &`,
        `(setsid bash -c 'echo $$ >> pids; sleep 100' &)`,
        `env -i bash -c 'echo $$ >> pids; sleep 100' &`,
        `setsid env -i bash -c 'echo $$ >> pids; sleep 100' &`,
        `bash -c 'echo $$ >> pids; kill -STOP $$' &`,
        'p; wait',
      ].join('\n'),
      impatient(),
    );
    const pids = join(fixture.cwd, 'pids');
    await until(() => wordsOf(pids).length === 6);
    const exit = await fixture.jobs.end('step');
    assert.equal(exit.reason, 'ended');
    const left = wordsOf(pids).map(Number).filter(isRunning);
    assert.deepEqual(left, []);
  });

  it('a stuck supervisor does not keep a job from being ended', async () => {
    await start('sleep 100', impatient());
    const pid = await supervisorPid(fixture.files('step'));
    const shell = await shellPid(fixture.files('step'));
    process.kill(pid, 'SIGSTOP');
    const jobs = fixture.client({ stuckAfterMs: 100 });
    const exit = await jobs.end('step');
    assert.equal(exit.reason, 'ended');
    assert.deepEqual([isRunning(pid), isRunning(shell)], [false, false]);
  });

  it('a look at a running job writes nothing', async () => {
    await start('sleep 100');
    const { folder } = fixture.files('step');
    const { mtimeMs } = await stat(folder);
    assert.equal((await fixture.client().find('step')).status, 'running');
    assert.equal((await stat(folder)).mtimeMs, mtimeMs);
  });

  it('a signal to the supervisor alone ends nothing', async () => {
    await start(gated('exit 9'));
    process.kill(await supervisorPid(fixture.files('step')), 'SIGTERM');
    await openGate();
    assert.equal((await finish(fixture.jobs, 'step')).exit.code, 9);
  });
});
