import assert from 'node:assert/strict';
import type { NewEvent, RunOutcome } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { cutStep, hasWork, openRun, stateName, type SessionState } from '../../../src/core/sessionState.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from './events.ts';

const e = oneOfEach;
const fold = (...events: readonly NewEvent[]): SessionState => foldEvents(header, stamp(events));
const ended = (outcome: RunOutcome): NewEvent => ({ type: 'run_ended', runId: 'r1', outcome });
const run = (runId: string, cause: 'message' | 'resume' = 'message'): NewEvent => ({ ...e.run_started, runId, cause });

describe('session state: the fold of each event', () => {
  it('of none is an empty session', () => {
    const state = fold();
    assert.deepEqual([state.title, state.lastSeq, state.lastAt, state.prompt], ['', 0, header.createdAt, undefined]);
    assert.equal(hasWork(state), false);
  });

  it('title_changed, approval_mode_changed and prompt_set: the last one counts', () => {
    const state = fold(e.title_changed, { ...e.title_changed, title: 'Later' }, e.approval_mode_changed, e.prompt_set, {
      ...e.prompt_set,
      system: 'New.',
    });
    assert.deepEqual([state.title, state.approvalMode, state.prompt?.system], ['Later', 'acceptEdits', 'New.']);
  });

  it('run_started, session_resumed and run_ended make the list of runs', () => {
    const state = fold(e.run_started, e.session_resumed, e.run_ended);
    const { usage: _usage, spending: _spending, ...first } = state.runs[0] ?? {};
    assert.deepEqual(first, {
      id: 'r1',
      cause: 'message',
      model: 'claude-opus-4-8',
      thinking: 'adaptive',
      maxTokens: 100,
      effort: 'high',
      connection: e.run_started.connection,
      startedAt: 2_000,
      mode: 'retry',
      end: { outcome: 'failed', at: 4_000, error: e.run_ended.error },
    });
    assert.equal(openRun(state), undefined);
    assert.equal(openRun(fold(e.run_started))?.id, 'r1');
  });

  it('an end of an unknown run changes nothing', () => {
    assert.equal(openRun(fold(e.run_started, { ...e.run_ended, runId: 'other' }))?.id, 'r1');
  });

  it('the conversation has messages, results, relaunches and how they are sent, in order, and nothing else', () => {
    const state = fold(...Object.values<NewEvent>(oneOfEach));
    assert.deepEqual(
      state.conversation.map(({ type }) => type),
      [
        'user_message_added',
        'thinking_dropped',
        'relaunch_prepared',
        'assistant_message_completed',
        'history_healed',
        'results_trimmed',
        'compaction_started',
        'compaction_failed',
        'history_compacted',
        'assistant_message_cut',
        'step_finished',
      ],
    );
    assert.equal(hasWork(state), true);
  });

  it('usage is added up, per session and per run, and the last one is what the context holds', () => {
    const state = fold(
      run('r1'),
      e.assistant_message_completed,
      run('r2'),
      e.assistant_message_completed,
      e.assistant_message_completed,
    );
    assert.equal(state.usage.outputTokens, 60);
    assert.deepEqual(
      state.runs.map(({ usage }) => usage.outputTokens),
      [20, 40],
    );
    assert.deepEqual(state.lastUsage, e.assistant_message_completed.usage);
  });

  it('a step waits, runs and finishes', () => {
    const asked = fold(e.run_started, e.assistant_message_completed, e.approval_requested);
    assert.deepEqual(asked.steps.get('c1'), {
      id: 'c1',
      runId: 'r1',
      tool: 'run_command',
      input: { command: 'make' },
      status: 'waiting',
      askedAt: 4_000,
      preview: 'make',
      note: 'Your unsaved changes in this file are saved first.',
      asked: { kind: 'command', command: 'make', syntax: 'posix' },
    });
    const running = fold(
      e.run_started,
      e.assistant_message_completed,
      e.approval_requested,
      e.approval_answered,
      e.step_started,
    );
    assert.deepEqual(running.steps.get('c1'), {
      id: 'c1',
      runId: 'r1',
      tool: 'run_command',
      input: { command: 'make' },
      intent: e.step_started.intent,
      status: 'running',
      startedAt: 6_000,
    });
    assert.deepEqual([...running.openSteps], ['c1']);
    const done = fold(e.run_started, e.assistant_message_completed, e.step_started, e.step_finished);
    const step = done.steps.get('c1');
    assert.ok(step?.status === 'finished');
    assert.deepEqual(
      [step.startedAt, step.finishedAt, step.result.content, step.intent],
      [4_000, 5_000, 'built', e.step_started.intent],
    );
    assert.deepEqual([done.openSteps.size, done.succeededSteps], [0, 1]);
  });

  it('a step that is continued belongs to the run that waits for it', () => {
    const state = fold(run('r1'), e.step_started, run('r2', 'resume'), { ...e.step_continued, runId: 'r2' });
    assert.equal(state.steps.get('c1')?.runId, 'r2');
    assert.equal(fold(e.step_continued).steps.size, 0);
  });

  it('a result without a start is taken with the call from its message, or as unknown', () => {
    assert.equal(
      fold(e.run_started, e.assistant_message_completed, e.step_finished).steps.get('c1')?.tool,
      'run_command',
    );
    assert.equal(fold(e.step_finished).steps.get('c1')?.tool, 'unknown');
  });

  it('only what succeeded counts as done', () => {
    for (const outcome of ['failed', 'denied', 'cancelled', 'timed_out', 'not_started', 'cut'] as const) {
      assert.equal(fold({ ...e.step_finished, outcome }).succeededSteps, 0, outcome);
    }
  });

  it('artifacts: the last record of each path, with the step that made it', () => {
    const again = {
      ...e.step_finished,
      stepId: 'c2',
      artifacts: [{ path: 'out/a.txt', change: 'changed', size: 20, sha256: 'cd' } as const],
    };
    const state = fold(e.step_finished, again);
    assert.deepEqual(
      [...state.artifacts.values()],
      [{ path: 'out/a.txt', change: 'changed', size: 20, sha256: 'cd', stepId: 'c2' }],
    );
  });

  it('tasks are added, updated in part and deleted, and keep their ids and order', () => {
    const second = { type: 'task_added', task: { id: 't2', title: 'Two', status: 'pending' } } as const;
    const state = fold(
      e.task_added,
      second,
      { type: 'task_updated', id: 't1', status: 'in_progress' },
      { type: 'task_updated', id: 't9', title: 'Nobody' },
    );
    assert.deepEqual(state.tasks, [{ id: 't1', title: 'Tidy', status: 'in_progress' }, second.task]);
    assert.deepEqual(fold(e.task_added, second, e.task_deleted).tasks, [second.task]);
  });

  it('every event moves number and time on', () => {
    for (const event of Object.values<NewEvent>(oneOfEach)) {
      const state = fold(event);
      assert.deepEqual([state.lastSeq, state.lastAt], [1, 2_000], event.type);
    }
  });
});

describe('session state: its name', () => {
  for (const [what, events, owned, free] of [
    ['nothing', [], 'created', 'created'],
    ['only a title', [e.title_changed], 'created', 'created'],
    ['an open run', [e.run_started], 'running', 'interrupted'],
    ['a run that was done', [e.run_started, ended('done')], 'done', 'done'],
    ['a run that failed', [e.run_started, ended('failed')], 'failed', 'failed'],
    ['a run that was stopped', [e.run_started, ended('cancelled')], 'cancelled', 'cancelled'],
    ['a run that ran out of time', [e.run_started, ended('timed_out')], 'timed_out', 'timed_out'],
    ['a run after one that ended', [e.run_started, ended('done'), run('r2')], 'running', 'interrupted'],
  ] as const) {
    it(`of ${what}: ${free}${owned === free ? '' : `, or ${owned} while somebody owns it`}`, () => {
      assert.equal(stateName(fold(...events), false), free);
      assert.equal(stateName(fold(...events), true), owned);
    });
  }
});

describe('session state: the step that was cut', () => {
  const cutOf = (...events: readonly NewEvent[]): string | undefined => cutStep(fold(...events))?.id;
  const finished = (outcome: 'succeeded' | 'cancelled' | 'timed_out' | 'cut'): NewEvent => ({
    ...e.step_finished,
    outcome,
  });

  it('is the one that is still open, or that the stop itself ended', () => {
    assert.equal(cutOf(run('r1'), e.step_started), 'c1');
    assert.equal(cutOf(run('r1'), e.approval_requested), 'c1');
    assert.equal(cutOf(run('r1'), e.step_started, finished('cancelled'), ended('cancelled')), 'c1');
    assert.equal(cutOf(run('r1'), e.step_started, finished('timed_out'), ended('timed_out')), 'c1');
  });

  it('is none when all had finished, or when there was none', () => {
    assert.equal(cutOf(), undefined);
    assert.equal(cutOf(run('r1')), undefined);
    assert.equal(cutOf(run('r1'), e.step_started, finished('succeeded')), undefined);
  });

  it('is not one that an earlier run was stopped in', () => {
    assert.equal(
      cutOf(run('r1'), e.step_started, finished('cancelled'), ended('cancelled'), run('r2', 'resume')),
      undefined,
    );
  });

  it('is the one of an earlier run that a resumed run waited for and was stopped in', () => {
    assert.equal(cutOf(run('r1'), e.step_started, run('r2', 'resume'), { ...e.step_continued, runId: 'r2' }), 'c1');
    assert.equal(
      cutOf(run('r1'), e.step_started, run('r2', 'resume'), finished('cancelled'), ended('cancelled')),
      'c1',
    );
  });
});
