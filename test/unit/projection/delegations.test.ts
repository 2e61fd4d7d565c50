import assert from 'node:assert/strict';
import { ownedBy } from '../../../src/core/agents.ts';
import type { NewEvent } from '../../../src/core/events.ts';
import { Transcript } from '../../../src/projection/transcript.ts';
import type { StepItem } from '../../../src/protocol/view.ts';

function transcriptOf(...events: readonly NewEvent[]): Transcript {
  const transcript = new Transcript();
  for (const [index, event] of events.entries()) transcript.apply({ seq: index + 1, at: 1_000 + index, ...event });
  return transcript;
}

const input = { agent: 'explore', task: 'Find the callers.', label: 'Find callers' };
const begun: readonly NewEvent[] = [
  { type: 'step_started', stepId: 'd1', runId: 'r1', tool: 'delegate', input },
  {
    type: 'agent_started',
    agentId: 'a1',
    runId: 'r1',
    stepId: 'd1',
    agent: 'explore',
    label: 'Find callers',
    task: input.task,
    model: 'claude-haiku-4-5',
    thinking: 'off',
    maxTokens: 100,
    system: 'You look.',
    tools: [],
  },
];
const inside = (event: NewEvent): NewEvent => ownedBy('a1', event);
const started = (stepId: string, command: string): NewEvent =>
  inside({ type: 'step_started', stepId, runId: 'r1', tool: 'run_command', input: { command } });
const finished = (stepId: string, more: Partial<Extract<NewEvent, { type: 'step_finished' }>> = {}): NewEvent =>
  inside({ type: 'step_finished', stepId, outcome: 'succeeded', content: 'ok', isError: false, ...more });
const asked = inside({ type: 'approval_requested', stepId: 's1', runId: 'r1', tool: 'run_command', preview: 'make' });
const wrote = (stepId: string, change: 'created' | 'changed', added: number): NewEvent =>
  finished(stepId, { artifacts: [{ path: 'a.txt', change, size: 1, sha256: 'ab' }], lines: { added, removed: 1 } });

function cardOf(transcript: Transcript): StepItem {
  const { items } = transcript.page(100);
  assert.deepEqual(
    items.map(({ kind, id }) => `${kind} ${id}`),
    ['step d1'],
    'what is inside stays inside',
  );
  const [card] = items;
  assert.ok(card?.kind === 'step' && card.agent);
  return card;
}

describe("a delegation's card", () => {
  it('says who is at what, and counts the steps', () => {
    const transcript = transcriptOf(...begun, started('s1', 'make'), finished('s1'), started('s2', 'make check'));
    const { agent, status, verb, subject } = cardOf(transcript);
    assert.deepEqual(agent, {
      name: 'explore',
      label: 'Find callers',
      model: 'claude-haiku-4-5',
      steps: 2,
      now: { verb: 'Running', subject: 'make check' },
      waiting: [],
    });
    assert.deepEqual([status, verb, subject], ['running', 'Delegating to', 'explore: Find callers']);
  });

  it('says that the model is asked again, until it has answered', () => {
    const error = { code: 'overloaded', message: 'The service is busy.' };
    const failed = inside({ type: 'request_failed', requestId: 'q1', error, retryInMs: 2_000 });
    const now = (transcript: Transcript): unknown => cardOf(transcript).agent?.now;
    assert.deepEqual(now(transcriptOf(...begun, failed)), {
      verb: 'The service is busy. Trying again in 2.0 s.',
      subject: '',
    });
    assert.equal(now(transcriptOf(...begun, failed, started('s1', 'make'), finished('s1'))), undefined);
  });

  it('carries the steps that wait for an answer, until they have one', () => {
    const waiting = (transcript: Transcript): unknown =>
      cardOf(transcript).agent?.waiting.map(({ id, preview }) => [id, preview?.text]);
    assert.deepEqual(waiting(transcriptOf(...begun, asked)), [['s1', 'make']]);
    assert.deepEqual(waiting(transcriptOf(...begun, asked, started('s1', 'make'))), []);
    const cut = transcriptOf(...begun, asked);
    cut.cutOpenSteps();
    assert.deepEqual(waiting(cut), []);
  });

  it('holds the items of the agent, page by page, the task first', () => {
    const steps = Array.from({ length: 5 }, (_, n) => [
      started(`s${String(n)}`, 'make'),
      finished(`s${String(n)}`),
    ]).flat();
    const transcript = transcriptOf(...begun, ...steps);
    const all = transcript.agentPage('d1', 100);
    assert.deepEqual(all.items[0], {
      kind: 'user',
      id: 'task-a1',
      at: 1_001,
      text: 'Find the callers.',
      author: 'Task',
    });
    assert.equal(all.items.length, 6);
    const last = transcript.agentPage('d1', 2);
    assert.deepEqual([last.items.map(({ id }) => id), last.earlier], [['s3', 's4'], 4]);
    assert.deepEqual(
      transcript.agentPage('d1', 2, 's3').items.map(({ id }) => id),
      ['s1', 's2'],
    );
    assert.deepEqual(transcript.agentPage('nobody', 2), { items: [], earlier: 0 });
  });

  it('names the files of its steps, each with the step to open and all its lines', () => {
    const transcript = transcriptOf(
      ...begun,
      started('s1', 'x'),
      wrote('s1', 'created', 3),
      started('s2', 'y'),
      wrote('s2', 'changed', 2),
    );
    assert.deepEqual(cardOf(transcript).artifacts, [
      { path: 'a.txt', change: 'created', since: 's1', stepId: 's2', added: 5, removed: 2 },
    ]);
    transcript.takeNested();
    const changed = transcript.showVerdicts(new Map([['a.txt', 'missing']]), () => 's2');
    assert.deepEqual(
      changed.map(({ id }) => id),
      ['d1'],
    );
    assert.equal(cardOf(transcript).artifacts?.[0]?.verdict, 'missing');
    assert.deepEqual(
      transcript.takeNested().map(({ cardId, item }) => `${cardId} ${item.id}`),
      ['d1 s2'],
    );
  });

  it('is cut with its run, inside too, and goes on without a word about running alone', () => {
    const transcript = transcriptOf(...begun, started('s1', 'make'));
    transcript.cutOpenSteps();
    const card = cardOf(transcript);
    assert.deepEqual([card.status, card.agent?.now], ['cut', undefined]);
    assert.deepEqual(
      transcript.agentPage('d1', 1).items.map((item) => item.kind === 'step' && item.status),
      ['cut'],
    );
    transcript.apply({ seq: 9, at: 9, type: 'step_continued', stepId: 'd1', runId: 'r2' });
    assert.deepEqual([cardOf(transcript).status, cardOf(transcript).note], ['running', undefined]);
  });

  it('has a line of its own for a resume, that no other card and not the session has', () => {
    const settings = { model: 'm', thinking: 'off', maxTokens: 1 } as const;
    const [step, start] = begun;
    assert.ok(step?.type === 'step_started' && start?.type === 'agent_started');
    const resumed = (agentId: string): NewEvent => ({ type: 'agent_resumed', agentId, runId: 'r2', ...settings });
    const transcript = transcriptOf(
      ...begun,
      { ...step, stepId: 'd2' },
      { ...start, stepId: 'd2', agentId: 'a2' },
      started('s1', 'make'),
      { type: 'run_started', runId: 'r2', cause: 'resume', ...settings },
      { type: 'session_resumed', runId: 'r2', mode: 'resume', priorState: 'interrupted', stepsKept: 0 },
      resumed('a1'),
      resumed('a2'),
      inside({ type: 'step_continued', stepId: 's1', runId: 'r2' }),
    );
    const all = [transcript.page(100), transcript.agentPage('d1', 100), transcript.agentPage('d2', 100)].flatMap(
      ({ items }) => items,
    );
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    assert.deepEqual(
      all.flatMap((item) => (item.kind === 'divider' ? [item.text] : [])),
      ['resumed · nothing was finished yet', 'resumed, 1 running', 'resumed'],
    );
  });

  it('ends with the answer', () => {
    const transcript = transcriptOf(
      ...begun,
      { type: 'agent_ended', agentId: 'a1', outcome: 'done' },
      { type: 'step_finished', stepId: 'd1', outcome: 'succeeded', content: 'Two.', isError: false, durationMs: 5 },
    );
    const { status, result, agent } = cardOf(transcript);
    assert.deepEqual([status, result?.text, agent?.name], ['succeeded', 'Two.', 'explore']);
  });

  it('of which the start was lost shows nothing of it among the session’s own items', () => {
    const transcript = transcriptOf(started('s1', 'make'), finished('s1'));
    assert.deepEqual(transcript.page(10).items, []);
  });
});
