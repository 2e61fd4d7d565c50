import assert from 'node:assert/strict';
import { rename, rm, truncate } from 'node:fs/promises';
import { JobError } from '../../../src/jobs/jobError.ts';
import type { JobExit } from '../../../src/jobs/jobPort.ts';
import { ToolInputError, type ToolContext } from '../../../src/runner/ports.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { createRunCommandTool } from '../../../src/tools/runCommand.ts';
import { RunStopped, type StopKind } from '../../../src/runner/runStopped.ts';
import { FakeJobs, fakeExit } from './fakeJobs.ts';
import { allPaths, call, clockPasses, createToolFolder, cutStep, type ToolFolder } from './toolFolder.ts';

const key = 'toolu_step1';
const input = { command: 'make all' };

describe('run_command', () => {
  let folder: ToolFolder;
  let jobs: FakeJobs;
  beforeEach(async () => {
    folder = await createToolFolder();
    jobs = new FakeJobs();
  });
  afterEach(() => folder.remove());
  const tool = (limits: { commandTimeLimitMs?: number; scanLimit?: number } = {}) =>
    createRunCommandTool({ jobs: () => jobs, ...limits });

  /** A command that prints, ends at once, and may do something in between. */
  function command(
    output: string | Uint8Array,
    exit: Partial<JobExit> = {},
    work: () => unknown = () => undefined,
  ): void {
    jobs.onStart = async (spec) => {
      await work();
      jobs.print(spec.key, output);
      jobs.finish(spec.key, exit);
    };
  }

  it('shows the command and records the job before anything runs', async () => {
    const plan = await tool().plan(input, folder.context());
    assert.equal(plan.preview, 'make all');
    assert.deepEqual(plan.intent, { kind: 'job', key, command: 'make all' });
    assert.deepEqual(jobs.started, []);
  });

  it('gives the exit code, the time and the output', async () => {
    command('hello\n');
    const result = await call(tool(), input, folder.context());
    assert.deepEqual(result, { outcome: 'succeeded', content: 'Exit code 0 after 4.1 s.\n\nhello', exitCode: 0 });
    assert.deepEqual(jobs.started, [{ key, command: 'make all', cwd: folder.folder }]);
  });

  const ends: readonly (readonly [string, Partial<JobExit>, string, RegExp])[] = [
    ['a failing command', { code: 2 }, 'failed', /^Exit code 2 after 4\.1 s\.\n\n\(no output\)$/],
    ['a killed command', { reason: 'signalled', code: 137, signal: 'SIGKILL' }, 'failed', /^Killed by SIGKILL/],
    ['its time limit', { reason: 'time_limit', code: 143 }, 'timed_out', /by the command's time limit/],
    [
      'a folder that is gone',
      { reason: 'spawn_failed', code: null, message: 'No such folder.' },
      'failed',
      /could not be started\. No such folder\./,
    ],
    [
      'a lost command',
      { reason: 'lost', code: null, message: 'It was killed.' },
      'cut',
      /not known\. It was killed\. Check what is there/,
    ],
  ];
  for (const [what, exit, outcome, content] of ends) {
    it(`tells the end of ${what}`, async () => {
      command('', exit);
      const result = await call(tool(), input, folder.context());
      assert.equal(result.outcome, outcome);
      assert.match(result.content, content);
    });
  }

  it('tells that the supervisor could not be started', async () => {
    jobs.start = () => Promise.reject(new JobError('supervisor_failed', 'The command could not be started.'));
    const result = await call(tool(), input, folder.context());
    assert.equal(result.outcome, 'failed');
    assert.equal(result.content, 'The command could not be started.');
  });

  it('cuts a long output in the middle and refers to all of it', async () => {
    command('😀\n'.repeat(20_000));
    const { content, output } = await call(tool(), input, folder.context());
    assert.ok(Buffer.byteLength(content) < 17 * 1024 && content.isWellFormed());
    assert.match(content, /😀\n\[… [\d,]+ bytes, [\d,]+ lines left out …\]\n😀/);
    assert.ok(!content.includes('\uFFFD'));
    assert.deepEqual(output, { file: `jobs/${key}/output.log`, bytes: 100_000 });
  });

  for (const [asked, limit, given] of [
    [undefined, undefined, undefined],
    [undefined, 60_000, 60_000],
    [5, 60_000, 5000],
    [500, 60_000, 60_000],
    [5, undefined, 5000],
  ] as const) {
    it(`gives the job ${String(given)} ms when asked for ${String(asked)} s below a limit of ${String(limit)} ms`, async () => {
      command('');
      const limits = limit === undefined ? {} : { commandTimeLimitMs: limit };
      await call(tool(limits), { ...input, timeout_seconds: asked }, folder.context());
      assert.equal(jobs.started[0]?.timeLimitMs, given);
    });
  }

  for (const bad of [
    {},
    { command: '' },
    { command: ' \n' },
    { command: 'a\0' },
    { command: 'a', timeout_seconds: 0 },
  ]) {
    it(`refuses the input ${JSON.stringify(bad)}`, async () => {
      await assert.rejects(tool().plan(bad, folder.context()), ToolInputError);
    });
  }

  it('shows the last lines while the command runs', async () => {
    const shown: (readonly string[])[] = [];
    const saw = Promise.withResolvers<undefined>();
    jobs.onStart = () => {
      jobs.print(key, 'one\ntw');
    };
    const showOutput = (lines: readonly string[]): void => {
      shown.push(lines);
      saw.resolve(undefined);
    };
    const ended = call(tool(), input, folder.context({ showOutput }));
    await saw.promise;
    assert.deepEqual(shown, [['one', 'tw']]);
    jobs.print(key, 'o\n');
    jobs.finish(key);
    await ended;
    assert.deepEqual(shown.at(-1), ['one', 'two']);
  });

  describe('names the files that the command', () => {
    it('created, changed and deleted', async () => {
      await folder.put('kept.txt', 'same');
      await folder.put('b.txt', 'old');
      await folder.put('c.txt', 'going');
      await folder.put('node_modules/x/index.js', 'old');
      command('', {}, async () => {
        await folder.put('out/a.txt', 'made');
        await folder.put('b.txt', 'new!');
        await rm(folder.at('c.txt'));
        await folder.put('node_modules/x/index.js', 'newer');
        await folder.put('.git/index', 'x');
      });
      const result = await call(tool(), input, folder.context());
      assert.deepEqual(result.artifacts, [
        { path: 'b.txt', change: 'changed', size: 4, sha256: hashBytes('new!') },
        { path: 'c.txt', change: 'deleted', size: 0, sha256: null },
        { path: 'out/a.txt', change: 'created', size: 4, sha256: hashBytes('made') },
      ]);
      assert.equal(result.note, undefined);
    });

    it('made when it failed or was stopped', async () => {
      const stop = new AbortController();
      jobs.onStart = async () => {
        await folder.put('half.txt', 'half');
        stop.abort(new RunStopped('user'));
      };
      const result = await call(tool(), input, folder.context({ signal: stop.signal }));
      assert.equal(result.outcome, 'cancelled');
      assert.deepEqual(
        result.artifacts?.map(({ path }) => path),
        ['half.txt'],
      );
    });

    it('made, and not what others did since the command before it', async () => {
      for (const name of ['edited.txt', 'deleted.txt', 'both.txt', 'deep/replaced.txt'])
        await folder.put(name, 'first');
      const runCommand = tool();
      command('');
      assert.equal((await call(runCommand, input, folder.context())).artifacts, undefined);
      await folder.put('edited.txt', 'by the user');
      await folder.put('new.txt', 'by the user');
      await folder.put('deep/replaced.txt~', 'by the user');
      await rename(folder.at('deep/replaced.txt~'), folder.at('deep/replaced.txt'));
      await rm(folder.at('deleted.txt'));
      await clockPasses(await folder.put('both.txt', 'by the user'));
      command('', {}, async () => {
        await folder.put('both.txt', 'by the command');
        await folder.put('made.txt', 'by the command');
      });
      const result = await call(runCommand, input, folder.context({ stepId: 'toolu_step2' }));
      assert.deepEqual(
        result.artifacts?.map(({ path, change }) => [path, change]),
        [
          ['both.txt', 'changed'],
          ['made.txt', 'created'],
        ],
      );
    });

    it('made while the clock was put back', async () => {
      const { now } = Date;
      await folder.put('old.txt', 'x');
      Date.now = () => now() + 3_600_000;
      command('', {}, async () => {
        Date.now = now;
        await folder.put('old.txt', 'other');
      });
      try {
        const { artifacts } = await call(tool(), input, folder.context());
        assert.deepEqual(
          artifacts?.map(({ path }) => path),
          ['old.txt'],
        );
      } finally {
        Date.now = now;
      }
    });

    it('made, 200 at most, and counts the rest', async () => {
      command('', {}, async () => {
        for (let i = 0; i < 205; i++) await folder.put(`${String(i).padStart(3, '0')}.txt`, 'x');
      });
      const result = await call(tool(), input, folder.context());
      assert.equal(result.artifacts?.length, 200);
      assert.equal(result.note, '5 more changed files not recorded');
    });

    it('made in a folder that is too large to be looked at whole, without inventing any', async () => {
      for (let i = 0; i < 10; i++) await folder.put(`old${String(i)}.txt`, 'x');
      await clockPasses(await folder.put('old9.txt', 'x'));
      command('', {}, async () => {
        await folder.put('new.txt', 'made');
        // Others move up into what is looked at.
        for (let i = 0; i < 3; i++) await rm(folder.at(`old${String(i)}.txt`));
      });
      const result = await call(tool({ scanLimit: 5 }), input, folder.context());
      assert.deepEqual(
        result.artifacts?.map(({ path, change }) => ({ path, change })),
        [{ path: 'new.txt', change: 'created' }],
      );
      assert.match(result.note ?? '', /only the first 5 files/);
    });
  });

  describe('on a stop', () => {
    async function stopped(kind: StopKind) {
      const stop = new AbortController();
      const reason = new RunStopped(kind);
      jobs.onStart = () => {
        jobs.print(key, 'so far\n');
        stop.abort(reason);
      };
      return { reason, ended: call(tool(), input, folder.context({ signal: stop.signal })) };
    }

    for (const [kind, outcome, words] of [
      ['user', 'cancelled', /^Stopped by the user.*The output so far:\n\nso far$/s],
      ['time_limit', 'timed_out', /the run reached its time limit. The output so far:\n\nso far$/],
    ] as const) {
      it(`(${kind}) the command is ended and its output kept`, async () => {
        const result = await (await stopped(kind)).ended;
        assert.equal(result.outcome, outcome);
        assert.match(result.content, words);
        assert.deepEqual(jobs.ended, [key]);
      });
    }

    for (const kind of ['user_keep_command', 'shutdown'] as const) {
      it(`(${kind}) the command is left alone and its step stays open`, async () => {
        const { ended, reason } = await stopped(kind);
        await assert.rejects(ended, (error) => error === reason);
        assert.deepEqual(jobs.ended, []);
        assert.equal((await jobs.find(key)).status, 'running');
      });
    }

    it('before the command, nothing is started', async () => {
      const signal = AbortSignal.abort(new RunStopped('user'));
      assert.equal((await call(tool(), input, folder.context({ signal }))).outcome, 'not_started');
      assert.deepEqual(jobs.started, []);
    });
  });

  describe('after an interruption', () => {
    async function recover(context: ToolContext = folder.context()) {
      const plan = await tool().plan(input, context);
      return tool().recover(
        cutStep(tool(), input, { ...plan, intent: { kind: 'job', key, ...input } }, context),
        context,
      );
    }
    /** Starts the command for real, with the window closed while it runs. */
    async function cutWhileRunning(): Promise<void> {
      const stop = new AbortController();
      jobs.onStart = () => {
        jobs.print(key, 'first\n');
        stop.abort(new RunStopped('shutdown'));
      };
      await assert.rejects(call(tool(), input, folder.context({ signal: stop.signal })));
    }

    it('a command that still runs is followed from its first byte on', async () => {
      await cutWhileRunning();
      const shown: (readonly string[])[] = [];
      const recovery = await recover(folder.context({ showOutput: (lines) => shown.push(lines) }));
      assert.ok(recovery.kind === 'continues');
      const following = recovery.follow();
      await folder.put('late.txt', 'x');
      jobs.print(key, 'second\n');
      jobs.finish(key);
      const result = await following;
      assert.equal(result.outcome, 'succeeded');
      assert.match(result.content, /first\nsecond$/);
      assert.equal(result.note, 'kept running while the window was closed');
      assert.deepEqual(
        result.artifacts?.map(({ path }) => path),
        ['late.txt'],
      );
      assert.deepEqual(shown.at(-1), ['first', 'second']);
      assert.equal(jobs.started.length, 1);
    });

    it('a command that ended meanwhile gives its own exit code, output and files', async () => {
      await cutWhileRunning();
      await folder.put('made.txt', 'x');
      jobs.finish(key, { code: 3 });
      const recovery = await recover();
      assert.ok(recovery.kind === 'settled');
      assert.deepEqual(recovery.result, {
        outcome: 'failed',
        content: 'Exit code 3 after 4.1 s.\n\nfirst',
        exitCode: 3,
        artifacts: [{ path: 'made.txt', change: 'created', size: 1, sha256: hashBytes('x') }],
        note: 'finished while the window was closed: exit 3',
      });
    });

    it('a lost command is told as cut, with its output so far', async () => {
      await cutWhileRunning();
      jobs.finish(key, { reason: 'lost', code: null });
      const recovery = await recover();
      assert.ok(recovery.kind === 'settled');
      assert.equal(recovery.result.outcome, 'cut');
      assert.match(recovery.result.content, /^Interrupted; whether the command did its work is not known.*first$/s);
    });

    it('a command that never started is run again under its next key, and found there', async () => {
      assert.deepEqual(await recover(), { kind: 'rerun' });
      jobs.put(key, { status: 'never_started' });
      assert.deepEqual(await recover(), { kind: 'rerun' });
      command('again');
      const context = folder.context();
      const plan = await tool().plan(input, context);
      assert.deepEqual(plan.intent, { kind: 'job', key: `${key}.2`, ...input });
      assert.match((await plan.execute()).content, /again/);
      const recovery = await recover();
      assert.ok(recovery.kind === 'settled' && recovery.result.exitCode === 0);
    });

    it('says so when what the folder held before is not known any more', async () => {
      jobs.put(key, { status: 'finished', exit: fakeExit() });
      const recovery = await recover();
      assert.ok(recovery.kind === 'settled');
      assert.match(recovery.result.note ?? '', /exit 0; which files it changed is not known/);
    });

    it('does not take a damaged record of the folder for a folder', async () => {
      await cutWhileRunning();
      const [scan = ''] = (await allPaths(folder.storage)).filter((path) => path.startsWith('scans/'));
      await truncate(`${folder.storage}/${scan}`, 20);
      jobs.finish(key);
      const recovery = await recover();
      assert.ok(recovery.kind === 'settled' && recovery.result.artifacts === undefined);
      assert.match(recovery.result.note ?? '', /not known/);
    });
  });

  it('names the job by a hash where the step id can not be a file name', async () => {
    const plan = await tool().plan(input, folder.context({ stepId: '../up|x' }));
    assert.match(plan.intent?.kind === 'job' ? plan.intent.key : '', /^step-[0-9a-f]{32}$/);
  });
});
