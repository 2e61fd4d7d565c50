import assert from 'node:assert/strict';
import type { ApprovalRule } from '../../../src/core/approval/rules.ts';
import { runsOrInstructs } from '../../../src/core/approval/runningFiles.ts';
import type { Confinement } from '../../../src/core/confinement.ts';
import type { EventOf, NewEvent } from '../../../src/core/events.ts';
import type { ApprovalRuleStore } from '../../../src/runner/approvalRules.ts';
import type { SandboxPort } from '../../../src/runner/sandboxPort.ts';
import type { Tool } from '../../../src/runner/ports.ts';
import { createRunCommandTool } from '../../../src/tools/runCommand.ts';
import { createBench, folder, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { createFakeTool } from '../../support/fakes/fakeTools.ts';
import { createMemoryRules } from '../../support/fakes/memoryRules.ts';
import { answer, call, say } from '../../support/fakes/scriptedModel.ts';
import { FakeJobs } from '../tools/fakeJobs.ts';

const confinement: Confinement = {
  ...{ program: '/usr/bin/bwrap', folder: folder.path, temporary: '/storage/tmp', home: '/home/ada' },
  ...{ hidden: ['/storage'], writable: [], domains: [] },
};
const ready: SandboxPort = {
  look: async () => ({ kind: 'ready', confinement }),
  alsoForRules: () => false,
};
const none: SandboxPort = {
  look: async () => ({ kind: 'none', why: 'The sandbox needs bubblewrap, which is not installed.' }),
  alsoForRules: () => false,
};

/** Commands that need more than the sandbox gives fail in it, and succeed outside. */
function machine(): FakeJobs {
  const jobs = new FakeJobs();
  jobs.onStart = ({ key, command, confinement: inside }) => {
    const isRefused = inside !== undefined && command.includes('/etc');
    jobs.print(key, isRefused ? "touch: cannot touch '/etc/x': Read-only file system\n" : 'done\n');
    jobs.finish(key, { code: isRefused ? 1 : 0 });
  };
  return jobs;
}

interface Setup extends BenchOptions {
  readonly jobs: FakeJobs;
  readonly sandbox?: SandboxPort;
  readonly more?: readonly Tool[];
}

function window({ jobs, sandbox = ready, more = [], ...options }: Setup): Bench {
  const tools = [createRunCommandTool({ jobs: () => jobs }), ...more];
  return createBench({ approvalMode: 'sandbox', ...options, ports: { tools, sandbox, ...options.ports } });
}

async function begin(setup: Setup, command: string): Promise<{ readonly bench: Bench; readonly id: string }> {
  const bench = window({ turns: [answer(call('c1', 'run_command', { command })), answer(say('So be it.'))], ...setup });
  const id = await bench.create();
  await bench.sessions.send(id, 'Go.');
  return { bench, id };
}

const sidesOf = (jobs: FakeJobs): readonly string[] =>
  jobs.started.map((spec) => (spec.confinement ? 'inside' : 'outside'));
const ofType = <T extends NewEvent['type']>(bench: Bench, id: string, type: T): readonly EventOf<T>[] =>
  bench.events(id).filter((event): event is EventOf<T> => event.type === type);

describe('a run in the mode sandbox', () => {
  it('runs a command in it at once, and has on record that it did', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs }, 'make');
    await bench.ended(id);
    assert.deepEqual(jobs.started[0]?.confinement, confinement);
    assert.equal(ofType(bench, id, 'approval_requested').length, 0);
    assert.deepEqual(ofType(bench, id, 'step_started')[0]?.intent, {
      ...{ kind: 'job', key: 'c1', command: 'make', sandbox: 'inside' },
    });
  });

  it('asks to leave it when it refused something, in words, and runs it outside once that is allowed', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs }, 'touch /etc/x');
    const asked = await bench.event(id, 'approval_requested');
    assert.equal(asked.outside, true);
    assert.equal(asked.note, 'It tried to write /etc/x, which is outside the folder.');
    assert.deepEqual(sidesOf(jobs), ['inside']);
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    assert.deepEqual(sidesOf(jobs), ['inside', 'outside']);
    const intents = ofType(bench, id, 'step_started').map(({ intent }) => intent?.kind === 'job' && intent.sandbox);
    assert.deepEqual(intents, ['inside', 'outside']);
    const [end] = ofType(bench, id, 'step_finished');
    assert.equal(end?.outcome, 'succeeded');
  });

  it('leaves it failed when that is denied: the model has what happened inside, and the reason', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs }, 'touch /etc/x');
    await bench.event(id, 'approval_requested');
    await bench.sessions.approve(id, 'c1', 'deny', 'Write it here.');
    await bench.ended(id);
    assert.deepEqual(sidesOf(jobs), ['inside']);
    const [end] = ofType(bench, id, 'step_finished');
    assert.equal(end?.outcome, 'failed');
    assert.equal(end.exitCode, 1);
    assert.match(end.content, /Read-only file system/);
    assert.match(end.content, /did not allow to run it outside the sandbox and said: Write it here\./);
  });

  it('asks where the model says that it needs more, without trying inside', async () => {
    const jobs = machine();
    const { bench, id } = await begin(
      {
        jobs,
        turns: [
          answer(call('c1', 'run_command', { command: 'docker ps', outside_sandbox: 'it talks to the daemon' })),
          answer(say('Good.')),
        ],
      },
      '',
    );
    const asked = await bench.event(id, 'approval_requested');
    assert.equal(asked.note, 'It is said to need more: it talks to the daemon');
    assert.deepEqual(jobs.started, []);
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    assert.deepEqual(sidesOf(jobs), ['outside']);
  });

  it('is as ask where there is no sandbox, and says why', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs, sandbox: none }, 'make');
    const asked = await bench.event(id, 'approval_requested');
    assert.match(asked.note ?? '', /needs bubblewrap, which is not installed/);
    assert.equal(asked.outside, undefined);
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    assert.deepEqual(sidesOf(jobs), ['outside']);
  });

  const edits: readonly (readonly [string, boolean])[] = [
    ['src/a.ts', false],
    ['.git/hooks/post-commit', true],
    ['.vscode/tasks.json', true],
    ['packages/a/.VSCODE/settings.json', true],
    ['AGENTS.md', true],
    ['a.code-workspace', true],
  ];
  for (const [path, asks] of edits) {
    it(`${asks ? 'asks about' : 'makes'} an edit of ${path}`, async () => {
      const intent = { kind: 'file', path, beforeSha256: null, afterSha256: 'after' } as const;
      const why = runsOrInstructs(path)?.why;
      const edit = createFakeTool({ name: 'write', effect: 'edit', intent, ...(why && { why }) }, () => undefined);
      const turns = [answer(call('c1', 'write', {})), answer(say('Done.'))];
      const { bench, id } = await begin({ jobs: machine(), more: [edit], turns }, '');
      if (asks) {
        await bench.event(id, 'approval_requested');
        await bench.sessions.stop(id);
      }
      await bench.ended(id);
      assert.equal(edit.effects.length, asks ? 0 : 1);
    });
  }

  it('asks about a tool of the editor, which nothing confines', async () => {
    const tool = createFakeTool({ name: 'mcp', effect: 'command' }, () => undefined);
    const turns = [answer(call('c1', 'mcp', {})), answer(say('Done.'))];
    const { bench, id } = await begin({ jobs: machine(), more: [tool], turns }, '');
    await bench.event(id, 'approval_requested');
    await bench.sessions.stop(id);
    assert.equal(tool.effects.length, 0);
  });

  it('a question that waits is answered by the change to it, in the sandbox, also after a cut right then', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs, approvalMode: 'ask', ownerId: 'first' }, 'make');
    await bench.event(id, 'approval_requested');
    const killed = killAt(bench, 'first', (event) => event.type === 'step_started');
    await bench.sessions.setApprovalMode(id, 'sandbox');
    await killed;
    assert.equal(ofType(bench, id, 'approval_answered')[0]?.confined, true);
    assert.deepEqual(jobs.started, []);
    const next = window({ jobs, approvalMode: 'ask', disk: bench.disk, turns: [answer(say('Done.'))] });
    await next.sessions.resume(id);
    await next.ended(id);
    assert.deepEqual(sidesOf(jobs), ['inside']);
  });
});

describe('a command that a rule allows', () => {
  async function withRule(mode: 'ask' | 'sandbox', alsoForRules: boolean, command = 'make all') {
    const rules: ApprovalRuleStore = createMemoryRules();
    await rules.add(folder.uri, [
      { kind: 'program', words: ['make'] },
      { kind: 'exact', syntax: 'posix', command },
    ]);
    const jobs = machine();
    const sandbox = { ...ready, alsoForRules: () => alsoForRules };
    return { jobs, ...(await begin({ jobs, sandbox, rules, approvalMode: mode }, command)) };
  }
  const sides: readonly (readonly ['ask' | 'sandbox', boolean, string])[] = [
    ['ask', false, 'outside'],
    ['ask', true, 'inside'],
    ['sandbox', false, 'outside'],
    ['sandbox', true, 'inside'],
  ];
  for (const [mode, alsoForRules, side] of sides) {
    it(`runs ${side} in the mode ${mode}${alsoForRules ? ' where rules are confined too' : ''}`, async () => {
      const { jobs, bench, id } = await withRule(mode, alsoForRules);
      await bench.ended(id);
      assert.deepEqual(sidesOf(jobs), [side]);
      assert.notEqual(ofType(bench, id, 'step_started')[0]?.allowedBy, undefined);
    });
  }

  const gitSides: readonly (readonly ['ask' | 'sandbox', ApprovalRule, string])[] = [
    ['sandbox', { kind: 'program', words: ['git', 'status'] }, 'inside'],
    ['sandbox', { kind: 'exact', syntax: 'posix', command: 'git status sub' }, 'outside'],
    ['ask', { kind: 'program', words: ['git', 'status'] }, 'outside'],
  ];
  for (const [mode, rule, side] of gitSides) {
    it(`of git, by a rule of the kind ${rule.kind}, runs ${side} in the mode ${mode}`, async () => {
      const rules: ApprovalRuleStore = createMemoryRules();
      await rules.add(folder.uri, [rule]);
      const jobs = machine();
      const { bench, id } = await begin({ jobs, sandbox: ready, rules, approvalMode: mode }, 'git status sub');
      await bench.ended(id);
      assert.deepEqual(sidesOf(jobs), [side]);
    });
  }

  it('is asked about before it leaves the sandbox, where rules are confined too', async () => {
    const { jobs, bench, id } = await withRule('ask', true, 'touch /etc/x');
    const asked = await bench.event(id, 'approval_requested');
    assert.equal(asked.outside, true);
    assert.equal(asked.asked, undefined, 'no rule would let it out');
    assert.deepEqual(sidesOf(jobs), ['inside']);
    await bench.sessions.stop(id);
  });
});

/** Kills the window when it is about to write such a record; resolves then. */
function killAt(bench: Bench, owner: string, matches: (event: NewEvent) => boolean): Promise<undefined> {
  const { disk } = bench;
  const before = disk.beforeWrite;
  const killed = Promise.withResolvers<undefined>();
  disk.beforeWrite = (events, durable) => {
    before(events, durable);
    if (disk.dead.has(owner) || !events.some(matches)) return;
    disk.kill(owner);
    killed.resolve(undefined);
  };
  return killed.promise;
}

describe('a window that is killed while a command has to leave the sandbox', () => {
  const isSide = (event: NewEvent, side: string): boolean =>
    event.type === 'step_started' && event.intent?.kind === 'job' && event.intent.sandbox === side;
  const moments: readonly (readonly [string, (event: NewEvent) => boolean])[] = [
    ['before it runs inside', (event) => isSide(event, 'inside')],
    ['before the question', (event) => event.type === 'approval_requested'],
    ['before the answer', (event) => event.type === 'approval_answered'],
    ['before it runs outside', (event) => isSide(event, 'outside')],
    ['before its end', (event) => event.type === 'step_finished'],
  ];
  for (const [words, matches] of moments) {
    it(`${words}: each attempt is made once, and outside only by the answer`, async () => {
      const jobs = machine();
      const bench = window({
        jobs,
        ownerId: 'first',
        turns: [answer(call('c1', 'run_command', { command: 'touch /etc/x' }))],
      });
      const killed = killAt(bench, 'first', matches);
      const id = await bench.create();
      await bench.sessions.send(id, 'Go.');
      void bench
        .event(id, 'approval_requested')
        .then(() => bench.sessions.approve(id, 'c1', 'allow'))
        .catch(() => undefined);
      await killed;
      const next = window({ jobs, disk: bench.disk, turns: [answer(say('Done.'))] });
      const answered = ofType(next, id, 'approval_answered').length;
      await next.sessions.resume(id);
      if (answered === 0) {
        await next.event(id, 'approval_requested');
        assert.ok(!sidesOf(jobs).includes('outside'), 'not before the answer');
        await next.sessions.approve(id, 'c1', 'allow');
      }
      await next.ended(id);
      assert.deepEqual(sidesOf(jobs), ['inside', 'outside']);
      assert.equal(ofType(next, id, 'approval_answered').length, 1);
      assert.equal(ofType(next, id, 'step_finished').at(-1)?.outcome, 'succeeded');
    });
  }

  it('between the start on record and the start outside: it is done then, by the answer that was given', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs, ownerId: 'first' }, 'touch /etc/x');
    await bench.event(id, 'approval_requested');
    const { onStart } = jobs;
    const reached = Promise.withResolvers<undefined>();
    const start = jobs.start.bind(jobs);
    jobs.start = (spec) => {
      bench.disk.kill('first');
      reached.resolve(undefined);
      return new Promise(() => spec);
    };
    await bench.sessions.approve(id, 'c1', 'allow');
    await reached.promise;
    jobs.start = start;
    jobs.onStart = onStart;
    const next = window({ jobs, disk: bench.disk, turns: [answer(say('Done.'))] });
    await next.sessions.resume(id);
    await next.ended(id);
    assert.deepEqual(sidesOf(jobs), ['inside', 'outside']);
    assert.equal(ofType(next, id, 'approval_requested').length, 1);
  });

  it('and a new message comes instead of a resume: what it came to inside is its end, and nothing runs outside', async () => {
    const jobs = machine();
    const { bench, id } = await begin({ jobs, ownerId: 'first' }, 'touch /etc/x');
    await bench.event(id, 'approval_requested');
    bench.disk.kill('first');
    const next = window({ jobs, disk: bench.disk, turns: [answer(say('Done.'))] });
    await next.sessions.send(id, 'Never mind.');
    await next.ended(id);
    assert.deepEqual(sidesOf(jobs), ['inside']);
    assert.equal(ofType(next, id, 'step_finished')[0]?.outcome, 'failed');
  });
});
