import assert from 'node:assert/strict';
import type { Task } from '../../../src/core/events.ts';
import { applyEvent, emptySessionState } from '../../../src/core/sessionFold.ts';
import { ToolInputError, type ToolContext } from '../../../src/runner/ports.ts';
import { RunStopped } from '../../../src/runner/runStopped.ts';
import { createTasksTool } from '../../../src/tools/tasksTool.ts';
import { cutStep } from './toolFolder.ts';

const contextOf = (
  stepId: string,
  tasks: readonly Task[] = [],
  signal = new AbortController().signal,
): ToolContext => ({
  sessionId: 'session',
  stepId,
  folder: '/nowhere',
  storage: '/nowhere',
  tasks,
  signal,
  done: () => [],
  showOutput: () => undefined,
  log: () => undefined,
});

/** A session in which calls of the tool follow each other, as the fold of the trace sees them. */
function createList() {
  const state = emptySessionState({
    ratchet: 'journal',
    format: 1,
    sessionId: 's',
    folder: { uri: '', name: '', path: '' },
    createdAt: 0,
  });
  let step = 0;
  let seq = 0;
  return {
    tasks: () => state.tasks,
    async call(input: Record<string, unknown>): Promise<string> {
      const plan = await createTasksTool().plan(input, contextOf(`step${String(++step)}`, state.tasks));
      const result = await plan.execute();
      for (const event of result.events ?? []) applyEvent(state, { ...event, seq: ++seq, at: 0 });
      return result.content;
    },
  };
}

describe('tasks', () => {
  it('adds one or several, changes, deletes, and answers with the whole list', async () => {
    const list = createList();
    assert.equal(await list.call({ action: 'list' }), 'The task list is empty.');
    await list.call({ action: 'add', title: '  first \n task ' });
    await list.call({ action: 'add', titles: ['second', 'third'] });
    const [a, b, c] = list.tasks().map(({ id }) => id);
    await list.call({ action: 'update', id: a, status: 'completed' });
    await list.call({ action: 'update', id: b, status: 'in_progress', title: 'second, renamed' });
    const expected = [
      '1 of 3 completed, 1 in progress, 1 pending',
      `[x] ${a ?? ''} first task`,
      `[~] ${b ?? ''} second, renamed`,
      `[ ] ${c ?? ''} third`,
    ];
    assert.equal(await list.call({ action: 'list' }), expected.join('\n'));
    await list.call({ action: 'delete', id: a });
    assert.deepEqual(
      list.tasks().map(({ title }) => title),
      ['second, renamed', 'third'],
    );
  });

  it('never gives an id twice, also after the last task was deleted', async () => {
    const list = createList();
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) {
      await list.call({ action: 'add', title: 'task' });
      const id = list.tasks().at(-1)?.id ?? '';
      assert.match(id, /^t[0-9a-z]{5}$/);
      assert.ok(!seen.has(id));
      seen.add(id);
      await list.call({ action: 'delete', id });
    }
  });

  it('gives the same ids when the step is run again, and others to another step', async () => {
    const add = async (stepId: string) =>
      (await (await createTasksTool().plan({ action: 'add', titles: ['a', 'b'] }, contextOf(stepId))).execute()).events;
    const first = await add('step1');
    assert.deepEqual(await add('step1'), first);
    assert.notDeepEqual(await add('step2'), first);
  });

  it('passes over an id that is taken', async () => {
    const plan = await createTasksTool().plan({ action: 'add', title: 'a' }, contextOf('step1'));
    const [event] = (await plan.execute()).events ?? [];
    assert.ok(event?.type === 'task_added');
    const taken = { ...event.task, title: 'of another step' };
    const again = await createTasksTool().plan({ action: 'add', title: 'a' }, contextOf('step1', [taken]));
    const [other] = (await again.execute()).events ?? [];
    assert.ok(other?.type === 'task_added' && other.task.id !== event.task.id);
  });

  for (const [input, told] of [
    [{}, /action/],
    [{ action: 'finish' }, /action/],
    [{ action: 'add' }, /needs title or titles/],
    [{ action: 'add', title: ' \n' }, /title: must not be empty/],
    [{ action: 'update', status: 'completed' }, /needs the id/],
    [{ action: 'update', id: 'tzzzz', status: 'completed' }, /no task with id "tzzzz". Known ids: t1/],
    [{ action: 'update', id: 't1' }, /needs status or title/],
    [{ action: 'update', id: 't1', status: 'done' }, /status/],
    [{ action: 'delete', id: 'tzzzz' }, /Known ids: t1/],
  ] as const) {
    it(`refuses ${JSON.stringify(input)} in words that help`, () => {
      const tasks = [{ id: 't1', title: 'a', status: 'pending' }] as const;
      assert.throws(
        () => void createTasksTool().plan(input, contextOf('step', tasks)),
        (error) => error instanceof ToolInputError && told.test(error.message),
      );
    });
  }

  it('changes nothing after a stop, and is run again after an interruption', async () => {
    const tool = createTasksTool();
    const input = { action: 'add', title: 'a' };
    const context = contextOf('step', [], AbortSignal.abort(new RunStopped('user')));
    const plan = await tool.plan(input, context);
    const result = await plan.execute();
    assert.equal(result.outcome, 'not_started');
    assert.equal(result.events, undefined);
    assert.deepEqual(await tool.recover(cutStep(tool, input, plan, context), context), { kind: 'rerun' });
  });
});
