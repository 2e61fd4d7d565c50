// What the runner needs to know of agents: which there are, and what is chosen for each. Only types.
import type { AgentChoice, AgentDefinition } from '../core/agentRoster.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { ThinkingMode } from '../core/messages.ts';

export interface AgentRoster {
  /** In the order in which they are offered; none: nothing can be delegated. */
  readonly agents: readonly AgentDefinition[];
  /** What was wrong with agents' files, in the user's words; each is said once in a window. */
  readonly problems: readonly string[];
}

export interface AgentPorts {
  /** The agents of a folder as its files are now. Asked only for folders in which something may run. */
  roster(folder: FolderIdentity): Promise<AgentRoster>;
  /** The system prompt of an agent; the same bytes for the same folder and definition. */
  systemPrompt(folder: FolderIdentity, agent: AgentDefinition): Promise<string>;
  /** What the settings say about an agent. */
  choice(name: string): AgentChoice;
}

/** For one run only, by the names of the agents. */
export interface AgentOverrides {
  readonly agentModels?: Readonly<Record<string, string>>;
  readonly agentThinking?: Readonly<Record<string, ThinkingMode>>;
}
