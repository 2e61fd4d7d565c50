// Gives the sessions what they need from this editor: storage, tools, models, settings.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ulid } from 'ulid';
import { messageOf } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { createRedactor } from '../core/redact.ts';
import type { Looked } from '../core/resumeContext.ts';
import { surroundingsText } from '../core/surroundings.ts';
import { defaultShell } from '../jobs/commandShell.ts';
import { createJobClient } from '../jobs/jobClient.ts';
import type { JobPort } from '../jobs/jobPort.ts';
import { buildSystemPrompt, type PromptPlace } from '../model/systemPrompt.ts';
import type { ApprovalRuleStore } from '../runner/approvalRules.ts';
import type { Clock, Tool } from '../runner/ports.ts';
import type { SessionPorts } from '../runner/sessionPorts.ts';
import { createFileSessionStore } from '../store/fileSessionStore.ts';
import { checkArtifacts } from '../tools/artifactCheck.ts';
import { createBackgroundCommands } from '../tools/backgroundCommands.ts';
import { gitState } from '../tools/gitState.ts';
import { jobsFolderName } from '../tools/jobKey.ts';
import { projectInstructions } from '../tools/projectInstructions.ts';
import { createRevertFiles } from '../tools/revertFiles.ts';
import { createTools } from '../tools/registry.ts';
import { listWorkspace } from '../tools/workspaceListing.ts';
import { createAgentPorts } from './agents.ts';
import type { ApiKeyStore } from './apiKey.ts';
import { editorFiles } from './editorFiles.ts';
import type { EditorModels } from './editorModels.ts';
import type { EditorToolChoice } from './editorToolChoice.ts';
import { assertMayRun, openEditors, openFolders } from './folders.ts';
import type { Log } from './log.ts';
import { modelPrice, prepareModel } from './modelChoice.ts';
import type { ModelList } from './modelList.ts';
import type { Sandbox } from './sandbox.ts';
import { limitMs, setting } from './settings.ts';
import type { WorkspaceModel } from './workspaceModel.ts';

const listedFiles = 200;

const clock: Clock = {
  now: () => Date.now(),
  delay: async (ms, signal) => {
    await delay(ms, undefined, { signal });
  },
};

export interface SessionPortsSetup {
  /** Folder of all sessions of this window. */
  readonly root: string;
  /** Those of the other windows on this machine. */
  readonly otherRoots: () => Promise<readonly string[]>;
  readonly extensionFolder: string;
  readonly rules: ApprovalRuleStore;
  readonly sandbox: Sandbox;
  readonly keys: ApiKeyStore;
  readonly workspaceModel: WorkspaceModel;
  readonly models: ModelList;
  readonly editorModels: EditorModels;
  readonly editorTools: EditorToolChoice;
  readonly log: Log;
}

export function createSessionPorts({
  root,
  otherRoots,
  extensionFolder,
  rules,
  sandbox,
  keys,
  workspaceModel,
  models,
  editorModels,
  editorTools,
  log,
}: SessionPortsSetup): SessionPorts {
  const supervisorScript = join(extensionFolder, 'dist', 'supervisor.cjs');
  const jobs = (storage: string): JobPort =>
    createJobClient({ root: join(storage, jobsFolderName), supervisorScript, secrets: keys.secrets });
  const ownTools = createTools(
    {
      jobs,
      get commandTimeLimitMs() {
        const limit = limitMs(setting('command.timeoutMinutes'));
        return Number.isFinite(limit) ? limit : undefined;
      },
    },
    editorFiles,
  );
  const tools = (): readonly Tool[] => [...ownTools, ...editorTools.tools()];
  return {
    store: createFileSessionStore({
      root,
      ownerId: randomUUID(),
      now: clock.now,
      redact: createRedactor(keys.secrets),
      log,
      otherRoots,
      openFolders,
    }),
    clock,
    newId: ulid,
    chance: Math.random,
    commands: createBackgroundCommands(jobs),
    revertFiles: createRevertFiles(editorFiles),
    // The choice of the editor's tools may change from run to run.
    get tools() {
      return tools();
    },
    agents: createAgentPorts(
      () => tools().map(({ definition }) => definition.name),
      (folder) => promptPlace(folder, log),
      log,
    ),
    prepareModel: (choice, answers) => {
      void models.refreshIfOld();
      return prepareModel({ keys, workspaceModel }, models, editorModels, choice, answers, log);
    },
    priceOf: modelPrice,
    systemPrompt: async (folder) => buildSystemPrompt(await promptPlace(folder, log)),
    surroundings: async (folder) => {
      const git = await gitState(folder.path);
      return surroundingsText({ ...(git && { git }), editors: openEditors(folder) });
    },
    defaultApprovalMode: () => setting('approvalMode'),
    approvalRules: rules,
    sandbox,
    runTimeLimit: () => limitMs(setting('run.timeoutMinutes')),
    patience: () => setting('run.retryMinutes') * 60_000,
    assertMayRun,
    listWorkspace: (folder, first) =>
      looked(async () => {
        const { entries, total } = await listWorkspace(folder, { limit: listedFiles, first });
        return { files: entries, total };
      }),
    checkArtifacts: (folder, artifacts) =>
      looked(async () => {
        const verdicts = await checkArtifacts(folder, artifacts);
        return artifacts.map((artifact) => ({
          artifact,
          verdict: verdicts.get(artifact.path) ?? ('missing' as const),
        }));
      }),
    openEditors,
    log,
  };
}

async function looked<T>(look: () => Promise<T>): Promise<Looked<T>> {
  try {
    return { ok: true, value: await look() };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** What a prompt says of its place, the same for the session and its agents. */
async function promptPlace(folder: FolderIdentity, log: Log): Promise<PromptPlace> {
  return {
    folderName: folder.name,
    folderPath: folder.path,
    platform: process.platform,
    shell: defaultShell(),
    instructions: await projectInstructions(folder.path, log),
  };
}
