// The agents of one run: which there are, and which model each gets. An override of the resume comes first, then the
// settings, then the agent's file, then the session's own model.
import type { AgentDefinition } from '../core/agentRoster.ts';
import { RatchetError, messageOf } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { Artifact } from '../core/recordedFiles.ts';
import type { Effort, ThinkingMode } from '../core/messages.ts';
import type { ArtifactVerdict, Looked } from '../core/resumeContext.ts';
import type { SessionState } from '../core/sessionState.ts';
import type { AgentOverrides, AgentRoster } from './agentPorts.ts';
import type { RunContext } from './runContext.ts';
import type { PreparedModel, SessionPorts } from './sessionPorts.ts';

export interface RunAgents {
  readonly definitions: readonly AgentDefinition[];
  /** @param own the model that the agent itself asks for. @throws RatchetError `no_model` */
  prepare(name: string, own: string | undefined): Promise<PreparedModel>;
  systemPrompt(definition: AgentDefinition): Promise<string>;
  /** The same, where the folder has another path than when the session was made: recorded prompts name the old one. */
  systemPromptIfMoved(definition: AgentDefinition): Promise<string | undefined>;
  checkArtifacts(
    run: RunContext,
    artifacts: readonly Artifact[],
  ): Promise<Looked<readonly { readonly artifact: Artifact; readonly verdict: ArtifactVerdict }[]>>;
}

/** What the agents of a run get where nothing is said for them alone. */
export interface SessionChoice extends AgentOverrides {
  readonly thinking?: ThinkingMode;
  /** The model of the session's own conversation in this run. */
  readonly sessionModel: string;
  readonly sessionEffort: Effort | undefined;
}

export function agentsOfRun(
  ports: SessionPorts,
  folder: FolderIdentity,
  state: SessionState,
  roster: AgentRoster,
  choice: SessionChoice,
): RunAgents {
  const systemPrompt = (definition: AgentDefinition): Promise<string> => ports.agents.systemPrompt(folder, definition);
  return {
    definitions: roster.agents,
    prepare: (name, own) => {
      const set = ports.agents.choice(name);
      const thinking = ownValue(choice.agentThinking, name) ?? set.thinking ?? choice.thinking;
      const asked = ownValue(choice.agentModels, name) ?? (set.byFolder ? undefined : set.model);
      const byFolder = asked === undefined ? (set.model ?? own) : undefined;
      return ports.prepareModel(
        {
          model: asked ?? byFolder ?? choice.sessionModel,
          instead: choice.sessionModel,
          ...(byFolder !== undefined && { byFolder: true as const }),
          ...(thinking && { thinking }),
          ...(choice.sessionEffort && { effort: choice.sessionEffort }),
        },
        state.answers,
      );
    },
    systemPrompt,
    systemPromptIfMoved: (definition) =>
      folder.path === state.header.folder.path ? Promise.resolve(undefined) : systemPrompt(definition),
    checkArtifacts: async (run, artifacts) => {
      try {
        return await ports.checkArtifacts(run.folder, artifacts);
      } catch (error) {
        run.signal.throwIfAborted();
        run.log('The artifacts of an agent could not be looked up', error);
        return { ok: false, reason: messageOf(error) };
      }
    },
  };
}

function ownValue<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** @throws RatchetError `unknown_agent` when something is chosen for an agent that is not there */
export function assertKnownAgents(overrides: AgentOverrides, roster: AgentRoster, state: SessionState): void {
  const named = [...Object.keys(overrides.agentModels ?? {}), ...Object.keys(overrides.agentThinking ?? {})];
  if (named.length === 0) return;
  // One that is at work may have lost its file since.
  const open = [...state.agents.values()].filter(({ end }) => !end).map(({ name }) => name);
  const known = [...new Set([...roster.agents.map(({ name }) => name), ...open])];
  const unknown = [...new Set(named.filter((name) => !known.includes(name)))];
  if (unknown.length === 0) return;
  const words = unknown.map((name) => `"${name}"`).join(', ');
  throw new RatchetError(
    'unknown_agent',
    `There is no agent named ${words} in this folder. There are: ${known.join(', ') || 'none'}.`,
  );
}
