import assert from 'node:assert/strict';
import { createBench, folder as benchFolder } from '../../support/fakes/bench.ts';
import { refuseInput } from '../../support/fakes/fakeTools.ts';
import { answer, call, say, stopped } from '../../support/fakes/scriptedModel.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

describe('a run: what is on disk before what happens', () => {
  it('writes ahead: message, then step_started, then the effect, then step_finished, then the next request', async () => {
    const bench = createBench({ turns: [answer(say('First.'), call('c1', 'note')), answer(say('All done.'))] });
    await bench.ran();
    assert.deepEqual(bench.actions, [
      'durable prompt_set',
      'durable run_started',
      'durable user_message_added',
      'durable title_changed',
      'append request_started',
      'request',
      'durable assistant_message_completed',
      'durable step_started',
      'effect note',
      'durable step_finished',
      'append request_started',
      'request',
      'durable assistant_message_completed',
      'durable run_ended',
    ]);
  });

  it('lets a tool get ready as soon as the model begins to ask for a call', async () => {
    const heard: unknown[] = [];
    const bench = createBench({
      tools: [{ name: 'note', expect: ({ folder }) => heard.push([folder, bench.actions.at(-1)]) }],
      turns: [answer(say('First.'), call('c1', 'note'), call('c2', 'teleport'))],
    });
    await bench.ran();
    assert.deepEqual(heard, [[benchFolder.path, 'request']]);
  });

  it('runs several calls of one answer in order, each to its recorded end', async () => {
    const bench = createBench({
      turns: [answer(call('c1', 'note', { n: 1 }), call('c2', 'note', { n: 2 }), call('c3', 'note', { n: 3 }))],
    });
    const id = await bench.ran();
    assert.deepEqual(bench.tool('note').effects, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.deepEqual(
      bench.actions.filter((action) => action.includes('step_') || action.startsWith('effect')),
      [1, 2, 3].flatMap(() => ['durable step_started', 'effect note', 'durable step_finished']),
    );
    const last = bench.model.requests.at(-1)?.messages.at(-1);
    assert.deepEqual(
      last?.content.map((block) => block.type === 'tool_result' && block.tool_use_id),
      ['c1', 'c2', 'c3'],
    );
    assert.equal((await bench.sessions.open(id)).state.succeededSteps, 3);
  });

  it('tells the model of a tool that does not exist, and goes on', async () => {
    const bench = createBench({ turns: [answer(call('c1', 'teleport'))] });
    const id = await bench.ran();
    const finished = await bench.event(id, 'step_finished');
    assert.equal(finished.outcome, 'failed');
    assert.match(finished.content, /no tool named "teleport"\. Use one of: note\./);
    assert.equal(bench.events(id).filter(({ type }) => type === 'step_started').length, 0);
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('survives a tool that is named like something every object has', async () => {
    const bench = createBench({ turns: [answer(call('c1', 'constructor'), call('c2', '__proto__'))] });
    const id = await bench.ran();
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('tells the model of an input that makes no sense, without a start of the step', async () => {
    const bench = createBench({
      tools: [{ name: 'note', check: refuseInput('The path is outside of the folder.') }],
      turns: [answer(call('c1', 'note'))],
    });
    const id = await bench.ran();
    const finished = await bench.event(id, 'step_finished');
    assert.deepEqual(
      [finished.outcome, finished.content, finished.isError],
      ['failed', 'The path is outside of the folder.', true],
    );
    assert.equal(bench.tool('note').effects.length, 0);
    assert.deepEqual(bench.logged, []);
  });

  it('makes a failure of the step of whatever a tool throws, and logs it with its stack', async () => {
    const bug = new TypeError('x is not a function');
    const bench = createBench({
      tools: [{ name: 'note', run: () => Promise.reject(bug) }],
      turns: [answer(call('c1', 'note'))],
    });
    const id = await bench.ran();
    assert.equal((await bench.event(id, 'step_finished')).content, 'x is not a function');
    assert.deepEqual(
      bench.logged.map(({ error }) => error),
      [bug],
    );
    assert.equal((await bench.sessions.open(id)).name, 'done');
  });

  it('writes task changes in one piece with the end of their step', async () => {
    const bench = createBench({
      tools: [
        {
          name: 'plan',
          effect: 'tasks',
          run: () => ({
            outcome: 'succeeded',
            content: 'Added.',
            events: [{ type: 'task_added', task: { id: 't1', title: 'Tidy up', status: 'pending' } }],
          }),
        },
      ],
      turns: [answer(call('c1', 'plan'))],
    });
    const id = await bench.ran();
    const at = bench.actions.indexOf('durable task_added');
    assert.equal(bench.actions[at + 1], 'durable step_finished');
    assert.equal((await bench.sessions.open(id)).state.tasks.length, 1);
  });

  it('keeps what a step recorded about itself: exit code, artifacts, lines, output, note', async () => {
    const artifacts = [{ path: 'a.txt', change: 'created' as const, size: 3, sha256: 'ab' }];
    const bench = createBench({
      tools: [
        {
          name: 'note',
          intent: { kind: 'job', key: 'k1', command: 'make' },
          run: () => ({
            outcome: 'succeeded',
            content: '',
            exitCode: 0,
            artifacts,
            lines: { added: 1, removed: 2 },
            output: { file: 'o', bytes: 9 },
            note: 'fine',
          }),
        },
      ],
      turns: [answer(call('c1', 'note'))],
    });
    const id = await bench.ran();
    const { intent } = await bench.event(id, 'step_started');
    assert.deepEqual(intent, { kind: 'job', key: 'k1', command: 'make' });
    const { seq: _seq, at: _at, ...finished } = await bench.event(id, 'step_finished');
    assert.deepEqual(finished, {
      type: 'step_finished',
      stepId: 'c1',
      outcome: 'succeeded',
      content: '(no output)',
      isError: false,
      durationMs: 0,
      exitCode: 0,
      artifacts,
      lines: { added: 1, removed: 2 },
      output: { file: 'o', bytes: 9 },
      note: 'fine',
    });
  });

  it('tells calls apart that a server gives the same id, in one answer or in two', async () => {
    const bench = createBench({
      turns: [answer(call('c1', 'note', { n: 1 }), call('c1', 'note', { n: 2 })), answer(call('c1', 'note', { n: 3 }))],
    });
    const id = await bench.ran();
    assert.deepEqual(bench.tool('note').effects, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const last = bench.model.requests.at(-1);
    assert.equal(validateRequest(last), undefined);
    assert.equal(
      last?.messages.flatMap(({ content }) => [...content]).filter(({ type }) => type === 'tool_use').length,
      3,
    );
    assert.equal((await bench.sessions.open(id)).state.succeededSteps, 3);
  });

  it('does not run a tool of an answer that did not stop for it', async () => {
    const bench = createBench({ turns: [stopped('end_turn', say('Done.'), call('c1', 'note'))] });
    const id = await bench.ran();
    assert.equal(bench.tool('note').effects.length, 0);
    await bench.sessions.send(id, 'Go on.');
    await bench.ended(id);
    assert.equal(bench.tool('note').effects.length, 0);
    assert.equal((await bench.event(id, 'step_finished')).outcome, 'not_started');
  });
});
