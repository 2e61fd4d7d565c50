import assert from 'node:assert/strict';
import type { ApprovalRule } from '../../../src/core/approval/rules.ts';
import type { ApprovalMode } from '../../../src/core/events.ts';
import type { ApprovalRuleStore } from '../../../src/runner/approvalRules.ts';
import { createBench, folder, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import type { FakeToolOptions } from '../../support/fakes/fakeTools.ts';
import { createMemoryRules } from '../../support/fakes/memoryRules.ts';
import { answer, call, say } from '../../support/fakes/scriptedModel.ts';

const npmTest: ApprovalRule = { kind: 'program', words: ['npm', 'test'] };
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const shell: FakeToolOptions = {
  name: 'shell',
  effect: 'command',
  intent: ({ command }) => ({ kind: 'job', key: 'k', command: text(command) }),
};
const write: FakeToolOptions = {
  name: 'write',
  effect: 'edit',
  intent: ({ path }) => ({ kind: 'file', path: text(path), beforeSha256: null, afterSha256: 'ab' }),
};

async function rulesWith(...rules: ApprovalRule[]): Promise<ApprovalRuleStore> {
  const store = createMemoryRules();
  await store.add(folder.uri, rules);
  return store;
}

function benchOf(calls: ReturnType<typeof call>[], options: BenchOptions = {}): Bench {
  return createBench({
    approvalMode: 'ask',
    tools: [shell, write],
    turns: calls.map((each) => answer(each)),
    ...options,
  });
}

async function sent(bench: Bench): Promise<string> {
  const id = await bench.create();
  await bench.sessions.send(id, 'Go.');
  return id;
}

const run = (id: string, command: string): ReturnType<typeof call> => call(id, 'shell', { command });
const asked = (bench: Bench, id: string): readonly string[] =>
  bench.events(id).flatMap((event) => (event.type === 'approval_requested' ? [event.stepId] : []));

describe('a run: approval rules', () => {
  it('run what a rule covers, with the rule on record before the effect', async () => {
    const bench = benchOf([run('c1', 'npm test -- --bail'), call('c2', 'write', { path: 'src/a.ts' })], {
      rules: await rulesWith(npmTest, { kind: 'edits', path: 'src/' }),
    });
    const id = await sent(bench);
    await bench.ended(id);
    assert.deepEqual(asked(bench, id), []);
    const started = bench.events(id).flatMap((event) => (event.type === 'step_started' ? [event.allowedBy] : []));
    assert.deepEqual(started, ['npm test …', 'edits below src/']);
    const order = ['durable step_started', 'effect shell'];
    assert.deepEqual(bench.actions.filter((action) => order.includes(action)).slice(0, 2), order);
  });

  it('ask about what no rule covers, and about the same command with another behind it', async () => {
    const bench = benchOf([run('c1', 'npm test; rm -rf x')], { rules: await rulesWith(npmTest) });
    const id = await sent(bench);
    const { asked: about } = await bench.event(id, 'approval_requested');
    assert.deepEqual(about, { kind: 'command', command: 'npm test; rm -rf x', syntax: 'posix' });
    assert.equal(bench.tool('shell').effects.length, 0);
    await bench.sessions.stop(id);
  });

  it('say nothing of a rule where the mode would not have asked', async () => {
    const bench = benchOf([run('c1', 'npm test')], { approvalMode: 'allowAll', rules: await rulesWith(npmTest) });
    const id = await sent(bench);
    await bench.ended(id);
    assert.equal((await bench.event(id, 'step_started')).allowedBy, undefined);
  });

  it('of another folder count for nothing', async () => {
    const rules = createMemoryRules();
    await rules.add('file:///home/ada/other', [npmTest]);
    const bench = benchOf([run('c1', 'npm test')], { rules });
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    await bench.sessions.stop(id);
  });

  it('are made by the answer "always": this step runs, the next one is not asked about', async () => {
    const bench = benchOf([run('c1', 'npm test'), run('c2', 'npm test -- x'), run('c3', 'npm run build')]);
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    await bench.sessions.allowAlways(id, 'c1', 'npm test …');
    await bench.event(id, 'approval_requested', ({ stepId }) => stepId === 'c3');
    assert.deepEqual(asked(bench, id), ['c1', 'c3']);
    assert.deepEqual(bench.ports.approvalRules.list(folder.uri), [npmTest]);
    const answered = await bench.event(id, 'approval_answered');
    assert.deepEqual([answered.decision, answered.allowedBy], ['allow', 'npm test …']);
    assert.equal((await bench.event(id, 'step_started', ({ stepId }) => stepId === 'c1')).allowedBy, 'npm test …');
    await bench.sessions.stop(id);
  });

  it('are kept before the step that makes them is answered, and not at all when they cannot be kept', async () => {
    const rules = createMemoryRules();
    const broken: ApprovalRuleStore = { ...rules, add: () => Promise.reject(new Error('no space')) };
    const bench = benchOf([run('c1', 'npm test')], { rules: broken });
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    await assert.rejects(bench.sessions.allowAlways(id, 'c1', 'npm test …'), /no space/);
    assert.deepEqual((await bench.sessions.open(id)).waitingApprovals, ['c1'], 'the question still waits');
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    assert.equal(bench.tool('shell').effects.length, 1);
  });

  it('allow the step that makes them in any case: the user said so', async () => {
    const rules = createMemoryRules();
    const bench = benchOf([run('c1', 'npm test')], { rules: { ...rules, list: () => [] } });
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    await bench.sessions.allowAlways(id, 'c1', 'npm test …');
    await bench.ended(id);
    assert.equal(bench.tool('shell').effects.length, 1);
    assert.equal((await bench.event(id, 'approval_answered')).allowedBy, undefined);
  });

  it('are only those that the question offered', async () => {
    const bench = benchOf([run('c1', 'rm -rf build')]);
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    for (const key of ['rm …', 'npm test …', '', 'rm -rf']) {
      await assert.rejects(bench.sessions.allowAlways(id, 'c1', key), { code: 'not_found' }, key);
    }
    assert.deepEqual(bench.ports.approvalRules.list(folder.uri), []);
    await bench.sessions.allowAlways(id, 'c1', 'rm -rf build');
    await bench.ended(id);
    await assert.rejects(bench.sessions.allowAlways(id, 'c1', 'rm -rf build'), { code: 'not_found' });
    await assert.rejects(bench.sessions.approve(id, 'c1', 'deny'), { code: 'not_found' });
    assert.equal(bench.events(id).filter(({ type }) => type === 'approval_answered').length, 1);
  });

  it('answer what waits in every session of the folder that they cover, and nothing else', async () => {
    const bench = benchOf([run('c1', 'npm test'), run('c2', 'npm test x'), run('c3', 'npm test; rm x')]);
    const ids = [await sent(bench)];
    await bench.event(ids[0]!, 'approval_requested');
    ids.push(await sent(bench));
    await bench.event(ids[1]!, 'approval_requested');
    ids.push(await sent(bench));
    await bench.event(ids[2]!, 'approval_requested');
    await bench.sessions.addRules(folder.uri, [npmTest]);
    assert.deepEqual((await bench.sessions.open(ids[2]!)).waitingApprovals, ['c3']);
    await bench.ended(ids[0]!);
    await bench.ended(ids[1]!);
    assert.equal(bench.tool('shell').effects.length, 2);
    await bench.sessions.stop(ids[2]!);
  });

  it('that come while the question is being written answer it', async () => {
    const bench = benchOf([run('c1', 'npm test')]);
    const added: Promise<void>[] = [];
    const before = bench.disk.beforeWrite;
    bench.disk.beforeWrite = (events, durable) => {
      before(events, durable);
      if (events.some(({ type }) => type === 'approval_requested'))
        added.push(bench.sessions.addRules(folder.uri, [npmTest]));
    };
    const id = await sent(bench);
    await bench.ended(id);
    await Promise.all(added);
    assert.equal((await bench.event(id, 'approval_answered')).allowedBy, 'npm test …');
    assert.equal(bench.tool('shell').effects.length, 1);
  });

  it('do not allow what a call has become since the question was shown', async () => {
    let planned = 0;
    const bench = benchOf([call('c1', 'write', { path: 'src/a.ts' })], {
      tools: [
        {
          name: 'write',
          effect: 'edit',
          // The same words on screen, but a link leads elsewhere by now.
          intent: () => ({
            kind: 'file',
            path: planned++ === 0 ? 'src/a.ts' : 'secret/a.ts',
            beforeSha256: null,
            afterSha256: 'ab',
          }),
        },
      ],
    });
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    await bench.sessions.allowAlways(id, 'c1', 'edits below src/');
    const again = await bench.event(
      id,
      'approval_requested',
      ({ asked: a }) => a?.kind === 'edit' && a.path !== 'src/a.ts',
    );
    assert.equal(again.stepId, 'c1');
    assert.equal(bench.tool('write').effects.length, 0);
    await bench.sessions.stop(id);
  });

  it('that are removed allow nothing from the next step on', async () => {
    const rules = await rulesWith(npmTest);
    const bench = benchOf([run('c1', 'npm test'), run('c2', 'npm test')], {
      rules,
      tools: [
        {
          ...shell,
          run: async () => (await rules.remove(folder.uri, npmTest), { outcome: 'succeeded', content: 'x' }),
        },
      ],
    });
    const id = await sent(bench);
    await bench.event(id, 'approval_requested', ({ stepId }) => stepId === 'c2');
    assert.deepEqual(asked(bench, id), ['c2']);
    await bench.sessions.stop(id);
  });

  it('count in a resumed run for the question that was cut: it is asked no more, and runs once', async () => {
    const bench = benchOf([run('c1', 'npm test')], { ownerId: 'first' });
    const id = await sent(bench);
    await bench.event(id, 'approval_requested');
    bench.disk.kill('first');
    const next = createBench({
      disk: bench.disk,
      approvalMode: 'ask',
      tools: [shell, write],
      turns: [answer(say('Done.'))],
      rules: await rulesWith(npmTest),
    });
    await next.sessions.resume(id);
    await next.ended(id);
    assert.equal(next.tool('shell').effects.length, 1);
    assert.equal(asked(next, id).length, 1);
    assert.equal((await next.event(id, 'step_started')).allowedBy, 'npm test …');
  });

  const untouched: readonly ApprovalMode[] = ['ask', 'acceptEdits'];
  for (const mode of untouched) {
    it(`${mode}: a call that says neither a command nor a file is asked about, and offers nothing`, async () => {
      const bench = createBench({
        approvalMode: mode,
        tools: [{ name: 'other', effect: 'command' }],
        turns: [answer(call('c1', 'other', { command: 'npm test' }))],
        rules: await rulesWith(npmTest),
      });
      const id = await sent(bench);
      assert.equal((await bench.event(id, 'approval_requested')).asked, undefined);
      await assert.rejects(bench.sessions.allowAlways(id, 'c1', 'npm test …'), { code: 'not_found' });
      await bench.sessions.stop(id);
    });
  }

  it('what is sent does not depend on rules', async () => {
    const plain = benchOf([run('c1', 'npm test')], { approvalMode: 'allowAll' });
    await plain.ended(await sent(plain));
    const ruled = benchOf([run('c1', 'npm test')], { rules: await rulesWith(npmTest) });
    await ruled.ended(await sent(ruled));
    assert.deepEqual(ruled.model.requests, plain.model.requests);
  });
});
