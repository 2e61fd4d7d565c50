// Which prompt the next run of a session has: the one of its last run, or a new one.
import { delegateDefinition } from '../core/agentRoster.ts';
import type { LaunchCause } from '../core/launchPlan.ts';
import type { Prompt } from '../core/sessionState.ts';
import type { AgentRoster } from './agentPorts.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionPorts } from './sessionPorts.ts';

/** The prompt that a launch sets; undefined where the session keeps the one it has. */
export async function promptToSet(
  ports: Pick<SessionPorts, 'tools' | 'systemPrompt'>,
  { state, folder }: LiveSession,
  { agents }: AgentRoster,
  cause: LaunchCause,
): Promise<Prompt | undefined> {
  // A resumed request starts with the bytes of the one that was cut, so it keeps the prompt it had.
  const tools = ports.tools.map((tool) => tool.definition);
  const prompt: Prompt = {
    system: await ports.systemPrompt(folder),
    tools: agents.length === 0 ? tools : [...tools, delegateDefinition(agents)],
  };
  // Unless its folder has another path now: the model must not work by the old one.
  const moved = folder.path !== state.header.folder.path;
  const isKept = state.prompt && ((cause !== 'message' && !moved) || samePrompt(state.prompt, prompt));
  return isKept ? undefined : prompt;
}

function samePrompt(a: Prompt, b: Prompt): boolean {
  return JSON.stringify([a.system, a.tools]) === JSON.stringify([b.system, b.tools]);
}
