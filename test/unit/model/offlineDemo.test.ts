import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { ToolUseBlock } from '../../../src/core/messages.ts';
import { createAnthropicModel } from '../../../src/model/anthropic.ts';
import { createDemoFetch, offlineDemoEndpoint } from '../../../src/model/offlineDemo.ts';
import { DemoSession, type Answer } from './demoSession.ts';
import { simpleRequest } from './rawServer.ts';

const wholeJob = [
  'write ratchet-demo/data.csv',
  'write ratchet-demo/job.sh',
  'run sh ratchet-demo/job.sh check',
  'run sh ratchet-demo/job.sh train',
  'run sh ratchet-demo/job.sh evaluate',
  'write ratchet-demo/report.md',
];

function isTraining(call: ToolUseBlock): boolean {
  return call.name === 'run_command' && String(call.input.command).endsWith(' train');
}

function begun(): DemoSession {
  const session = new DemoSession();
  session.say('Do something.');
  return session;
}

describe('offline demo: the script', () => {
  it('plays five steps to the end, and says first that it is no model', async () => {
    const session = begun();
    const said = await session.run();
    assert.match(said, /^This is Ratchet's offline demo: a script answers here, not a model.*"Ratchet: Set API Key"/);
    assert.deepEqual(session.effects, wholeJob);
    assert.equal(session.tasks.length, 5);
    assert.deepEqual(new Set(session.tasks.map((task) => task.status)), new Set(['completed']));
    const report = session.files.get('ratchet-demo/report.md') ?? '';
    assert.match(report, /y = 1\.9 \* x \+ 1\.0/);
    assert.match(report, /mean error 0\.05/);
  });

  // Requests: the plan, five steps, the last tick, the last words.
  for (const requests of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`goes on after a resume behind request ${String(requests)}, without doing anything twice`, async () => {
      const session = begun();
      await session.run(requests);
      session.say(
        'This session was interrupted and is resumed now.',
        '## Artifacts of this session\nNo files were recorded.',
      );
      const said = await session.run();
      assert.deepEqual(session.effects, wholeJob);
      assert.match(said, requests < 8 ? /All five steps are done/ : /Type "again"/);
      if (requests > 1 && requests < 6)
        assert.match(said, new RegExp(`^Resumed: ${String(requests - 1)} of 5 steps already done`));
    });
  }

  const cuts: readonly string[] = [
    'Stopped by the user after 4.1 s. The output so far:\n\nepoch 4/20: loss 1.2',
    'Interrupted; whether the command did its work is not known. Check what is there before running it again.',
    'Interrupted. The outcome of this call is unknown: check before you do it again.',
    "Ended after 10 s by the command's time limit. The output so far:",
    'Killed by SIGKILL after 3 s.',
  ];
  for (const content of cuts) {
    it(`trains again, and says why, when the result says: ${content.slice(0, 30)}…`, async () => {
      const session = begun();
      let left = 1;
      session.intercept = (call): Answer | undefined =>
        isTraining(call) && left-- > 0 ? { content, isError: true } : undefined;
      await session.run(4);
      session.say(
        'This session was interrupted and is resumed now.',
        '## Artifacts of this session\nNo files were recorded.',
      );
      const said = await session.run();
      assert.match(said, /"Train for 20 seconds" was interrupted and its result says that it did not finish/);
      assert.deepEqual(session.effects, wholeJob);
    });
  }

  it('takes a training that went on while the window was closed for done', async () => {
    const session = begun();
    await session.run(4);
    session.say(
      'This session was interrupted and is resumed now.',
      '## Artifacts of this session\nNo files were recorded.',
    );
    const said = await session.run();
    assert.doesNotMatch(said, /Now the training|interrupted/);
    assert.equal(session.effects.filter((effect) => effect.endsWith(' train')).length, 1);
  });

  it('starts what was not started, without a word about an interruption', async () => {
    const session = begun();
    let left = 1;
    session.intercept = (call): Answer | undefined =>
      isTraining(call) && left-- > 0
        ? { content: 'Not started: the run was cut before this call began.', isError: true }
        : undefined;
    const said = await session.run();
    assert.doesNotMatch(said, /interrupted and its result/);
    assert.deepEqual(session.effects, wholeJob);
  });

  it('makes again what the resume context says is missing, and only that', async () => {
    const session = begun();
    await session.run(4);
    session.say(
      'Resumed.',
      '## Artifacts of this session\nratchet-demo/data.csv: missing (200 B)\nratchet-demo/model.txt: intact (12 B)',
    );
    const said = await session.run();
    assert.match(said, /What "Write the data and the job" had made is not there any more/);
    assert.deepEqual(session.effects, [...wholeJob.slice(0, 4), 'write ratchet-demo/data.csv', ...wholeJob.slice(4)]);
  });

  it('ends when a step is denied, and says so', async () => {
    const session = begun();
    session.intercept = (call) =>
      isTraining(call) ? { content: 'The user denied this call.', isError: true } : undefined;
    const said = await session.run();
    assert.match(said, /You did not allow "Train for 20 seconds", so the script ends here/);
    assert.deepEqual(session.effects, wholeJob.slice(0, 3));
  });

  it('reads a file that is there already before it writes it, and gives up when it changes each time', async () => {
    const stale = {
      content: 'data.csv exists, and you have not read it in this session. Read it first.',
      isError: true,
    } as const;
    const session = begun();
    let refusals = 1;
    session.intercept = ({ name, input }) =>
      name === 'write' && String(input.file_path).endsWith('data.csv') && refusals-- > 0 ? stale : undefined;
    const said = await session.run();
    assert.match(said, /is there already: it is read before it is written/);
    const data = 'ratchet-demo/data.csv';
    assert.deepEqual(
      session.effects.filter((effect) => effect.endsWith(data)),
      [`read ${data}`, `write ${data}`],
    );
    assert.match(said, /All five steps are done/);

    const unlucky = begun();
    unlucky.intercept = ({ name }) => (name === 'write' ? stale : undefined);
    assert.match(await unlucky.run(), /a script does not know what to do about it/);
  });

  it('ends with the words of a tool that failed', async () => {
    const session = begun();
    session.intercept = (call) =>
      isTraining(call) ? { content: 'Exit code 127 after 0.1 s.\n\nawk: not found', isError: true } : undefined;
    assert.match(await session.run(), /"Train for 20 seconds" failed.*> Exit code 127.*> awk: not found/s);
  });

  it('ends even where the task list cannot be changed', async () => {
    const session = begun();
    session.intercept = (call) =>
      call.name === 'tasks' && call.input.action === 'update' ? { content: 'tasks: no', isError: true } : undefined;
    assert.match(await session.run(), /All five steps are done/);
    assert.deepEqual(session.effects, wholeJob);
  });

  it('says that it is a script to whatever is typed later, and plays again on "again"', async () => {
    const session = begun();
    await session.run();
    session.say('Now refactor my code.');
    assert.match(await session.run(), /This is a script, so it cannot answer that\. Type "again"/);
    session.say('Again!');
    await session.run();
    assert.deepEqual(session.effects, [...wholeJob, ...wholeJob]);
    assert.equal(session.tasks.length, 10);
    assert.ok(session.tasks.every((task) => task.status === 'completed'));
  });

  it('goes on with the script when something is typed in the middle', async () => {
    const session = begun();
    await session.run(3);
    session.say('What are you doing?');
    assert.match(await session.run(), /^A script cannot answer that, so it goes on where it was\./);
    assert.deepEqual(session.effects, wholeJob);
  });

  it('plays after a conversation with another model', async () => {
    const session = new DemoSession();
    session.say('Hello.');
    session.messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Hello, I am a model.' }] });
    session.say('Do it.');
    await session.run();
    assert.deepEqual(session.effects, wholeJob);
  });

  it('uses PowerShell on Windows', async () => {
    const session = new DemoSession('win32');
    session.say('Do something.');
    await session.run();
    assert.ok(session.files.has('ratchet-demo/job.ps1') && !session.files.has('ratchet-demo/job.sh'));
    assert.ok(
      session.effects.includes('run powershell -NoProfile -ExecutionPolicy Bypass -File ratchet-demo/job.ps1 train'),
    );
  });
});

describe('offline demo: the job', function () {
  const run = promisify(execFile);
  let folder = '';
  before(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await mkdtemp(join(tmpdir(), 'ratchet-demo-'));
    const session = begun();
    await session.run();
    await mkdir(join(folder, 'ratchet-demo'));
    for (const [path, content] of session.files) await writeFile(join(folder, path), content);
    // A `sleep` that does not.
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'sleep'), '#!/bin/sh\nexit 0\n');
    await chmod(join(folder, 'bin', 'sleep'), 0o755);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const job = async (mode: string): Promise<string> => {
    const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
    const { stdout, stderr } = await run('sh', ['ratchet-demo/job.sh', mode], { cwd: folder, env: { PATH: path } });
    assert.equal(stderr, '');
    return stdout;
  };

  it('checks, trains with a line for each pass, and evaluates', async () => {
    assert.equal(await job('check'), 'data ok: 24 rows\n');
    const trained = await job('train');
    assert.equal(trained.match(/^epoch \d+\/20: loss [\d.]+$/gm)?.length, 20);
    const [, w, b] = /training finished: y = ([\d.]+) \* x \+ ([\d.]+)/.exec(trained) ?? [];
    assert.ok(Math.abs(Number(w) - 2) < 0.1 && Math.abs(Number(b) - 1) < 0.1, trained);
    assert.equal(await readFile(join(folder, 'ratchet-demo', 'model.txt'), 'utf8'), `${w ?? ''} ${b ?? ''}\n`);
    assert.match(await job('evaluate'), /^evaluation finished: mean error 0\.0\d+ over 24 points\n$/);
  });

  it('says so when the data is damaged, and when there is nothing to evaluate', async () => {
    await writeFile(join(folder, 'ratchet-demo', 'data.csv'), 'x,y\n1,2\nx,3\n');
    await rm(join(folder, 'ratchet-demo', 'model.txt'), { force: true });
    await assert.rejects(job('check'), /Command failed/);
    await assert.rejects(job('evaluate'), /Command failed/);
  });
});

describe('offline demo: the server that is not there', () => {
  const fetchDemo = createDemoFetch({ delayMs: 1 });

  it('streams its words in pieces that add up', async () => {
    const model = createAnthropicModel({ ...offlineDemoEndpoint, fetch: fetchDemo });
    const pieces: string[] = [];
    const { content } = await model.stream(simpleRequest, {
      onDelta: (delta) => {
        if (delta.kind === 'text') pieces.push(delta.text);
      },
      signal: new AbortController().signal,
    });
    assert.ok(pieces.length > 20);
    assert.deepEqual(content[0], { type: 'text', text: pieces.join('') });
  });

  it('stops in the middle with the reason of the caller', async () => {
    const model = createAnthropicModel({ ...offlineDemoEndpoint, fetch: createDemoFetch({ delayMs: 60_000 }) });
    const stop = new AbortController();
    const reason = new Error('stopped');
    const answer = model.stream(simpleRequest, { onDelta: () => undefined, signal: stop.signal });
    setImmediate(() => stop.abort(reason));
    await assert.rejects(answer, (error: unknown) => error === reason);
  });

  it('answers the same request with the same bytes', async () => {
    const ask = async (): Promise<string> => {
      const body = JSON.stringify({ ...simpleRequest, stream: true });
      return (await fetchDemo(`${offlineDemoEndpoint.baseURL}/v1/messages`, { method: 'POST', body })).text();
    };
    assert.equal(await ask(), await ask());
  });

  it('refuses other paths and other bodies as the API does', async () => {
    assert.equal((await fetchDemo(`${offlineDemoEndpoint.baseURL}/v1/models`)).status, 404);
    const odd = await fetchDemo(`${offlineDemoEndpoint.baseURL}/v1/messages`, { method: 'POST', body: '{}' });
    assert.equal(odd.status, 400);
  });
});
