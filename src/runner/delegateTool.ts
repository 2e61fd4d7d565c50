// The tool that hands work to an agent: starts its conversation, goes on inside of one that was cut, or gives it up.
// Its result is the agent's final text. Must never know how an answer is asked for.
import { z } from 'zod';
import { agentOfStep, delegateTool, type Agent } from '../core/agents.ts';
import { delegateDefinition, type AgentDefinition } from '../core/agentRoster.ts';
import { messageOf } from '../core/errors.ts';
import type { RunError } from '../core/events.ts';
import { shorterContext, standingContext } from '../core/resumeChanges.ts';
import { agentRelaunchPrompt, agentResumeSections, sectionsText } from '../core/resumeContext.ts';
import type { SessionState } from '../core/sessionState.ts';
import { countOf } from '../core/words.ts';
import { headOf } from '../core/wellFormed.ts';
import { runAgentLoop } from './agentLoop.ts';
import { finishCutCompaction } from './keepInWindow.ts';
import { nestedRun } from './nestedRun.ts';
import { ModelError, ToolInputError, type Recovery, type Tool, type ToolResult } from './ports.ts';
import type { RunAgents } from './runAgents.ts';
import type { RunContext } from './runContext.ts';
import { RunFailed } from './runFailed.ts';
import type { PreparedModel } from './sessionPorts.ts';
import { settleCalls, type SettledCall } from './settleCalls.ts';

const inputSchema = z.object({
  agent: z.string(),
  task: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  label: z.string().optional(),
});

/** A final text that is longer is shortened: it goes into the conversation that delegated. In UTF-16 units. */
const longestResult = 60_000;
const longestLabel = 80;

/** @param run the run whose conversation delegates; its events and steps are where the agents' ones go */
export function createDelegateTool(run: () => RunContext, agents: RunAgents): Tool {
  return {
    definition: delegateDefinition(agents.definitions),
    effect: 'read',
    delegates: true,
    plan(input, { stepId, signal }) {
      const { agent, task, label } = parseInput(input);
      const definition = agents.definitions.find(({ name }) => name === agent);
      if (!definition) {
        const names = agents.definitions.map(({ name }) => name).join(', ');
        throw new ToolInputError(`There is no agent named "${agent}". Use one of: ${names}.`);
      }
      const asked: Asked = { definition, task, label: label?.trim().slice(0, longestLabel).toWellFormed() };
      return Promise.resolve({ preview: task, execute: () => startAgent(run(), agents, asked, stepId, signal) });
    },
    recover(step, { signal }) {
      return Promise.resolve(recoverAgent(run(), agents, step.id, signal));
    },
  };
}

function parseInput(input: Readonly<Record<string, unknown>>): z.infer<typeof inputSchema> {
  const parsed = inputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new ToolInputError(`${delegateTool}: the input is not valid. ${issues.join('; ')}`);
}

interface Asked {
  readonly definition: AgentDefinition;
  readonly task: string;
  readonly label: string | undefined;
}

async function startAgent(
  run: RunContext,
  agents: RunAgents,
  { definition, task, label }: Asked,
  stepId: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const model = await agents.prepare(definition.name, definition.model);
  const agentId = run.newId();
  const { name, tools } = definition;
  const offered = [...run.tools.values()].filter(
    (tool) => tool.delegates !== true && (!tools || tools.includes(tool.definition.name)),
  );
  await run.write({
    type: 'agent_started',
    agentId,
    runId: run.runId,
    stepId,
    agent: name,
    ...(label !== undefined && label !== '' && { label }),
    task,
    ...recordedSettings(model),
    system: await agents.systemPrompt(definition),
    tools: offered.map((tool) => tool.definition),
  });
  return runToItsEnd(nestedRun(run, knownAgent(run.state, agentId), model, signal));
}

function recordedSettings({
  settings,
  connection,
}: PreparedModel): Pick<PreparedModel['settings'], 'model' | 'thinking' | 'maxTokens' | 'effort'> &
  Pick<PreparedModel, 'connection'> {
  const { model, thinking, maxTokens, effort } = settings;
  return { model, thinking, maxTokens, ...(effort && { effort }), ...(connection && { connection }) };
}

function knownAgent(state: SessionState, agentId: string): Agent {
  const agent = state.agents.get(agentId);
  if (!agent) throw new RunFailed('internal', 'The record of an agent is missing. Retry the run.');
  return agent;
}

/** What becomes of a delegation that an earlier run left open. */
function recoverAgent(run: RunContext, agents: RunAgents, stepId: string, signal: AbortSignal): Recovery {
  const agent = agentOfStep(run.state, stepId);
  if (!agent) {
    // Its start may be what was lost of a damaged trace. Started again, it would do everything twice.
    const hasLost = [...run.state.agents.values()].some((other) => other.stepId === '');
    return hasLost ? { kind: 'settled', result: lostResult } : { kind: 'rerun' };
  }
  if (agent.end || saidItsLast(agent)) return { kind: 'settled', result: resultOf(agent) };
  return {
    kind: 'goesOn',
    follow: () => goOn(run, agents, agent, signal),
    giveUp: () => giveUp(run, agent, signal),
  };
}

const lostResult: ToolResult = {
  outcome: 'cut',
  content:
    'Interrupted. The record of what this agent did was damaged: look at what is there before you delegate it again.',
};

async function goOn(run: RunContext, agents: RunAgents, agent: Agent, signal: AbortSignal): Promise<ToolResult> {
  const definition = agents.definitions.find(({ name }) => name === agent.name);
  // Its file may be gone: then it keeps the model that it had.
  const model = await agents.prepare(agent.name, definition ? definition.model : agent.model);
  await run.write({ type: 'agent_resumed', agentId: agent.id, runId: run.runId, ...recordedSettings(model) });
  const nested = nestedRun(run, agent, model, signal);
  const system = definition && (await agents.systemPromptIfMoved(definition));
  if (system !== undefined && agent.prompt && agent.prompt.system !== system)
    await nested.write({ type: 'prompt_set', system, tools: [...agent.prompt.tools] });
  const settled = await settleCalls(nested, true);
  await finishCutCompaction(nested);
  // One that never got an answer is asked as if for the first time.
  if (agent.conversation.some(({ type }) => saidSomething.has(type))) {
    await nested.write(await relaunch(nested, agents, agent, settled));
  }
  return runToItsEnd(nested);
}

const saidSomething: ReadonlySet<string> = new Set(['assistant_message_completed', 'assistant_message_cut']);

async function relaunch(
  run: RunContext,
  agents: RunAgents,
  agent: Agent,
  inFlight: readonly SettledCall[],
): Promise<Parameters<RunContext['write']>[0]> {
  const own = [...run.state.artifacts.values()].filter(
    ({ stepId }) => run.state.steps.get(stepId)?.agentId === agent.id,
  );
  const sections = agentResumeSections({ artifacts: await agents.checkArtifacts(run, own), inFlight });
  const context = sectionsText(sections);
  return {
    type: 'relaunch_prepared',
    runId: run.runId,
    prompt: agentRelaunchPrompt,
    context,
    placement: run.settings.takesSystemMessages ? 'system' : 'user',
    ...shorterContext(context, sections, standingContext(agent.conversation), undefined),
  };
}

/** Closes what the agent left open, starting nothing. */
async function giveUp(run: RunContext, agent: Agent, signal: AbortSignal): Promise<ToolResult> {
  await settleCalls(nestedRun(run, agent, { port: run.model, settings: run.settings }, signal), false);
  const steps = [...run.state.steps.values()].filter(({ agentId }) => agentId === agent.id).length;
  const said = lastText(agent);
  return {
    outcome: 'cut',
    content: `Cut while the agent was at work, after ${countOf(steps, 'step')}. Check what is there before you delegate it again.${said === '' ? '' : ` The last it said: ${headOf(said, 2_000)}`}`,
    events: [{ type: 'agent_ended', agentId: agent.id, outcome: 'cut' }],
  };
}

async function runToItsEnd(nested: RunContext & { readonly agent: Agent }): Promise<ToolResult> {
  try {
    await runAgentLoop(nested);
    return resultOf(nested.agent);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    nested.log(`Agent ${nested.agent.name} (${nested.agent.id}) failed`, error);
    return resultOf(nested.agent, failure);
  }
}

/** Codes of requests that cannot be sent again as they are: no retry of the run would help the agent. */
const hopeless: ReadonlySet<string> = new Set(['invalid_request', 'prompt_too_long', 'request_too_large']);

/** What ends the agent alone. Everything else ends the run and leaves the agent open: a lost connection, a refused key. */
function failureOf(error: unknown): RunError | undefined {
  const isOwn = error instanceof RunFailed || (error instanceof ModelError && hopeless.has(error.code));
  return isOwn ? { code: error.code, message: messageOf(error) } : undefined;
}

/** Whether the agent had come to its end, though its end was not recorded. */
function saidItsLast({ conversation }: Agent): boolean {
  const last = conversation.at(-1);
  return (
    last?.type === 'assistant_message_completed' &&
    (last.stopReason === 'end_turn' || last.stopReason === 'stop_sequence')
  );
}

function lastText({ conversation }: Agent): string {
  const last = conversation.findLast((entry) => entry.type === 'assistant_message_completed');
  const texts = last?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) ?? [];
  return texts.join('\n\n').trim();
}

/** The result of an agent that has ended, or ends by this. */
function resultOf(agent: Agent, error: RunError | undefined = agent.end?.error): ToolResult {
  const text = lastText(agent);
  const shown = headOf(text, longestResult);
  const said = shown.length < text.length ? `${shown}\n\n(shortened: the answer was longer)` : shown;
  const events: ToolResult['events'] = agent.end
    ? []
    : [{ type: 'agent_ended', agentId: agent.id, outcome: error ? 'failed' : 'done', ...(error && { error }) }];
  if (agent.end?.outcome === 'cut')
    return { outcome: 'cut', content: `The agent was given up. ${said}`.trim(), events };
  if (!error)
    return { outcome: 'succeeded', content: said === '' ? '(The agent ended without a word.)' : said, events };
  const saidBefore = said === '' ? '' : `\n\nThe last it said:\n${said}`;
  return { outcome: 'failed', content: `The agent did not come to its end. ${error.message}${saidBefore}`, events };
}
