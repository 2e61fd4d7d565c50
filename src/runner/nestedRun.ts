// An agent's conversation as something that the agent loop can run: the run that it is part of, with a conversation, a
// model and tools of its own. What it writes says whose it is.
import { ownedBy, type Agent } from '../core/agents.ts';
import type { PreparedModel } from './sessionPorts.ts';
import type { RunContext } from './runContext.ts';

/**
 * @param run the run of the session's own conversation
 * @param signal ends the agent; aborted when the run is, and when an agent beside it fails
 */
export function nestedRun(
  run: RunContext,
  agent: Agent,
  model: PreparedModel,
  signal: AbortSignal,
): RunContext & { readonly agent: Agent } {
  const offered = new Set(agent.prompt?.tools.map(({ name }) => name));
  // Its text is not shown while it streams; it is kept for the record of an answer that is cut.
  let streaming = { requestId: '', text: '' };
  return {
    ...run,
    agent,
    agentId: agent.id,
    thread: agent,
    model: model.port,
    settings: model.settings,
    // What the user wishes and says is for the session's own conversation.
    takeCompactionWish: () => false,
    deliverQueue: () => Promise.resolve(),
    // An agent has what it was offered, and never delegates.
    tools: new Map([...run.tools].filter(([name, tool]) => offered.has(name) && tool.delegates !== true)),
    signal,
    write: (...events) => run.write(...events.map((event) => ownedBy(agent.id, event))),
    note: (...events) => run.note(...events.map((event) => ownedBy(agent.id, event))),
    onDelta: (requestId, delta) => {
      if (streaming.requestId !== requestId) streaming = { requestId, text: '' };
      if (delta.kind === 'text') streaming.text += delta.text;
    },
    streamedText: (requestId) => (streaming.requestId === requestId ? streaming.text : ''),
  };
}
