import assert from 'node:assert/strict';
import { copyFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { z } from 'zod';
import type { RatchetApi } from '../../src/api.ts';
import type { FolderIdentity } from '../../src/core/events.ts';
import { SessionsView, sessionsViewId } from '../../src/host/sessionsView.ts';
import { createJobClient } from '../../src/jobs/jobClient.ts';
import { ChatPanel } from '../../src/panel/chatPanel.ts';
import type { Sessions } from '../../src/runner/sessions.ts';
import { createFileSessionStore } from '../../src/store/fileSessionStore.ts';
import { noMentions } from '../support/fakes/mentionSources.ts';
import { httpError, text } from '../support/messagesServer/reply.ts';
import { startMessagesServer, type MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { eventually } from '../support/session/eventually.ts';
import { PublishedEvents, ratchetApi, ratchetExtension } from '../support/session/hostApi.ts';
import { openWindow } from '../support/window/window.ts';

const menusSchema = z.object({
  contributes: z.object({
    menus: z.object({
      'view/item/context': z.array(z.object({ command: z.string(), when: z.string(), group: z.string() })),
    }),
  }),
});

/** A second window on the storage of this one: its view is drawn by the editor, and its sessions are the real ones. */
describe('the view of the sessions, in the editor', () => {
  let api: RatchetApi;
  let server: MessagesServer;
  let folder: FolderIdentity;
  let root: string;
  let sessions: Sessions;
  let panel: ChatPanel;
  let view: SessionsView;
  /** Ids that the editor asked the look of. */
  const drawn = new Set<string>();
  const made: string[] = [];
  const configuration = () => vscode.workspace.getConfiguration('ratchet');
  const log = (message: string, error?: unknown): void => {
    throw new Error(message, { cause: error });
  };

  before(async () => {
    api = await ratchetApi();
    server = await startMessagesServer({ script: () => text('Done.') });
    process.env.ANTHROPIC_API_KEY = server.apiKey;
    await configuration().update('anthropic.baseUrl', server.url, vscode.ConfigurationTarget.Global);
    const [opened] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(opened);
    folder = { uri: opened.uri.toString(), name: opened.name, path: opened.uri.fsPath };
    made.push((await api.createSession()).id);
    const home = process.env.RATCHET_TEST_HOME ?? '';
    const roots: string[] = [];
    for await (const found of glob('**/workspaceStorage/*/ratchet-dev.ratchet/sessions', { cwd: home }))
      roots.push(path.join(home, found));
    assert.equal(roots.length, 1, `one storage in ${home}`);
    root = roots[0]!;
    const store = createFileSessionStore({
      root,
      ownerId: 'the-view',
      now: Date.now,
      redact: (event) => event,
      log,
      openFolders: () => [folder],
    });
    const jobs = (storage: string) =>
      createJobClient({ root: path.join(storage, 'jobs'), supervisorScript: '', environment: {} });
    const never = (): never => assert.fail('nothing runs in this window');
    sessions = openWindow({ store, jobs, model: never, modelName: 'm', maxTokens: 1, log });
    panel = new ChatPanel(sessions, {
      post: () => undefined,
      folders: () => [folder],
      activeFolder: () => undefined,
      isTrusted: () => true,
      source: () => Promise.resolve({ kind: 'demo', text: 'A script' }),
      defaultModel: () => 'm',
      defaultApprovalMode: () => 'ask',
      autoResume: () => 'ask',
      models: () => ['m'],
      contextWindow: () => 1_000,
      recallSession: () => undefined,
      rememberSession: () => undefined,
      runCommand: () => Promise.resolve(),
      mentions: noMentions,
      openAttachment: () => Promise.resolve(),
      openImage: () => Promise.resolve(),
      openFile: () => Promise.resolve(),
      openDiff: () => Promise.resolve(),
      openOutput: () => Promise.resolve(),
      openLink: () => Promise.resolve(),
      stopKind: () => Promise.resolve('user'),
      confirmResume: (_sessionId, choice) => Promise.resolve(choice),
      showError: (message) => assert.fail(message),
      onChanged: () => {
        view.update();
      },
      log,
      now: Date.now,
    });
    view = new SessionsView({ panel, log });
    const look = view.getTreeItem.bind(view);
    view.getTreeItem = (id) => {
      drawn.add(id);
      return look(id);
    };
    await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
  });

  beforeEach(() => {
    server.script = () => text('Done.');
  });

  after(async () => {
    panel.dispose();
    view.dispose();
    for (const id of made) await rm(await storageOf(id), { recursive: true, force: true });
    delete process.env.ANTHROPIC_API_KEY;
    await configuration().update('anthropic.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await server.close();
  });

  async function storageOf(id: string): Promise<string> {
    for await (const found of glob(`*/${id}`, { cwd: root })) return path.join(root, found);
    return path.join(root, 'gone', id);
  }

  function itemOf(id: string): vscode.TreeItem | undefined {
    return view.getChildren().includes(id) ? view.getTreeItem(id) : undefined;
  }

  /** The item of a session, as soon as it is as wanted. What another window did is seen when this one is looked at. */
  async function shown(id: string, isWanted: (item: vscode.TreeItem) => boolean): Promise<vscode.TreeItem> {
    await eventually(async () => {
      await panel.refresh();
      const item = itemOf(id);
      return item !== undefined && isWanted(item);
    });
    const item = itemOf(id);
    assert.ok(item);
    return item;
  }

  function seen(id: string, context: string): Promise<vscode.TreeItem> {
    return shown(id, ({ contextValue }) => contextValue === context);
  }

  async function begin(words: string): Promise<{ readonly id: string; readonly events: PublishedEvents }> {
    const { id } = await api.createSession();
    made.push(id);
    const events = new PublishedEvents(api, id);
    await api.sendMessage(id, words);
    return { id, events };
  }

  function offered(context: string | undefined, group: RegExp): readonly string[] {
    const { contributes } = menusSchema.parse(ratchetExtension().packageJSON);
    return contributes.menus['view/item/context'].flatMap(({ command, when, group: own }) => {
      const pattern = /viewItem =~ \/(.+)\//.exec(when)?.[1];
      return pattern !== undefined && new RegExp(pattern).test(context ?? '') && group.test(own) ? [command] : [];
    });
  }

  it('lists the sessions of the folder, each with what it is called, how it stands and what a click does', async () => {
    const { id, events } = await begin('Say hello.');
    await events.ended();
    const item = await seen(id, 'idle');
    assert.equal(item.label, 'Say hello.');
    assert.match(String(item.description), /^done/);
    assert.match(item.accessibilityInformation?.label ?? '', /^Say hello\., done/);
    assert.ok(item.command);
    assert.deepEqual(item.command.arguments, [id]);
    assert.equal(itemOf(made[0]!)?.label, 'New session');
    await eventually(() => Promise.resolve(drawn.has(id)));
    await vscode.commands.executeCommand(item.command.command, id);
    const note: unknown = JSON.parse(await readFile(path.join(path.dirname(root), 'open-session.json'), 'utf8'));
    assert.equal(z.object({ sessionId: z.string() }).parse(note).sessionId, id, 'it is open, and that is on disk');
    assert.deepEqual(offered('idle', /^inline/), []);
  });

  it('offers what fits the state, and the commands of its menu do that with the session', async () => {
    const gate = Promise.withResolvers<undefined>();
    server.script = async () => {
      await gate.promise;
      return text('Late.');
    };
    const { id, events } = await begin('Take long.');
    await events.waitFor('request_started');
    // Its owner is this very process, so that the second window here takes it for dead: only the menu is looked at.
    assert.deepEqual(offered('running', /^inline/), ['ratchet.stop']);
    await api.stopSession(id);
    gate.resolve(undefined);
    assert.deepEqual(offered((await seen(id, 'resumable')).contextValue, /^inline/), ['ratchet.resumeSession']);
    server.script = () => httpError(403);
    await vscode.commands.executeCommand('ratchet.resumeSession', id);
    await events.ended(2);
    assert.equal(events.of('session_resumed')[0]?.mode, 'resume');
    assert.deepEqual(offered((await seen(id, 'retryable')).contextValue, /^inline/), ['ratchet.retrySession']);
    server.script = () => text('Done.');
    await vscode.commands.executeCommand('ratchet.retrySession', id);
    await events.ended(3);
    assert.equal(events.of('session_resumed')[1]?.mode, 'retry');
    assert.match(String((await seen(id, 'idle')).description), /^done/);
    events.dispose();
  });

  it('follows a new name, an import, a trace that is damaged, and a deletion', async () => {
    const { id, events } = await begin('Before.');
    await events.ended();
    await seen(id, 'idle');
    await sessions.rename(id, 'After');
    await shown(id, ({ label }) => label === 'After');

    const file = path.join(folder.path, 'trace.jsonl');
    const storage = await storageOf(id);
    await copyFile(path.join(storage, 'journal.jsonl'), file);
    const imported = await sessions.importTrace(folder, file);
    made.push(imported.sessionId);
    assert.equal((await shown(imported.sessionId, () => true)).label, 'After');

    await writeFile(path.join(await storageOf(imported.sessionId), 'journal.jsonl'), '\u0000'.repeat(64));
    const damaged = await seen(imported.sessionId, 'unreadable');
    assert.equal(damaged.description, 'cannot be read');
    assert.deepEqual(offered('unreadable', /^inline/), []);
    assert.ok(offered('unreadable', /./).includes('ratchet.openSession'));

    await sessions.remove(id);
    await panel.refresh();
    await eventually(() => Promise.resolve(itemOf(id) === undefined));
    assert.ok(itemOf(imported.sessionId), 'the others stay');
    await rm(file);
  });
});
