// The agents that work can be delegated to: the two that are built in, and how all of them are offered to the model.
import { delegateTool } from './agents.ts';
import type { ThinkingMode, ToolDefinition } from './messages.ts';

export interface AgentDefinition {
  readonly name: string;
  /** What it is for, for the model that delegates. */
  readonly description: string;
  /** What it is told to be; the rest of its system prompt is the same for all. */
  readonly instructions: string;
  /** Names of the tools that it may use; all but `delegate` when absent. Approvals stay what they are. */
  readonly tools?: readonly string[];
  /** The model that it asks for; the session's own when absent. */
  readonly model?: string;
}

/** What the settings say about one agent. */
export interface AgentChoice {
  readonly model?: string | undefined;
  readonly thinking?: ThinkingMode | undefined;
  /** The model is set by the workspace, not by the user. */
  readonly byFolder?: true;
}

export const builtInAgents: readonly AgentDefinition[] = [
  {
    name: 'explore',
    description:
      'Reads and searches the folder and reports what it found. It changes nothing and runs no commands. For questions whose answer takes many looks.',
    instructions:
      'You look things up: you read, list and search, and change nothing. Be thorough where the task asks for it and quick where it does not. Answer with what you found, with paths and line numbers, and say what you did not find.',
    tools: ['read', 'glob', 'grep'],
  },
  {
    name: 'work',
    description:
      'Does a self-contained piece of work with all tools: edits, commands, checks. For parts that do not depend on each other and do not touch the same files.',
    instructions:
      'You do one piece of work from its beginning to its end, and verify it. Stay within what the task names: others may be working in the same folder at the same time.',
  },
];

/** Agents that run at the same time, at most. */
export const parallelAgents = 4;

/** How the tool is offered. The same agents in the same order give the same bytes. */
export function delegateDefinition(agents: readonly AgentDefinition[]): ToolDefinition {
  return {
    name: delegateTool,
    description: `Hand a part of the work to an agent with a conversation of its own. It sees nothing of this conversation: the task must say all that it needs to know and what it is to report. The answer is its final text. Calls that stand side by side in one answer run at the same time, up to ${String(parallelAgents)} at once. An agent that is cut goes on where it was when the session is resumed.

Agents:
${agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`,
    input_schema: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: agents.map(({ name }) => name), description: 'Which agent.' },
        task: { type: 'string', description: 'The whole task, as to somebody who knows nothing of it.' },
        label: { type: 'string', description: 'What it is about in two to six words, for the user.' },
      },
      required: ['agent', 'task'],
    },
  };
}
