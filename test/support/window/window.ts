// A window without an editor: the product's own sessions, store, tools, jobs and model, put together once for the crash
// cases, the tests of bad days and the benchmarks. Must never know what is tried with it.
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ulid } from 'ulid';
import type { AgentDefinition } from '../../../src/core/agentRoster.ts';
import type { FolderIdentity } from '../../../src/core/events.ts';
import { defaultShell } from '../../../src/jobs/commandShell.ts';
import type { JobPort } from '../../../src/jobs/jobPort.ts';
import { takesSystemMessages } from '../../../src/model/modelLimits.ts';
import { buildAgentPrompt } from '../../../src/model/agentPrompt.ts';
import { buildSystemPrompt } from '../../../src/model/systemPrompt.ts';
import type { ModelPort } from '../../../src/runner/ports.ts';
import type { SessionPorts } from '../../../src/runner/sessionPorts.ts';
import { Sessions } from '../../../src/runner/sessions.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../../src/store/fileSessionStore.ts';
import { checkArtifacts } from '../../../src/tools/artifactCheck.ts';
import { createBackgroundCommands } from '../../../src/tools/backgroundCommands.ts';
import { noEditorFiles } from '../../../src/tools/editorFiles.ts';
import { createRevertFiles } from '../../../src/tools/revertFiles.ts';
import { createTools } from '../../../src/tools/registry.ts';
import { listWorkspace } from '../../../src/tools/workspaceListing.ts';

export interface WindowOptions {
  readonly store: SessionStore;
  /** The jobs of a session, by its storage folder. */
  readonly jobs: (storage: string) => JobPort;
  /** Asked at each launch. */
  readonly model: () => ModelPort;
  readonly modelName: string;
  readonly maxTokens: number;
  /** Tokens; the model's own when it is not given. */
  readonly contextWindow?: number;
  /** None when they are not given. */
  readonly agents?: readonly AgentDefinition[];
  readonly log?: SessionPorts['log'];
  /** What is other than in a window in which everything is allowed and nothing is open. */
  readonly ports?: Partial<SessionPorts>;
}

export function folderIdentity(path: string): FolderIdentity {
  return { uri: pathToFileURL(path).href, name: 'job', path };
}

/** The store of one window, in which this folder is open. */
export function openStore(
  root: string,
  folder: string,
  {
    log = complain,
    now = Date.now,
  }: { readonly log?: typeof complain; readonly now?: (() => number) | undefined } = {},
): SessionStore {
  return createFileSessionStore({
    root,
    ownerId: ulid(),
    now,
    redact: (event) => event,
    log,
    openFolders: () => [folderIdentity(folder)],
  });
}

/** The system prompt of a window's sessions. */
export function windowSystemPrompt(folder: FolderIdentity): string {
  return buildSystemPrompt(promptFacts(folder));
}

function promptFacts({ name, path }: FolderIdentity): Parameters<typeof buildSystemPrompt>[0] {
  return { folderName: name, folderPath: path, platform: process.platform, shell: defaultShell() };
}

/** The sessions of a window in which everything is allowed and nothing is open. */
export function openWindow(options: WindowOptions): Sessions {
  const { store, jobs, model, modelName, maxTokens, contextWindow, agents = [], log = complain } = options;
  return new Sessions({
    store,
    clock: {
      now: Date.now,
      delay: async (ms, signal) => {
        await delay(ms, undefined, { signal });
      },
    },
    newId: ulid,
    chance: () => 0,
    tools: createTools({ jobs }),
    agents: {
      roster: () => Promise.resolve({ agents, problems: [] }),
      systemPrompt: (folder, agent) => Promise.resolve(buildAgentPrompt(promptFacts(folder), agent)),
      choice: () => ({}),
    },
    commands: createBackgroundCommands(jobs),
    revertFiles: createRevertFiles(noEditorFiles),
    prepareModel: (choice) => {
      const name = choice.model ?? modelName;
      return Promise.resolve({
        port: model(),
        settings: {
          model: name,
          thinking: choice.thinking ?? ('adaptive' as const),
          maxTokens,
          takesSystemMessages: takesSystemMessages(name),
          ...(contextWindow !== undefined && { contextWindow }),
        },
      });
    },
    systemPrompt: (folder) => Promise.resolve(windowSystemPrompt(folder)),
    surroundings: () => Promise.resolve(''),
    defaultApprovalMode: () => 'allowAll',
    approvalRules: { syntax: 'posix', list: () => [], add: () => Promise.resolve(), remove: () => Promise.resolve() },
    runTimeLimit: () => 3_600_000,
    patience: () => 600_000,
    assertMayRun: () => undefined,
    listWorkspace: async (path, first) => {
      const { entries, total } = await listWorkspace(path, { limit: 200, first });
      return { ok: true, value: { files: entries, total } };
    },
    checkArtifacts: async (path, artifacts) => {
      const verdicts = await checkArtifacts(path, artifacts);
      return {
        ok: true,
        value: artifacts.map((artifact) => ({ artifact, verdict: verdicts.get(artifact.path) ?? 'missing' })),
      };
    },
    openEditors: () => ({ ok: true, value: [] }),
    log,
    ...options.ports,
  });
}

/** Says on stderr what a window logs. */
export function complain(message: string, error?: unknown): void {
  process.stderr.write(`${message} ${error instanceof Error ? (error.stack ?? error.message) : ''}\n`);
}
