// Gives the runs of this window their agents: the folder's files where it is trusted, and the settings.
import * as vscode from 'vscode';
import { builtInAgents } from '../core/agentRoster.ts';
import type { FolderIdentity } from '../core/events.ts';
import { buildAgentPrompt } from '../model/agentPrompt.ts';
import type { PromptPlace } from '../model/systemPrompt.ts';
import type { AgentPorts } from '../runner/agentPorts.ts';
import { readAgents } from '../tools/agentFiles.ts';
import { projectInstructions } from '../tools/projectInstructions.ts';
import type { Log } from './log.ts';
import { setting } from './settings.ts';

/**
 * @param toolNames the tools that agents may have
 * @param placeOf what their prompts say of a folder
 */
export function createAgentPorts(
  toolNames: () => readonly string[],
  placeOf: (folder: FolderIdentity) => Promise<PromptPlace>,
  log: Log,
): AgentPorts {
  const said = new Set<string>();
  return {
    roster: async (folder) => {
      if (!vscode.workspace.isTrusted) return { agents: builtInAgents, problems: [] };
      const { agents, problems } = await readAgents(folder.path, toolNames());
      // Said in the chat as well: the model works without them.
      const unread: string[] = [];
      await projectInstructions(folder.path, (sentence) => unread.push(sentence));
      const fresh = [...problems, ...unread].filter((problem) => !said.has(`${folder.uri} ${problem}`));
      for (const problem of fresh) {
        said.add(`${folder.uri} ${problem}`);
        log(problem);
      }
      return { agents, problems: fresh };
    },
    systemPrompt: async (folder, agent) => buildAgentPrompt(await placeOf(folder), agent),
    choice: (name) => {
      const all = setting('agents');
      const choice = Object.hasOwn(all, name) ? (all[name] ?? {}) : {};
      const inspected = vscode.workspace.getConfiguration('ratchet').inspect('agents');
      const byFolder = inspected?.workspaceValue !== undefined || inspected?.workspaceFolderValue !== undefined;
      return { ...choice, ...(byFolder && { byFolder: true }) };
    },
  };
}
