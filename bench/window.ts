// A window without an editor: the product's own sessions, store, tools, jobs and model.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ulid } from 'ulid';
import type { FolderIdentity } from '../src/core/events.ts';
import type { Prompt } from '../src/core/sessionState.ts';
import { defaultShell } from '../src/jobs/commandShell.ts';
import { createJobClient } from '../src/jobs/jobClient.ts';
import type { JobPort } from '../src/jobs/jobPort.ts';
import { takesSystemMessages } from '../src/model/modelLimits.ts';
import { buildSystemPrompt } from '../src/model/systemPrompt.ts';
import type { ModelPort } from '../src/runner/ports.ts';
import { Sessions } from '../src/runner/sessions.ts';
import type { SessionStore } from '../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../src/store/fileSessionStore.ts';
import { checkArtifacts } from '../src/tools/artifactCheck.ts';
import { createBackgroundCommands } from '../src/tools/backgroundCommands.ts';
import { createTools } from '../src/tools/registry.ts';
import { listWorkspace } from '../src/tools/workspaceListing.ts';

export const benchModel = 'claude-opus-4-8';

export interface WindowOptions {
  /** Where the sessions are. */
  readonly root: string;
  /** The workspace folder. */
  readonly folder: string;
  readonly supervisorScript: string;
  readonly model: () => ModelPort;
}

export function folderIdentity(path: string): FolderIdentity {
  return { uri: pathToFileURL(path).href, name: 'job', path };
}

/** The store of one window, in which this folder is open. */
export function openStore(root: string, folder: string): SessionStore {
  return createFileSessionStore({
    root,
    ownerId: ulid(),
    now: Date.now,
    redact: (event) => event,
    log: complain,
    openFolders: () => [folderIdentity(folder)],
  });
}

/** What the requests of a window's sessions begin with. */
export function windowPrompt(folder: string): Prompt {
  const system = buildSystemPrompt({
    folderName: 'job',
    folderPath: folder,
    platform: process.platform,
    shell: defaultShell(),
  });
  return { system, tools: createTools({ jobs: noJobs }).map(({ definition }) => definition) };
}

export function openWindow({ root, folder, supervisorScript, model }: WindowOptions): Sessions {
  const jobs = (storage: string): JobPort =>
    createJobClient({ root: join(storage, 'jobs'), supervisorScript, environment: process.env });
  return new Sessions({
    store: openStore(root, folder),
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
      roster: () => Promise.resolve({ agents: [], problems: [] }),
      systemPrompt: () => Promise.resolve(''),
      choice: () => ({}),
    },
    commands: createBackgroundCommands(jobs),
    prepareModel: () =>
      Promise.resolve({
        port: model(),
        settings: {
          model: benchModel,
          thinking: 'adaptive' as const,
          maxTokens: 64_000,
          takesSystemMessages: takesSystemMessages(benchModel),
        },
      }),
    systemPrompt: () => Promise.resolve(windowPrompt(folder).system),
    surroundings: () => Promise.resolve(''),
    defaultApprovalMode: () => 'allowAll',
    approvalRules: { syntax: 'posix', list: () => [], add: () => Promise.resolve(), remove: () => Promise.resolve() },
    runTimeLimit: () => 3_600_000,
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
    log: complain,
  });
}

function noJobs(): never {
  throw new Error('No command is run here.');
}

function complain(message: string, error?: unknown): void {
  process.stderr.write(`${message} ${error instanceof Error ? (error.stack ?? error.message) : ''}\n`);
}
