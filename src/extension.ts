// The composition root: makes every part once and connects them. It decides nothing.
import * as vscode from 'vscode';
import type { RatchetApi } from './api.ts';
import { ApiKeyStore } from './host/apiKey.ts';
import { AttachedDocuments } from './host/attachedDocuments.ts';
import { Attention, offerInterrupted } from './host/attention.ts';
import { createAutoResume } from './host/autoResume.ts';
import { ChatView, chatViewId, chatViewIds } from './host/chatView.ts';
import { registerCommands } from './host/commands.ts';
import { createApi } from './host/extensionApi.ts';
import { registerKeptDocuments } from './host/keptDocuments.ts';
import { connectionSettingsNow } from './host/endpoint.ts';
import { createDraftKeeper, workspaceName } from './host/drafts.ts';
import { EditorModels } from './host/editorModels.ts';
import { EditorToolChoice } from './host/editorToolChoice.ts';
import { IgnoredSettings } from './host/ignoredSettings.ts';
import { createRuleStore } from './host/ruleStore.ts';
import { createLog } from './host/log.ts';
import { createMentionSources } from './host/mentionSources.ts';
import { createModelList } from './host/modelSources.ts';
import { createOpenSessionMemory } from './host/openSession.ts';
import { createSay } from './host/notices.ts';
import { createPanelPorts } from './host/panelPorts.ts';
import { attempt, type Runtime } from './host/runtime.ts';
import { createSandbox } from './host/sandbox.ts';
import { createSessionPorts } from './host/sessionPorts.ts';
import { otherSessionsRoots, sessionsRoot } from './host/sessionRoots.ts';
import { SessionsView } from './host/sessionsView.ts';
import { TerminalOutput } from './host/terminalOutput.ts';
import { ChatPanel } from './panel/chatPanel.ts';
import { Sessions } from './runner/sessions.ts';
import { WorkspaceModel } from './host/workspaceModel.ts';
import { noStorage } from './store/noStorage.ts';

let running: Sessions | undefined;

export function activate(context: vscode.ExtensionContext): RatchetApi {
  const { channel, log } = createLog(() => keys.secrets());
  const keys: ApiKeyStore = new ApiKeyStore(context.secrets, log);
  // From now on it is known to whatever is written, whether or not a run needs it.
  void keys.get();
  const say = createSay(
    () => panel,
    () => view,
  );
  const workspaceModel = new WorkspaceModel(context.workspaceState, say, log);
  const models = createModelList(context, { keys, workspaceModel }, log);
  const ignoredSettings = new IgnoredSettings(context.globalStorageUri, log);
  const root = sessionsRoot(context);
  const otherRoots = otherSessionsRoots(context, log);
  const rules = createRuleStore(context.workspaceState, log);
  const editorModels = new EditorModels(log);
  const editorTools = new EditorToolChoice(context.workspaceState, log);
  const sandbox = createSandbox(context, log);
  const ports = createSessionPorts({
    root: root ?? '',
    otherRoots,
    extensionFolder: context.extensionPath,
    rules,
    sandbox,
    keys,
    workspaceModel,
    models,
    editorModels,
    editorTools,
    log,
  });
  const sessions = new Sessions(root === undefined ? { ...ports, store: noStorage } : ports);
  running = sessions;

  const terminals = new TerminalOutput(log);
  const attached = new AttachedDocuments();
  const panel: ChatPanel = new ChatPanel(
    sessions,
    createPanelPorts(() => runtime, {
      mentions: createMentionSources(terminals),
      attached,
      sandbox,
      openSession: createOpenSessionMemory(context, log),
      drafts: createDraftKeeper(context, otherRoots, keys, log),
      onChanged: () => {
        attention.update();
        sessionsView.update();
      },
    }),
  );
  const view: ChatView = new ChatView(
    context.extensionUri,
    workspaceName(context),
    context.workspaceState,
    () => panel,
    log,
  );
  const runtime: Runtime = {
    ...{
      sessions,
      rules,
      panel,
      view,
      keys,
      workspaceModel,
      ignoredSettings,
      models,
      editorModels,
      editorTools,
      log,
      channel,
    },
    say,
    refresh: () => panel.refresh(),
  };
  const attention = new Attention(runtime);
  const sessionsView = new SessionsView(runtime);
  const autoResume = createAutoResume(runtime, ports);

  const refresh = (): void =>
    void attempt(runtime, 'Refresh', async () => {
      await ignoredSettings.look();
      await panel.refresh();
      await autoResume.check();
    });
  let connectionSettings = connectionSettingsNow();
  context.subscriptions.push(
    channel,
    keys,
    editorModels,
    new vscode.Disposable(() => {
      panel.dispose();
    }),
    view,
    attention,
    sessionsView,
    autoResume,
    terminals,
    attached,
    ...Object.values(chatViewIds).map((id) => vscode.window.registerWebviewViewProvider(id, view)),
    registerCommands(runtime),
    registerKeptDocuments(),
    keys.onDidChange(refresh),
    editorModels.onDidChange(refresh),
    keys.onDidChange(() => void models.refreshIfOld('always')),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const before = connectionSettings;
      connectionSettings = connectionSettingsNow();
      if (change.affectsConfiguration('ratchet') || connectionSettings !== before) refresh();
      if (change.affectsConfiguration('ratchet.anthropic.baseUrl')) void models.refreshIfOld('always');
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.window.onDidChangeActiveTextEditor(() => {
      panel.refreshFolder();
    }),
    // What other windows did meanwhile is seen as soon as somebody looks at this one.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return;
      panel.refreshList();
      void autoResume.check();
      void ignoredSettings.look().then((isOther) => {
        if (isOther) refresh();
      });
    }),
  );
  void attempt(runtime, 'Looking around', async () => {
    // After the chat is there: none of it is needed to show what is on disk.
    await view.whenKnown();
    // A question that came before it was known whether the chat is in sight.
    attention.update();
    await Promise.all([sandbox.find(), ignoredSettings.look()]);
    await panel.refresh();
  });
  void attempt(runtime, 'Opening the last session', async () => {
    const inActivityBar = (await chatViewId()) === chatViewIds.activityBar;
    await vscode.commands.executeCommand('setContext', 'ratchet.inActivityBar', inActivityBar);
    await panel.restore();
    await offerInterrupted(runtime, autoResume);
  });
  return createApi(runtime, (disposable) => context.subscriptions.push(disposable));
}

/** Nothing durable depends on this: it only saves the next window from waiting for a lease to prove dead. */
export async function deactivate(): Promise<void> {
  await running?.shutdown();
}
