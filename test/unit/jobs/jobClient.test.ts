import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  finish,
  isRunning,
  openJobsFixture,
  shellPid,
  supervisorPid,
  until,
  wordsOf,
  type JobsFixture,
} from './jobsFixture.ts';

describe('job client', () => {
  let fixture: JobsFixture;

  beforeEach(async () => {
    fixture = await openJobsFixture();
  });
  afterEach(() => fixture.dispose());

  const start = (command: string, more: { readonly timeLimitMs?: number; readonly cwd?: string } = {}): Promise<void> =>
    fixture.jobs.start({ key: 'step', command, cwd: fixture.cwd, ...more });

  it('gives both streams in order, and the code', async () => {
    await start('echo one; echo two >&2; echo three; exit 3');
    const { exit, output } = await finish(fixture.jobs, 'step');
    assert.equal(output, 'one\ntwo\nthree\n');
    assert.equal(exit.reason, 'exited');
    assert.equal(exit.code, 3);
    assert.equal(exit.outputBytes, 14);
    assert.ok(exit.endedAt >= exit.startedAt);
  });

  it('says that a signal ended the command', async () => {
    await start('kill -KILL $$');
    const { exit } = await finish(fixture.jobs, 'step');
    assert.deepEqual([exit.reason, exit.signal, exit.code], ['signalled', 'SIGKILL', 137]);
  });

  it('knows the end of a command that signals its whole group', async () => {
    await start('kill -TERM 0; sleep 20');
    const { exit } = await finish(fixture.jobs, 'step');
    assert.deepEqual([exit.reason, exit.signal], ['signalled', 'SIGTERM']);
  });

  it('gives a command that reads its input the end of it', async () => {
    await start('cat; echo done');
    assert.equal((await finish(fixture.jobs, 'step')).output, 'done\n');
  });

  it('runs a command with quotes, line breaks and characters of all kinds as it is', async () => {
    await start(`printf '%s|' "a b" 'c"d' $'e\\nf' "héé 🙂" \\\\\necho 'last # line'`);
    assert.equal((await finish(fixture.jobs, 'step')).output, 'a b|c"d|e\nf|héé 🙂|\\|last # line\n');
  });

  it('says that the folder is gone', async () => {
    await start('echo never', { cwd: join(fixture.cwd, 'gone') });
    const { exit, output } = await finish(fixture.jobs, 'step');
    assert.equal(exit.reason, 'spawn_failed');
    assert.equal(exit.message, `The folder "${join(fixture.cwd, 'gone')}" does not exist.`);
    assert.equal(output, '');
  });

  it('says that a command is too long', async () => {
    await start(`: ${'x'.repeat(200_000)}`);
    const { exit } = await finish(fixture.jobs, 'step');
    assert.equal(exit.reason, 'spawn_failed');
    assert.match(exit.message ?? '', /too long/);
  });

  it('rejects when there is no supervisor to start, and the job will not run later', async () => {
    const missing = fixture.client({ supervisorScript: join(fixture.cwd, 'missing.cjs') });
    const spec = { key: 'step', command: 'echo never', cwd: fixture.cwd };
    await assert.rejects(missing.start(spec), { code: 'supervisor_failed', message: /Cannot find module/ });
    assert.deepEqual(await fixture.jobs.find('step'), { status: 'never_started' });
    const noNode = fixture.client({ execPath: join(fixture.cwd, 'no-node') });
    await assert.rejects(noNode.start({ ...spec, key: 'other' }), { code: 'supervisor_failed', message: /ENOENT/ });
  });

  it('refuses keys that are not plain names', async () => {
    for (const key of ['', '..', '.hidden', 'a/b', 'a\\b', 'x'.repeat(129)]) {
      await assert.rejects(fixture.jobs.find(key), { code: 'invalid_key' }, key);
    }
  });

  it('knows nothing of a job that never was', async () => {
    assert.deepEqual(await fixture.jobs.find('step'), { status: 'absent' });
    await assert.rejects(finish(fixture.jobs, 'step'), { code: 'not_found' });
    await assert.rejects(fixture.jobs.end('step'), { code: 'not_found' });
    assert.deepEqual(await fixture.jobs.list(), []);
  });

  it('ends a command at its time limit, with what it started', async () => {
    await start('sleep 100 & echo $! > child; wait', { timeLimitMs: 200 });
    const { exit } = await finish(fixture.jobs, 'step');
    assert.equal(exit.reason, 'time_limit');
    assert.equal(exit.message, 'Ended at its time limit of 0.2 s.');
    assert.equal(isRunning(Number(wordsOf(join(fixture.cwd, 'child'))[0])), false);
  });

  it('ends a command whose output grows without end', async () => {
    const limited = fixture.client({ outputLimitBytes: 2_000_000 });
    await limited.start({ key: 'step', command: 'yes | head -c 3000000; sleep 100', cwd: fixture.cwd });
    const { exit } = await finish(limited, 'step');
    assert.equal(exit.reason, 'ended');
    assert.match(exit.message ?? '', /output grew past 2000000 bytes/);
  });

  it('does not wait for what a command leaves in the background, nor end it', async () => {
    await start('sleep 100 & echo $! > child; echo done');
    const { exit, output } = await finish(fixture.jobs, 'step');
    assert.deepEqual([exit.code, output], [0, 'done\n']);
    const child = Number(wordsOf(join(fixture.cwd, 'child'))[0]);
    assert.equal(isRunning(child), true);
    assert.deepEqual(await fixture.jobs.end('step'), exit, 'how it ended stays what it was');
    assert.equal(isRunning(child), false);
  });

  it('gives commands the environment without keys, and writes none of it to disk', async () => {
    const environment = {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'k1',
      MY_API_KEY: 'sesame',
      NODE_OPTIONS: '--throw',
    };
    const jobs = fixture.client({ environment, secrets: () => ['sesame'] });
    await jobs.start({ key: 'step', command: 'env', cwd: fixture.cwd, env: { EXTRA: 'open-word' } });
    const names = (await finish(jobs, 'step')).output.split('\n').map((line) => line.split('=')[0] ?? '');
    assert.ok(names.includes('EXTRA') && names.includes('NODE_OPTIONS') && names.includes('RATCHET_JOB'));
    assert.deepEqual(
      names.filter((name) => /API_KEY|ELECTRON|CRASH/.test(name)),
      [],
    );
    const { folder, output } = fixture.files('step');
    for (const name of await readdir(folder)) {
      if (join(folder, name) === output) continue;
      assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /open-word|sesame/, name);
    }
  });

  it('has no process whose environment holds a key, under whatever name: neither supervisor, nor shell, nor command', async function () {
    if (process.platform !== 'linux') this.skip();
    const key = 'sk-ant-api03-0123456789';
    const environment = {
      PATH: process.env.PATH,
      MY_LLM: key,
      BASIC: Buffer.from(`user:${key}`).toString('base64'),
      KEPT: 'kept-word',
    };
    const jobs = fixture.client({ environment, secrets: () => [key] });
    await jobs.start({ key: 'step', command: 'cat /proc/self/environ; sleep 100', cwd: fixture.cwd });
    const files = fixture.files('step');
    for (const pid of [await supervisorPid(files), await shellPid(files)]) {
      const own = await readFile(`/proc/${String(pid)}/environ`, 'latin1');
      assert.match(own, /KEPT=kept-word/);
      assert.doesNotMatch(own, /MY_LLM|BASIC/);
    }
    await jobs.end('step');
    const { output } = await finish(jobs, 'step');
    assert.match(output, /KEPT=kept-word/);
    assert.doesNotMatch(output, /MY_LLM|BASIC/);
  });

  it('keeps its files to the user', async () => {
    await start('echo done');
    await finish(fixture.jobs, 'step');
    const { folder } = fixture.files('step');
    const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    assert.equal(await modeOf(fixture.root), '700');
    assert.equal(await modeOf(folder), '700');
    const names = await readdir(folder);
    for (const name of names) assert.equal(await modeOf(join(folder, name)), '600', name);
    const logs = ['output.log', 'shell.log', 'supervisor.log'];
    assert.deepEqual(names.sort(), ['claim', 'code', 'exit.json', 'job.json', 'running.json', ...logs].sort());
    assert.equal(await readFile(join(folder, 'supervisor.log'), 'utf8'), '');
  });

  it('lists all jobs, and cancels none by it', async () => {
    await fixture.jobs.start({ key: 'a', command: 'exit 4', cwd: fixture.cwd });
    await fixture.jobs.start({ key: 'b', command: 'sleep 100', cwd: fixture.cwd });
    await finish(fixture.jobs, 'a');
    const starting = fixture.jobs.start({ key: 'c', command: 'true', cwd: fixture.cwd });
    await until(async () => (await fixture.client().list()).length === 3);
    await starting;
    await finish(fixture.jobs, 'c');
    const states = (await fixture.jobs.list()).map(({ key, state }) => `${key} ${state.status}`);
    assert.deepEqual(states, ['a finished', 'b running', 'c finished']);
  });

  it('a look from the client that is just starting a job does not cancel it', async () => {
    const starting = start('echo done');
    await until(async () => (await fixture.jobs.find('step')).status !== 'absent');
    await starting;
    assert.equal((await finish(fixture.jobs, 'step')).output, 'done\n');
  });
});
