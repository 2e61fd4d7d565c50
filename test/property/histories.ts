// Makes up whole histories of sessions, as the runner would have written them: many runs, cut anywhere, resumed, retried or
// followed by a message. It must never know what is checked about them.
import fc from 'fast-check';
import { ownedBy } from '../../src/core/agents.ts';
import type { JournalHeader, NewEvent, StepOutcome } from '../../src/core/events.ts';
import type { AssistantBlock } from '../../src/core/messages.ts';
import { userDoings, withQueue } from './queues.ts';
import { onePixelPng } from '../support/imageBytes.ts';
import { defaultSigningKey, redactThinking, signThinking } from '../support/messagesServer/signatures.ts';

export const models = ['claude-opus-4-8', 'claude-sonnet-5-5', 'claude-haiku-4-5'] as const;
export type Model = (typeof models)[number];

export const header: JournalHeader = {
  ratchet: 'journal',
  format: 1,
  sessionId: 's1',
  folder: { uri: 'file:///job', name: 'job', path: '/job' },
  createdAt: 1_700_000_000_000,
};

/** Any text, also what no JSON should hold: half surrogate pairs, NUL, blank, empty. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', ' ', '\n\n', '\ud83d', 'a\udc00b', '\u0000', '🎉'.repeat(5), 'line 1\r\nline 2\n'),
);
/** Thinking comes from the model as it is, so it is always well-formed. */
const thought = fc.string({ unit: 'grapheme', maxLength: 20 });

const outcomes = ['succeeded', 'failed', 'denied', 'cancelled', 'timed_out', 'not_started', 'cut'] as const;
const input = fc.dictionary(
  fc.string({ maxLength: 5 }),
  fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null)),
  { maxKeys: 3, noNullPrototype: true },
);

interface CallPlan {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly fate: {
    readonly outcome: StepOutcome;
    readonly content: string;
    readonly asks: boolean;
    readonly task: number;
  };
  /** What the agent does that the call starts, if it starts one. */
  readonly inside?: readonly TurnPlan[] | undefined;
}
const simpleCall = {
  tool: fc.constantFrom('run_command', 'write', 'read', 'tasks', 'constructor'),
  input,
  fate: fc.record({
    outcome: fc.constantFrom(...outcomes),
    content: anyText,
    asks: fc.boolean(),
    task: fc.integer({ min: 0, max: 4 }),
  }),
};

interface TurnPlan {
  readonly retries: number;
  readonly lead: readonly ('thinking' | 'redacted' | 'text' | 'unsigned')[];
  readonly trail: readonly ('thinking' | 'text')[];
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly CallPlan[];
  readonly stop: 'ordinary' | 'max_tokens' | 'pause_turn' | 'refusal' | 'unknown_reason';
  readonly note: boolean;
}
const turnShape = {
  retries: fc.constantFrom(0, 0, 0, 1, 2),
  lead: fc.array(fc.constantFrom('thinking', 'redacted', 'text', 'unsigned'), { maxLength: 3 }),
  trail: fc.array(fc.constantFrom('thinking', 'text'), { maxLength: 2 }),
  text: anyText,
  thought,
  stop: fc.constantFrom('ordinary', 'ordinary', 'ordinary', 'max_tokens', 'pause_turn', 'refusal', 'unknown_reason'),
  note: fc.boolean(),
};
const innerTurn: fc.Arbitrary<TurnPlan> = fc.record({
  ...turnShape,
  calls: fc.array(fc.record(simpleCall), { maxLength: 2 }),
});
const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  ...simpleCall,
  inside: fc.option(fc.array(innerTurn, { maxLength: 2 }), { nil: undefined, freq: 3 }),
});
const turnPlan: fc.Arbitrary<TurnPlan> = fc.record({
  ...turnShape,
  calls: fc.array(callPlan, { maxLength: 3 }),
});

/** What goes along with a message: whole and damaged images, attachments, and a model for the next runs. */
const extras = fc.record({
  images: fc.option(fc.array(fc.constantFrom(onePixelPng, 'AAA[redacted]', ''), { minLength: 1, maxLength: 2 }), {
    nil: undefined,
  }),
  attachments: fc.option(fc.array(anyText, { maxLength: 2 }), { nil: undefined }),
  choosesModel: fc.boolean(),
});
type Extras = typeof extras extends fc.Arbitrary<infer T> ? T : never;

interface RunPlan {
  readonly model: Model;
  readonly extras: Extras;
  readonly cause: 'message' | 'resume' | 'retry';
  readonly text: string;
  readonly placement: 'system' | 'user';
  readonly turns: readonly TurnPlan[];
  /** How many of the run's events are written before it is cut; all of them when it is beyond. */
  readonly keep: number;
  /** What was streamed of an answer that was cut with the run. */
  readonly cutText: string | undefined;
  readonly end: 'done' | 'failed' | 'cancelled' | 'timed_out' | 'cut';
}
const runPlan: fc.Arbitrary<RunPlan> = fc.record({
  extras,
  model: fc.constantFrom(...models),
  cause: fc.constantFrom('message', 'resume', 'retry'),
  text: anyText,
  placement: fc.constantFrom('system', 'user'),
  turns: fc.array(turnPlan, { maxLength: 4 }),
  keep: fc.oneof(fc.constant(1_000), fc.integer({ min: 0, max: 30 })),
  cutText: fc.option(anyText, { nil: undefined, freq: 2 }),
  end: fc.constantFrom('done', 'failed', 'cancelled', 'timed_out', 'cut'),
});

/** The events of a session, in order. */
export const history: fc.Arbitrary<readonly NewEvent[]> = fc
  .tuple(fc.array(runPlan, { minLength: 1, maxLength: 5 }), userDoings)
  .map(([plans, doings]) => withQueue(write(plans), doings));
/** The same, all with one model: what a request is a prefix of does not change then. */
export const steadyHistory = (model: Model): fc.Arbitrary<readonly NewEvent[]> =>
  fc
    .tuple(fc.array(runPlan, { minLength: 1, maxLength: 5 }), userDoings)
    .map(([plans, doings]) => withQueue(write(plans.map((plan) => ({ ...plan, model }))), doings));

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };

interface OpenCall {
  readonly id: string;
  readonly plan: CallPlan;
}

function write(plans: readonly RunPlan[]): readonly NewEvent[] {
  const events: NewEvent[] = [
    {
      type: 'prompt_set',
      system: 'You work.',
      tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    },
  ];
  let ids = 0;
  const id = (): string => `id${String(++ids)}`;
  let open: readonly OpenCall[] = [];
  for (const [index, plan] of plans.entries()) {
    const runId = `r${String(index)}`;
    const { model } = plan;
    const cause = index === 0 ? 'message' : plan.cause;
    events.push({
      type: 'run_started',
      runId,
      cause,
      model,
      thinking: model === 'claude-haiku-4-5' ? 'off' : 'adaptive',
      maxTokens: 1_000,
      ...(model !== 'claude-haiku-4-5' && index % 2 === 0 && { effort: 'high' as const }),
    });
    if (cause === 'message') {
      const { images, attachments, choosesModel } = plan.extras;
      if (choosesModel) events.push({ type: 'model_chosen', model });
      events.push({
        type: 'user_message_added',
        messageId: id(),
        text: images ? plan.text : `Go. ${plan.text}`,
        origin: 'user',
        ...(attachments && { attachments: attachments.map((text) => ({ kind: 'file', label: 'a', text })) }),
        ...(images && { images: images.map((data) => ({ mediaType: 'image/png', data, width: 1, height: 1 })) }),
      });
      if (index === 0) events.push({ type: 'title_changed', title: 'Go.', by: 'first_message' });
    } else {
      events.push({ type: 'session_resumed', runId, mode: cause, priorState: 'interrupted', stepsKept: 0 });
    }
    for (const { id: stepId, plan: call } of open) events.push(finished(stepId, call));
    open = [];
    if (cause !== 'message') {
      events.push({
        type: 'relaunch_prepared',
        runId,
        prompt: 'Go on.',
        context: `## State ${plan.text}`,
        placement: plan.placement,
      });
    }
    const rest: { readonly event: NewEvent; readonly open: readonly OpenCall[] }[] = [];
    for (const turn of plan.turns) {
      rest.push(...turnEvents(turn, model, runId, id));
      const goesOn =
        turn.stop === 'max_tokens' || turn.stop === 'pause_turn' || (turn.stop === 'ordinary' && turn.calls.length > 0);
      if (!goesOn) break;
    }
    const kept = rest.slice(0, plan.keep);
    events.push(...kept.map(({ event }) => event));
    open = kept.at(-1)?.open ?? [];
    const last = kept.at(-1)?.event.type;
    const asks = last === undefined || last === 'step_finished' || last === 'user_message_added';
    if (plan.cutText !== undefined && open.length === 0 && asks) {
      const requestId = id();
      const why = plan.end === 'failed' ? 'failed' : plan.end === 'timed_out' ? 'time_limit' : 'stopped';
      events.push({ type: 'request_started', requestId, runId, attempt: 1 });
      events.push({ type: 'assistant_message_cut', messageId: id(), requestId, text: plan.cutText, why });
    }
    if (kept.length < rest.length && plan.end === 'cut') continue;
    if (plan.end !== 'cut') {
      const error = plan.end === 'failed' ? { error: { code: 'unreachable', message: plan.text } } : {};
      events.push({ type: 'run_ended', runId, outcome: plan.end, ...error });
    }
  }
  return events;
}

/** The events of one answer and its steps, each with the calls that are open when it is the last one. */
function turnEvents(
  turn: TurnPlan,
  model: Model,
  runId: string,
  id: () => string,
): { event: NewEvent; open: readonly OpenCall[] }[] {
  const out: { event: NewEvent; open: readonly OpenCall[] }[] = [];
  let open: readonly OpenCall[] = [];
  const push = (event: NewEvent): void => void out.push({ event, open });
  for (let attempt = 1; attempt <= turn.retries; attempt++) {
    const requestId = id();
    push({ type: 'request_started', requestId, runId, attempt });
    push({
      type: 'request_failed',
      requestId,
      error: { code: 'connection_lost', message: 'Lost.' },
      retryInMs: 1_000,
      retryAt: 2_000,
      notBefore: 1_500,
    });
  }
  const requestId = id();
  push({ type: 'request_started', requestId, runId, attempt: turn.retries + 1 });
  const calls = turn.calls.map((plan) => ({ id: id(), plan }));
  open = turn.stop === 'refusal' ? [] : calls;
  push({
    type: 'assistant_message_completed',
    messageId: id(),
    requestId,
    model,
    content: contentOf(turn, model, calls),
    stopReason: turn.stop === 'ordinary' ? (calls.length > 0 ? 'tool_use' : 'end_turn') : turn.stop,
    usage,
  });
  if (turn.note) push({ type: 'note_added', level: 'info', text: turn.text });
  if (turn.stop === 'refusal' || turn.stop === 'unknown_reason') return out;
  for (const { id: stepId, plan } of calls) {
    const runs = turn.stop === 'ordinary' && plan.fate.outcome !== 'not_started';
    if (runs && plan.fate.asks) {
      push({
        type: 'approval_requested',
        stepId,
        runId,
        tool: plan.tool,
        preview: 'diff',
        asked: { kind: 'edit', path: 'src/a.txt' },
      });
      push({ type: 'approval_answered', stepId, decision: plan.fate.outcome === 'denied' ? 'deny' : 'allow' });
    }
    if (runs && plan.fate.outcome !== 'denied')
      push({ type: 'step_started', stepId, runId, tool: plan.tool, input: plan.input });
    if (runs && plan.inside) for (const event of agentEvents(stepId, plan.inside, model, runId, id)) push(event);
    if (plan.fate.task === 1) push({ type: 'task_added', task: { id: stepId, title: turn.text, status: 'pending' } });
    if (plan.fate.task === 2) push({ type: 'task_updated', id: 'id1', status: 'completed' });
    if (plan.fate.task === 3) push({ type: 'task_deleted', id: 'id1' });
    open = open.filter((call) => call.id !== stepId);
    push(finished(stepId, plan));
  }
  if (turn.stop === 'max_tokens')
    push({ type: 'user_message_added', messageId: id(), text: 'Go on exactly where it stopped.', origin: 'ratchet' });
  return out;
}

/** An agent from its start to its end, or as far as its turns go. */
function agentEvents(
  stepId: string,
  turns: readonly TurnPlan[],
  model: Model,
  runId: string,
  id: () => string,
): NewEvent[] {
  const agentId = id();
  const inside = turns.flatMap((turn) => turnEvents(turn, model, runId, id).map(({ event }) => event));
  return [
    {
      type: 'agent_started',
      agentId,
      runId,
      stepId,
      agent: 'explore',
      task: 'Look.',
      model,
      thinking: model === 'claude-haiku-4-5' ? 'off' : 'adaptive',
      maxTokens: 1_000,
      system: 'You look.',
      tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    },
    ...inside.map((event) => ownedBy(agentId, event)),
    ...(turns.length > 1 ? [] : [{ type: 'agent_ended', agentId, outcome: 'done' } as const]),
  ];
}

function finished(stepId: string, { fate }: CallPlan): NewEvent {
  return {
    type: 'step_finished',
    stepId,
    outcome: fate.outcome,
    content: fate.content,
    isError: fate.outcome !== 'succeeded',
  };
}

function contentOf(turn: TurnPlan, model: Model, calls: readonly OpenCall[]): AssistantBlock[] {
  const signed: AssistantBlock = {
    type: 'thinking',
    thinking: turn.thought,
    signature: signThinking(defaultSigningKey, model, turn.thought),
  };
  const text: AssistantBlock = { type: 'text', text: turn.text };
  const blocks = {
    thinking: signed,
    text,
    redacted: { type: 'redacted_thinking', data: redactThinking(defaultSigningKey, model, turn.thought) } as const,
    unsigned: { type: 'thinking', thinking: turn.thought, signature: '' } as const,
  };
  return [
    ...turn.lead.map((kind) => blocks[kind]),
    ...calls.map(({ id, plan }): AssistantBlock => ({ type: 'tool_use', id, name: plan.tool, input: plan.input })),
    ...turn.trail.map((kind) => blocks[kind]),
  ];
}
