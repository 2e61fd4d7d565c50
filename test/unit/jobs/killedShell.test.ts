import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandResult, modelOutput } from '../../../src/tools/commandResult.ts';
import {
  finish,
  isRunning,
  type JobsFixture,
  openJobsFixture,
  shellPid,
  supervisorPid,
  until,
  wordsOf,
} from './jobsFixture.ts';

describe('a command whose shell is killed while a process of it goes on', () => {
  let fixture: JobsFixture;

  beforeEach(async () => {
    fixture = await openJobsFixture();
  });
  afterEach(() => fixture.dispose());

  const openGate = (): Promise<void> => writeFile(join(fixture.cwd, 'go'), '');
  const worker = 'echo $$ >worker; until [ -e go ]; do sleep 0.02; done; echo worked';
  const pidIn = async (name: string): Promise<number> => {
    await until(() => wordsOf(join(fixture.cwd, name)).length === 1);
    return Number(wordsOf(join(fixture.cwd, name))[0]);
  };

  /** Starts a shell with a worker below it, and kills the shell at the gate (outer) or the command's own (inner). */
  async function killed(which: 'outer' | 'inner', more: { timeLimitMs?: number } = {}): Promise<void> {
    const command = `echo $$ >inner; bash -c '${worker}'; echo not seen`;
    await fixture.jobs.start({ key: 'step', command, cwd: fixture.cwd, ...more });
    await pidIn('worker');
    const pid = which === 'outer' ? await shellPid(fixture.files('step')) : await pidIn('inner');
    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(pid));
  }

  const isKnown = (): Promise<void> =>
    until(async () => (await readFile(fixture.files('step').killedShell, 'utf8').catch(() => '')) !== '');

  for (const which of ['outer', 'inner'] as const) {
    it(`has ended when that process has, and says which part was killed (${which} shell)`, async () => {
      await killed(which);
      const finished = finish(fixture.jobs, 'step');
      await isKnown();
      assert.equal((await fixture.client().find('step')).status, 'running');
      const workerPid = await pidIn('worker');
      await openGate();
      const { exit, output } = await finished;
      assert.equal(isRunning(workerPid), false);
      assert.match(output, /^worked$/m);
      assert.deepEqual([exit.code, exit.signal, exit.reason], [null, 'SIGKILL', 'lost']);
      assert.match(exit.message ?? '', /^The shell was killed by SIGKILL; its process/);
      assert.match(exit.message ?? '', new RegExp(`bash \\(${String(workerPid)}\\)`));
      assert.match(exit.message ?? '', /went on and ended later; how it ended is not known\.$/);
      const told = commandResult({ key: 'step', exit, output: await fixture.jobs.readOutput('step', modelOutput) });
      assert.equal(told.outcome, 'cut');
      assert.doesNotMatch(told.content, /^Killed/);
    });

    it(`goes on when the supervisor dies too, and its end is found by who looks (${which} shell)`, async () => {
      await killed(which);
      const supervisor = await supervisorPid(fixture.files('step'));
      process.kill(supervisor, 'SIGKILL');
      await until(() => !isRunning(supervisor));
      assert.equal((await fixture.client().find('step')).status, 'running');
      const finished = finish(fixture.client(), 'step');
      await openGate();
      const { exit, output } = await finished;
      assert.match(output, /^worked$/m);
      assert.deepEqual([exit.code, exit.reason], [null, 'lost']);
      assert.match(exit.message ?? '', /^The shell was killed.* went on and ended later/);
      assert.deepEqual(await fixture.jobs.find('step'), { status: 'finished', exit });
    });

    it(`is ended by Stop with what goes on (${which} shell)`, async () => {
      await killed(which);
      const exit = await fixture.jobs.end('step');
      assert.equal(exit.reason, 'ended');
      assert.equal(isRunning(await pidIn('worker')), false);
    });
  }

  it('is ended at its time limit', async () => {
    await killed('inner', { timeLimitMs: 2_000 });
    const { exit } = await finish(fixture.jobs, 'step');
    assert.equal(exit.reason, 'time_limit');
    assert.match(exit.message ?? '', /The shell was killed by SIGKILL.*Ended at its time limit/);
    assert.equal(isRunning(await pidIn('worker')), false);
  });

  it('has ended at once when its whole group got the signal', async () => {
    await fixture.jobs.start({
      key: 'step',
      command: 'sleep 100 & kill -KILL $!; kill -TERM 0; sleep 100',
      cwd: fixture.cwd,
    });
    const { exit } = await finish(fixture.jobs, 'step');
    assert.deepEqual([exit.code, exit.signal, exit.reason], [143, 'SIGTERM', 'signalled']);
  });

  it('does not wait for a service that was left in the background when the shell itself says that it failed', async () => {
    const command = `(setsid bash -c '${worker}' &) ; until [ -e worker ]; do sleep 0.02; done; exit 137`;
    await fixture.jobs.start({ key: 'step', command, cwd: fixture.cwd });
    const { exit } = await finish(fixture.jobs, 'step');
    assert.deepEqual([exit.code, exit.reason, exit.message], [137, 'signalled', undefined]);
    assert.equal(isRunning(await pidIn('worker')), true);
  });

  it('says that its shell is not there in the output, as before', async () => {
    const jobs = fixture.client({ shell: '/nowhere/bash' });
    await jobs.start({ key: 'step', command: 'true', cwd: fixture.cwd });
    const { exit, output } = await finish(jobs, 'step');
    assert.equal(exit.code, 127);
    assert.match(output, /\/nowhere\/bash: not found/);
  });
});
