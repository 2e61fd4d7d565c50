// Gives the panel's logic what it needs from this editor.
import * as vscode from 'vscode';
import { unreachable } from '../core/errors.ts';
import type { MentionSources } from '../panel/mentionSources.ts';
import type { DraftKeeper, PanelPorts } from '../panel/panelPorts.ts';
import type { HostCommand } from '../protocol/view.ts';
import { openMessageImage, type AttachedDocuments } from './attachedDocuments.ts';
import { demoModel } from '../core/connection.ts';
import { runCommandFor } from './commands.ts';
import { modelSource } from './endpoint.ts';
import { activeFolder, openFolders } from './folders.ts';
import { openStepOutput } from './keptDocuments.ts';
import { openLink, openWorkspaceFile } from './links.ts';
import { modelPrice, windowOf } from './modelChoice.ts';
import { modelNames } from './modelPick.ts';
import type { OpenSessionMemory } from './openSession.ts';
import { confirmResume } from './resumePreview.ts';
import { tell, type Runtime } from './runtime.ts';
import type { Sandbox } from './sandbox.ts';
import { setting } from './settings.ts';
import { openStepDiff } from './stepDiffs.ts';
import { chooseStop } from './stopChoice.ts';

export function createPanelPorts(
  runtime: () => Runtime,
  parts: {
    readonly mentions: MentionSources;
    readonly attached: AttachedDocuments;
    readonly openSession: OpenSessionMemory;
    readonly sandbox: Sandbox;
    readonly drafts: DraftKeeper | undefined;
    readonly onChanged: () => void;
  },
): PanelPorts {
  return {
    post: (message) => {
      runtime().view.post(message);
    },
    folders: openFolders,
    activeFolder,
    isTrusted: () => vscode.workspace.isTrusted,
    source: () => modelSource(runtime()),
    defaultModel: () => (setting('provider') === 'offlineDemo' ? demoModel : runtime().workspaceModel.model()),
    defaultApprovalMode: () => setting('approvalMode'),
    noSandbox: parts.sandbox.missing,
    autoResume: () => setting('autoResume'),
    models: () => modelNames(runtime().models),
    priceOf: modelPrice,
    contextWindow: (model) => windowOf(runtime().models, runtime().editorModels, model),
    recallSession: parts.openSession.recall,
    rememberSession: parts.openSession.remember,
    runCommand: async (command, sessionId) => {
      const id = commandId(command);
      if (!(await runCommandFor(runtime(), id, sessionId))) await vscode.commands.executeCommand(id);
    },
    drafts: parts.drafts,
    mentions: parts.mentions,
    openAttachment: (folder, attachment) => parts.attached.open(folder, attachment),
    openImage: openMessageImage,
    openFile: openWorkspaceFile,
    openDiff: async (sessionId, request) => openStepDiff(await runtime().sessions.open(sessionId), request, runtime()),
    openOutput: async (sessionId, stepId) => openStepOutput(await runtime().sessions.open(sessionId), stepId),
    openLink,
    stopKind: chooseStop,
    confirmResume: (sessionId, choice, wanted) => confirmResume(runtime(), sessionId, choice, wanted),
    showError: (message) => {
      tell(runtime(), { level: 'error', text: message });
    },
    onChanged: parts.onChanged,
    log: (message, error) => {
      runtime().log(message, error);
    },
    now: () => Date.now(),
  };
}

function commandId(command: HostCommand): string {
  switch (command) {
    case 'openFolder':
      return 'workbench.action.files.openFolder';
    case 'manageTrust':
      return 'workbench.trust.manage';
    case 'openSettings':
      return 'ratchet.openSettings';
    case 'useDemo':
      return 'ratchet.useOfflineDemo';
    case 'resumePick':
      return 'ratchet.resumeSession';
    case 'newSession':
    case 'useEditorModels':
    case 'leaveDemo':
    case 'setApiKey':
    case 'showLog':
    case 'stopKeepCommand':
    case 'exportTrace':
    case 'deleteSession':
    case 'renameSession':
    case 'chooseModel':
    case 'compactSession':
    case 'checkConnection':
      return `ratchet.${command}`;
    default:
      return unreachable(command);
  }
}
