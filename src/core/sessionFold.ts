// The fold of a journal: how each record changes what a session is. What a session is then, and what can be asked of
// it, is sessionState.ts. It must never know the clock, the disk or who is looking.
import type { EventOf, JournalHeader, SessionEvent, StepIntent } from './events.ts';
import { applyAgentEvent, threadOf, toolCall } from './agents.ts';
import { foldAutoResumes, noAutoResumes } from './autoResume.ts';
import { foldAnswers, noAnswers } from './connection.ts';
import { unreachable } from './errors.ts';
import { foreignRecord } from './foreignRecords.ts';
import { forgetAnswers, withAnswer } from './givenAnswers.ts';
import { applyImport } from './imported.ts';
import { foldQueue } from './messageQueue.ts';
import { addUsage, noUsage, type Usage } from './messages.ts';
import { foldRetry } from './pendingRetry.ts';
import { applyRevertEvent, isRevertEvent, noReverts } from './reverts.ts';
import { spend } from './spending.ts';
import {
  isForeign,
  openRun,
  unknownTool,
  type ForeignPart,
  type Run,
  type SessionState,
  type StepBase,
} from './sessionState.ts';

export function emptySessionState(header: JournalHeader): SessionState {
  return {
    header,
    foreign: header.origin && { uptoSeq: header.origin.uptoSeq },
    title: '',
    approvalMode: header.origin && 'ask',
    chosenModel: undefined,
    prompt: undefined,
    runs: [],
    conversation: [],
    agents: new Map(),
    steps: new Map(),
    openSteps: new Set(),
    succeededSteps: 0,
    tasks: [],
    artifacts: new Map(),
    messageIds: new Set(),
    queue: [],
    retry: undefined,
    autoResumes: header.origin ? { ...noAutoResumes, isImported: true } : noAutoResumes,
    answers: header.origin ? { by: 'elsewhere' } : noAnswers,
    reverts: noReverts(),
    usage: noUsage,
    spending: new Map(),
    lastUsage: undefined,
    lastSeq: 0,
    lastAt: header.createdAt,
  };
}

export function foldEvents(header: JournalHeader, events: Iterable<SessionEvent>): SessionState {
  const state = emptySessionState(header);
  for (const event of events) applyEvent(state, event);
  return state;
}

/** Adds one event, in place: a fold of 20,000 events must not copy what it has. Events that fit nowhere change nothing. */
export function applyEvent(state: SessionState, event: SessionEvent): void {
  state.lastSeq = event.seq;
  state.lastAt = event.at;
  if (event.type === 'message_queued' || event.type === 'user_message_added') state.messageIds.add(event.messageId);
  if (event.type === 'session_imported') {
    if (applyImport(state, event, foldActive)) applyActive(state, event);
    return;
  }
  const counted = isForeign(state, event.seq) ? foreignRecord(event) : event;
  if (!counted) return;
  if (isRevertEvent(counted)) {
    applyRevertEvent(state, counted, foldActive);
    return;
  }
  state.reverts.active.push(counted);
  if (counted.type === 'run_started') state.reverts.last = undefined;
  applyActive(state, counted);
}

/** The state that the records lead to which no revert cut. */
function foldActive(
  header: JournalHeader,
  events: readonly SessionEvent[],
  foreign: ForeignPart | undefined,
): SessionState {
  const state = emptySessionState(header);
  state.foreign = foreign;
  for (const event of events) applyActive(state, event);
  return state;
}

function applyActive(state: SessionState, event: SessionEvent): void {
  state.queue = foldQueue(state.queue, event);
  state.retry = foldRetry(state.retry, event);
  // Who went on with it elsewhere has not looked at it here.
  const isFromHere = event.type === 'session_imported' || !isForeign(state, event.seq);
  if (isFromHere) state.autoResumes = foldAutoResumes(state.autoResumes, event);
  state.answers = foldAnswers(state.answers, event);
  switch (event.type) {
    case 'title_changed':
      state.title = event.title;
      return;
    case 'approval_mode_changed':
      state.approvalMode = event.mode;
      forgetAnswers(state);
      return;
    case 'model_chosen':
      state.chosenModel = { model: event.model, ...(event.thinking && { thinking: event.thinking }) };
      return;
    case 'prompt_set':
      threadOf(state, event).prompt = { system: event.system, tools: event.tools };
      return;
    case 'agent_started':
    case 'agent_resumed':
    case 'agent_ended':
      applyAgentEvent(state, event);
      return;
    case 'run_started':
      state.runs.push({
        id: event.runId,
        ...(isForeign(state, event.seq) && { isForeign: true }),
        cause: event.cause,
        model: event.model,
        thinking: event.thinking,
        maxTokens: event.maxTokens,
        ...(event.effort && { effort: event.effort }),
        ...(event.connection && { connection: event.connection }),
        startedAt: event.at,
        usage: noUsage,
        spending: new Map(),
      });
      return;
    case 'session_resumed':
      changeRun(state, event.runId, (run) => ({ ...run, mode: event.mode }));
      return;
    case 'user_message_added':
    case 'relaunch_prepared':
    case 'thinking_dropped':
    case 'history_healed':
    case 'compaction_started':
    case 'compaction_failed':
      threadOf(state, event).conversation.push(event);
      return;
    case 'results_trimmed':
    case 'history_compacted': {
      const thread = threadOf(state, event);
      thread.conversation.push(event);
      thread.lastUsage = { ...noUsage, inputTokens: event.tokensAfter };
      if (event.type === 'history_compacted' && event.usage) {
        const model = state.agents.get(event.agentId ?? '')?.model ?? state.runs.at(-1)?.model ?? '';
        addToUsage(state, event.usage, model, openRun(state));
      }
      return;
    }
    case 'assistant_message_cut':
      // Without a reason it is of a version that never sent it.
      if (event.why) threadOf(state, event).conversation.push(event);
      return;
    case 'assistant_message_completed': {
      const thread = threadOf(state, event);
      thread.conversation.push(event);
      thread.lastUsage = event.usage;
      addToUsage(state, event.usage, event.model, state.runs.at(-1));
      return;
    }
    case 'approval_requested': {
      const intent = state.steps.get(event.stepId)?.intent;
      state.openSteps.add(event.stepId);
      state.steps.set(event.stepId, {
        ...stepBase(state, event, event.runId, event.tool),
        // Asked after it ran in the sandbox: what became of that is found by it.
        ...(ranConfined(intent) && { intent }),
        status: 'waiting',
        askedAt: event.at,
        preview: event.preview,
        ...(event.note !== undefined && { note: event.note }),
        ...(event.asked && { asked: event.asked }),
      });
      return;
    }
    case 'approval_answered': {
      const step = withAnswer(state.steps.get(event.stepId), event);
      if (step) state.steps.set(step.id, step);
      return;
    }
    case 'step_started': {
      const answer = state.steps.get(event.stepId)?.answer;
      state.openSteps.add(event.stepId);
      state.steps.set(event.stepId, {
        id: event.stepId,
        runId: event.runId,
        tool: event.tool,
        input: event.input,
        ...(event.intent && { intent: event.intent }),
        ...(event.agentId !== undefined && { agentId: event.agentId }),
        ...(answer && { answer }),
        status: 'running',
        startedAt: event.at,
      });
      return;
    }
    case 'step_continued': {
      const step = state.steps.get(event.stepId);
      if (step?.status === 'running') state.steps.set(step.id, { ...step, runId: event.runId });
      return;
    }
    case 'step_finished':
      finishStep(state, event);
      return;
    case 'task_added':
      state.tasks = [...state.tasks, event.task];
      return;
    case 'task_updated':
      state.tasks = state.tasks.map((task) =>
        task.id === event.id
          ? { id: task.id, title: event.title ?? task.title, status: event.status ?? task.status }
          : task,
      );
      return;
    case 'task_deleted':
      state.tasks = state.tasks.filter((task) => task.id !== event.id);
      return;
    case 'run_ended':
      changeRun(state, event.runId, (run) => ({
        ...run,
        end: { outcome: event.outcome, at: event.at, ...(event.error && { error: event.error }) },
      }));
      return;
    case 'message_queued':
    case 'queued_message_edited':
    case 'queued_message_removed':
    case 'request_started':
    case 'request_failed':
    case 'note_added':
    case 'revert_started':
    case 'history_reverted':
    case 'revert_undone':
    case 'session_imported':
    case 'session_forked':
      return;
    default:
      unreachable(event);
  }
}

/** Whether a step with this intent has its first attempt in the sandbox, and may have another one outside. */
export function ranConfined(intent: StepIntent | undefined): intent is Extract<StepIntent, { kind: 'job' }> {
  return intent?.kind === 'job' && intent.sandbox === 'inside';
}

function stepBase(
  state: SessionState,
  { stepId, agentId }: { readonly stepId: string; readonly agentId?: string | undefined },
  runId: string,
  tool?: string,
): StepBase {
  const call = toolCall(threadOf(state, { agentId }), stepId);
  const owner = agentId !== undefined && { agentId };
  return { id: stepId, runId, tool: tool ?? call?.name ?? unknownTool, input: call?.input ?? {}, ...owner };
}

function finishStep(state: SessionState, event: EventOf<'step_finished'>): void {
  threadOf(state, event).conversation.push(event);
  state.openSteps.delete(event.stepId);
  if (event.outcome === 'succeeded') state.succeededSteps += 1;
  const { at, stepId } = event;
  const before = state.steps.get(stepId);
  const base = before ?? stepBase(state, event, state.runs.at(-1)?.id ?? '');
  state.steps.set(stepId, {
    id: base.id,
    runId: base.runId,
    tool: base.tool,
    input: base.input,
    ...(base.intent && { intent: base.intent }),
    ...(base.agentId !== undefined && { agentId: base.agentId }),
    status: 'finished',
    startedAt: before?.status === 'running' ? before.startedAt : at,
    finishedAt: at,
    result: event,
  });
  for (const artifact of event.artifacts ?? []) state.artifacts.set(artifact.path, { ...artifact, stepId });
}

function addToUsage(state: SessionState, usage: Usage, model: string, run: Run | undefined): void {
  for (const spender of run ? [state, run] : [state]) {
    spender.usage = addUsage(spender.usage, usage);
    spend(spender.spending, model, usage);
  }
}

function changeRun(state: SessionState, runId: string, change: (run: Run) => Run): void {
  const index = state.runs.findLastIndex((run) => run.id === runId);
  const run = state.runs[index];
  if (run) state.runs[index] = change(run);
}
