// The agents of a folder: the built-in ones and those of its files in `.claude/agents` and `.ratchet/agents`. A file that
// cannot be used costs itself only, and is said. Must never be asked for a folder that is not trusted.
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAgentFile } from '../core/agentFile.ts';
import { builtInAgents, type AgentDefinition } from '../core/agentRoster.ts';
import { modelOfFamily } from '../model/modelLimits.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { leadsOutWords, readOwnFile } from './ownFile.ts';
import { repositoryRoot } from './projectInstructions.ts';
import { isAtOrBelow } from '../platform/realPath.ts';

/** The later one wins where both have an agent of the same name. */
const agentFolders = ['.claude/agents', '.ratchet/agents'] as const;
const largestFile = 256 * 1024;
const mostFiles = 100;

export interface FoundAgents {
  readonly agents: readonly AgentDefinition[];
  /** What was wrong with files, in the user's words, each with the path of its file. */
  readonly problems: readonly string[];
}

/**
 * Reads the agents of a folder as they are now. Never rejects for what a file holds or for one that cannot be read.
 * @param folder file system path
 * @param toolNames the tools that agents may have
 */
export async function readAgents(folder: string, toolNames: readonly string[]): Promise<FoundAgents> {
  const own = new Map<string, AgentDefinition>();
  const problems: string[] = [];
  const root = await repositoryRoot(folder);
  for (const place of agentFolders) {
    const here = new Map<string, string>();
    for (const name of await agentFileNames(root, join(folder, place), place, problems)) {
      const path = `${place}/${name}`;
      const agent = await readAgent(root, join(folder, path), path, toolNames, problems);
      if (!agent) continue;
      const other = here.get(agent.name);
      if (builtInAgents.some((builtIn) => builtIn.name === agent.name))
        problems.push(`The agent in ${path} is left out: "${agent.name}" is built in. Give it another name.`);
      else if (other !== undefined)
        problems.push(`The agent in ${path} is left out: ${other} has the name "${agent.name}" already.`);
      else {
        here.set(agent.name, path);
        own.set(agent.name, agent);
      }
    }
  }
  const ordered = [...own.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { agents: [...builtInAgents, ...ordered], problems };
}

async function agentFileNames(
  root: string,
  path: string,
  place: string,
  problems: string[],
): Promise<readonly string[]> {
  try {
    const [top, real] = await Promise.all([realpath(root), realpath(path)]);
    if (!isAtOrBelow(top, real)) {
      problems.push(`The agents in ${place} are left out: it is a link that leads out of the repository.`);
      return [];
    }
    const names = (await readdir(path)).filter((name) => name.endsWith('.md')).sort();
    if (names.length > mostFiles)
      problems.push(`${place} has more than ${String(mostFiles)} files; the rest is left out.`);
    return names.slice(0, mostFiles);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.push(`The agents in ${place} cannot be read (${code}).`);
    return [];
  }
}

async function readAgent(
  root: string,
  file: string,
  path: string,
  toolNames: readonly string[],
  problems: string[],
): Promise<AgentDefinition | undefined> {
  const text = await readText(root, file);
  if (!text.ok) {
    problems.push(`The agent in ${path} is left out: ${text.reason}`);
    return undefined;
  }
  const parsed = parseAgentFile(text.value, toolNames);
  if (parsed.kind === 'invalid') {
    problems.push(`The agent in ${path} is left out: ${parsed.reason}`);
    return undefined;
  }
  problems.push(...parsed.warnings.map((warning) => `The agent in ${path}: ${warning}`));
  const { agent } = parsed;
  return agent.model === undefined ? agent : { ...agent, model: modelOfFamily(agent.model) ?? agent.model };
}

type Text = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

async function readText(root: string, file: string): Promise<Text> {
  try {
    const read = await readOwnFile(root, file, largestFile);
    if (read.kind === 'outside') return { ok: false, reason: `it ${leadsOutWords}` };
    if (read.kind === 'missing') return { ok: false, reason: 'it cannot be read (ENOENT).' };
    if (read.kind === 'no_file') return { ok: false, reason: 'it is not a file.' };
    if (read.isPart) return { ok: false, reason: 'it is larger than 256 KB.' };
    return { ok: true, value: read.bytes.toString('utf8') };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return { ok: false, reason: `it cannot be read (${code}).` };
  }
}
