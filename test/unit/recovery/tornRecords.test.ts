import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/core/events.ts';
import { applyEvent, emptySessionState } from '../../../src/core/sessionFold.ts';
import type { Step } from '../../../src/core/sessionState.ts';
import type { ToolContext } from '../../../src/runner/ports.ts';
import { createTasksTool } from '../../../src/tools/tasksTool.ts';
import { createBench, folder, settings } from '../../support/fakes/bench.ts';
import { answer, say } from '../../support/fakes/scriptedModel.ts';

// Records that are written in one piece may be there in part after a power loss.
describe('a write of several records of which a part is left', () => {
  const tool = createTasksTool();
  const stateOf = (events: readonly NewEvent[]) => {
    const folder = { uri: '', name: '', path: '' };
    const state = emptySessionState({ ratchet: 'journal', format: 1, sessionId: 's', folder, createdAt: 0 });
    events.forEach((event, index) => applyEvent(state, { ...event, seq: index + 1, at: 0 }));
    return state;
  };
  const contextOf = (events: readonly NewEvent[]): ToolContext => ({
    sessionId: 's',
    stepId: 'step',
    folder: '/nowhere',
    storage: '/nowhere',
    tasks: stateOf(events).tasks,
    signal: new AbortController().signal,
    done: () => [],
    showOutput: () => undefined,
    log: () => undefined,
  });
  const stepOf = (input: Step['input']): Step => ({
    id: 'step',
    runId: 'run',
    tool: 'tasks',
    input,
    status: 'running',
    startedAt: 0,
  });

  for (const kept of [0, 1, 2, 3]) {
    it(`adds each of three tasks once when ${kept} of them are there`, async () => {
      const input = { action: 'add', titles: ['a', 'b', 'a'] };
      const written = (await (await tool.plan(input, contextOf([]))).execute()).events ?? [];
      const left = written.slice(0, kept);
      assert.deepEqual(await tool.recover(stepOf(input), contextOf(left)), { kind: 'rerun' });
      const again = await (await tool.plan(input, contextOf(left))).execute();
      assert.deepEqual([...left, ...(again.events ?? [])], written);
      assert.match(again.content, /^0 of 3 completed/);
    });
  }

  it('knows a task as deleted whose deletion is there', async () => {
    const [added] = (await (await tool.plan({ action: 'add', title: 'a' }, contextOf([]))).execute()).events ?? [];
    assert.ok(added?.type === 'task_added');
    const input = { action: 'delete', id: added.task.id };
    assert.deepEqual(await tool.recover(stepOf(input), contextOf([added])), { kind: 'rerun' });
    const recovery = await tool.recover(stepOf(input), contextOf([added, { type: 'task_deleted', id: added.task.id }]));
    assert.deepEqual(recovery, {
      kind: 'settled',
      result: { outcome: 'succeeded', content: 'The task list is empty.' },
    });
  });

  it('gives a session the title that its first message was to give it', async () => {
    const bench = createBench({ turns: [answer(say('Done.'))] });
    const { model, thinking, maxTokens } = settings;
    bench.disk.seed({ ratchet: 'journal', format: 1, sessionId: 's', folder, createdAt: 0 }, [
      { type: 'prompt_set', system: 'You work in job.', tools: [] },
      { type: 'run_started', runId: 'run', cause: 'message', model, thinking, maxTokens },
      { type: 'user_message_added', messageId: 'm', text: 'Tune it\nquickly.', origin: 'user' },
    ]);
    await bench.sessions.resume('s');
    assert.equal((await bench.ended('s')).state.title, 'Tune it');
  });
});
