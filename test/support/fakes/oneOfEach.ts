// One example of every event, with every optional field. The type sees to it that none is left out.
import type { EventType, NewEvent } from '../../../src/core/events.ts';

type Examples = { readonly [T in EventType]: Extract<NewEvent, { type: T }> };

const artifact = { path: 'out/a.txt', change: 'created', size: 12, sha256: 'ab12' } as const;
const error = { code: 'unreachable', message: 'No server answered.', detail: 'ECONNREFUSED' };

export const oneOfEach: Examples = {
  title_changed: { type: 'title_changed', title: 'Tune', by: 'user' },
  approval_mode_changed: { type: 'approval_mode_changed', mode: 'acceptEdits' },
  prompt_set: {
    type: 'prompt_set',
    system: 'You work.',
    tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
  },
  run_started: {
    type: 'run_started',
    runId: 'r1',
    cause: 'message',
    model: 'claude-opus-4-8',
    thinking: 'adaptive',
    maxTokens: 100,
  },
  user_message_added: { type: 'user_message_added', messageId: 'm1', text: 'Go.', origin: 'user' },
  session_resumed: { type: 'session_resumed', runId: 'r1', mode: 'retry', priorState: 'failed', stepsKept: 3 },
  thinking_dropped: { type: 'thinking_dropped', requestId: 'q1' },
  relaunch_prepared: {
    type: 'relaunch_prepared',
    runId: 'r1',
    prompt: 'Go on.',
    context: '## State',
    placement: 'system',
  },
  request_started: { type: 'request_started', requestId: 'q1', runId: 'r1', attempt: 1 },
  request_failed: { type: 'request_failed', requestId: 'q1', error, retryInMs: 1_000 },
  assistant_message_completed: {
    type: 'assistant_message_completed',
    messageId: 'm2',
    requestId: 'q1',
    model: 'claude-opus-4-8',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'ZGF0YQ' },
      { type: 'text', text: 'I run it.' },
      { type: 'tool_use', id: 'c1', name: 'run_command', input: { command: 'make' } },
    ],
    stopReason: 'tool_use',
    usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 70, cacheWriteTokens: 20 },
  },
  assistant_message_cut: { type: 'assistant_message_cut', messageId: 'm3', requestId: 'q2', text: 'I was' },
  approval_requested: {
    type: 'approval_requested',
    stepId: 'c1',
    runId: 'r1',
    tool: 'run_command',
    preview: 'make',
    note: 'Your unsaved changes in this file are saved first.',
  },
  approval_answered: { type: 'approval_answered', stepId: 'c1', decision: 'deny', reason: 'Not now.' },
  step_started: {
    type: 'step_started',
    stepId: 'c1',
    runId: 'r1',
    tool: 'run_command',
    input: { command: 'make' },
    intent: { kind: 'job', key: 'k1', command: 'make' },
  },
  step_continued: { type: 'step_continued', stepId: 'c1', runId: 'r1' },
  step_finished: {
    type: 'step_finished',
    stepId: 'c1',
    outcome: 'succeeded',
    content: 'built',
    isError: false,
    durationMs: 1_500,
    exitCode: null,
    artifacts: [artifact],
    lines: { added: 1, removed: 2 },
    output: { file: 'c1.log', bytes: 40_000 },
    seen: [{ path: 'src/a.ts', sha256: 'cd34' }],
    note: 'finished while the window was closed',
  },
  task_added: { type: 'task_added', task: { id: 't1', title: 'Tidy', status: 'pending' } },
  task_updated: { type: 'task_updated', id: 't1', title: 'Tidy up', status: 'completed' },
  task_deleted: { type: 'task_deleted', id: 't1' },
  note_added: { type: 'note_added', level: 'warning', text: 'Slow.' },
  run_ended: { type: 'run_ended', runId: 'r1', outcome: 'failed', error },
};
