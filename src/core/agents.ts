// Agents that a session's steps delegate to, as the records tell of them: each has a conversation of its own in the same
// trace. Must never know how one is run.
import { unreachable } from './errors.ts';
import type { AgentOutcome, EventOf, EventType, NewEvent, RunError } from './events.ts';
import type { ThinkingMode, ToolUseBlock, Usage } from './messages.ts';
import type { ConversationEvent, Prompt, SessionState } from './sessionState.ts';

/** The tool that starts an agent. */
export const delegateTool = 'delegate';

/** One conversation with a model: the session's own, or an agent's. */
export interface Thread {
  prompt: Prompt | undefined;
  /** What the next request is built from, in the order of the trace. */
  readonly conversation: ConversationEvent[];
  /** Usage of the last request, or what is left since then: its input is what the context holds. */
  lastUsage: Usage | undefined;
}

export interface Agent extends Thread {
  readonly id: string;
  /** The call that asked for it; empty when the record of its start was lost. */
  readonly stepId: string;
  readonly name: string;
  readonly label: string | undefined;
  readonly task: string;
  model: string;
  thinking: ThinkingMode;
  maxTokens: number;
  end: { readonly outcome: AgentOutcome; readonly error?: RunError } | undefined;
}

/** The thread that an event belongs to. Of an agent whose start was lost the rest is kept apart, never mixed in. */
export function threadOf(state: SessionState, event: { readonly agentId?: string | undefined }): Thread {
  const { agentId } = event;
  if (agentId === undefined) return state;
  let agent = state.agents.get(agentId);
  if (!agent) {
    agent = newAgent({ agentId, stepId: '', agent: '', task: '', model: '', thinking: 'off', maxTokens: 1 }, undefined);
    state.agents.set(agentId, agent);
  }
  return agent;
}

function newAgent(
  start: Pick<
    EventOf<'agent_started'>,
    'agentId' | 'stepId' | 'agent' | 'label' | 'task' | 'model' | 'thinking' | 'maxTokens'
  >,
  prompt: Prompt | undefined,
): Agent {
  return {
    id: start.agentId,
    stepId: start.stepId,
    name: start.agent,
    label: start.label,
    task: start.task,
    model: start.model,
    thinking: start.thinking,
    maxTokens: start.maxTokens,
    prompt,
    conversation: [],
    lastUsage: undefined,
    end: undefined,
  };
}

export type AgentEvent = EventOf<'agent_started' | 'agent_resumed' | 'agent_ended'>;

/** Takes in the beginning, the going on or the end of an agent. */
export function applyAgentEvent(state: SessionState, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_started': {
      // One that was made elsewhere has none: nobody goes on with it.
      const agent = newAgent(event, event.system === '' ? undefined : { system: event.system, tools: event.tools });
      const { seq, at, agentId, task } = event;
      // For all that reads conversations the task is what it is for the model: a message.
      agent.conversation.push({
        type: 'user_message_added',
        seq,
        at,
        messageId: agentId,
        text: task,
        origin: 'user',
        agentId,
      });
      state.agents.set(agentId, agent);
      return;
    }
    case 'agent_resumed': {
      const agent = state.agents.get(event.agentId);
      if (!agent) return;
      agent.model = event.model;
      agent.thinking = event.thinking;
      agent.maxTokens = event.maxTokens;
      return;
    }
    case 'agent_ended': {
      const agent = state.agents.get(event.agentId);
      if (agent) agent.end = { outcome: event.outcome, ...(event.error && { error: event.error }) };
      return;
    }
    default:
      unreachable(event);
  }
}

/** The agent that a call started, the last one when it was started again. */
export function agentOfStep(state: SessionState, stepId: string): Agent | undefined {
  return [...state.agents.values()].findLast((agent) => agent.stepId === stepId);
}

/** The call with this id, from the message that asked for it. Searched from the end: it is nearly always the last one. */
export function toolCall(thread: Thread, stepId: string): ToolUseBlock | undefined {
  for (let i = thread.conversation.length - 1; i >= 0; i--) {
    const entry = thread.conversation[i];
    if (entry?.type !== 'assistant_message_completed') continue;
    for (const block of entry.content) if (block.type === 'tool_use' && block.id === stepId) return block;
  }
  return undefined;
}

/** Which agent touched a file last, by the path of the file. */
export function madeByAgents({ artifacts, steps, agents }: SessionState): ReadonlyMap<string, string> {
  const by = new Map<string, string>();
  for (const { path, stepId } of artifacts.values()) {
    const agent = agents.get(steps.get(stepId)?.agentId ?? '');
    if (agent) by.set(path, agent.name);
  }
  return by;
}

/** Ids of all calls that any conversation of the session asked for, also where a revert cut it. */
export function callIdsOf(state: SessionState): Set<string> {
  const ids = new Set<string>(state.reverts.cutCalls);
  for (const { conversation } of [state, ...state.agents.values()]) {
    for (const entry of conversation) {
      if (entry.type !== 'assistant_message_completed') continue;
      for (const block of entry.content) if (block.type === 'tool_use') ids.add(block.id);
    }
  }
  return ids;
}

/** The records that say whose they are. */
const ownedTypes: ReadonlySet<EventType> = new Set([
  'prompt_set',
  'user_message_added',
  'relaunch_prepared',
  'request_started',
  'request_failed',
  'assistant_message_completed',
  'assistant_message_cut',
  'thinking_dropped',
  'history_healed',
  'results_trimmed',
  'compaction_started',
  'compaction_failed',
  'history_compacted',
  'approval_requested',
  'step_started',
  'step_continued',
  'step_finished',
  'note_added',
]);

/** The event as one of an agent's, where events of its kind say whose they are. */
export function ownedBy(agentId: string, event: NewEvent): NewEvent {
  if (!ownedTypes.has(event.type)) return event;
  const owned = { ...event, agentId };
  return owned;
}
