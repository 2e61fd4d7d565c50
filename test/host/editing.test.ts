import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import type { RatchetApi } from '../../src/api.ts';
import { editorFiles } from '../../src/host/editorFiles.ts';
import { isSameFile } from '../../src/host/sameFile.ts';
import type { ReplyBlock } from '../support/messagesServer/reply.ts';
import { message, text, toolUse } from '../support/messagesServer/reply.ts';
import { startMessagesServer, type MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { PublishedEvents, ratchetApi } from '../support/session/hostApi.ts';

describe('edits of files that are open in the editor', () => {
  let api: RatchetApi;
  let server: MessagesServer;
  let folder: string;
  /** Another one in each test: the editor goes on knowing a file for a while after it is gone. */
  let name: string;
  let file: string;
  let tests = 0;
  const disposables: { dispose(): void }[] = [];
  const global = vscode.ConfigurationTarget.Global;
  const configuration = () => vscode.workspace.getConfiguration('ratchet');

  before(async () => {
    api = await ratchetApi();
    server = await startMessagesServer();
    process.env.ANTHROPIC_API_KEY = server.apiKey;
    await configuration().update('anthropic.baseUrl', server.url, global);
    await configuration().update('approvalMode', 'allowAll', global);
    // The browser VS Code saves by itself after a second.
    await vscode.workspace.getConfiguration('files').update('autoSave', 'off', global);
    const [opened] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(opened);
    folder = opened.uri.fsPath;
  });

  beforeEach(async () => {
    name = `edited-${String(++tests)}.txt`;
    file = path.join(folder, name);
    await writeFile(file, 'one\ntwo\n');
  });

  afterEach(async () => {
    for (const each of disposables.splice(0)) each.dispose();
    await vscode.workspace.getConfiguration('editor').update('formatOnSave', undefined, global);
    // Whatever a test left unsaved is not asked about.
    if (vscode.window.activeTextEditor?.document.isDirty === true) {
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(file);
  });

  after(async () => {
    delete process.env.ANTHROPIC_API_KEY;
    for (const key of ['anthropic.baseUrl', 'approvalMode']) await configuration().update(key, undefined, global);
    await vscode.workspace.getConfiguration('files').update('autoSave', undefined, global);
    await server.close();
  });

  /** Opens the file and types a line at its end. */
  async function typed(words = 'typed\n'): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    const end = document.lineAt(document.lineCount - 1).range.end;
    assert.ok(await editor.edit((builder) => builder.insert(end, words)));
    assert.equal(document.isDirty, true);
    return document;
  }

  /** Lets the agent make these calls, one after the other, and gives their ends. */
  async function agentDoes(...calls: readonly ReplyBlock[]) {
    let next = 0;
    server.script = () => {
      const call = calls[next++];
      return call ? message([call]) : text('Done.');
    };
    const { id } = await api.createSession();
    const events = new PublishedEvents(api, id);
    disposables.push(events);
    await api.sendMessage(id, 'Edit it.');
    assert.equal((await events.ended()).outcome, 'done');
    return events;
  }

  const edit = () => toolUse('edit', { file_path: name, old_string: 'two', new_string: 'three' });
  const onDisk = () => readFile(file, 'utf8');

  /** Waits until a document has this text: the editor takes what is on disk a moment later. */
  async function waitForText(document: vscode.TextDocument, wanted: string): Promise<void> {
    while (document.getText() !== wanted) {
      await new Promise<void>((resolve) => {
        const listener = vscode.workspace.onDidChangeTextDocument(() => {
          listener.dispose();
          resolve();
        });
      });
    }
  }

  it('are made on the unsaved text, which is read, saved and kept', async () => {
    const document = await typed();
    const events = await agentDoes(toolUse('read', { file_path: name }), edit());
    const [read, edited] = events.of('step_finished');
    assert.equal(
      read?.content,
      `(${name} has unsaved changes in the editor; this is the text in the editor)\none\ntwo\ntyped\n`,
    );
    assert.equal(edited?.outcome, 'succeeded', edited?.content);
    assert.equal(edited.note, 'your unsaved changes were saved first');
    assert.equal(await onDisk(), 'one\nthree\ntyped\n');
    await waitForText(document, 'one\nthree\ntyped\n');
    assert.equal(document.isDirty, false);
  });

  it('are made on what a formatter made of the text while it was saved', async () => {
    disposables.push(
      vscode.languages.registerDocumentFormattingEditProvider('plaintext', {
        provideDocumentFormattingEdits: (document) => {
          const last = document.lineAt(document.lineCount - 1).range.end;
          return [
            vscode.TextEdit.replace(
              new vscode.Range(0, 0, last.line, last.character),
              `formatted\n${document.getText()}`,
            ),
          ];
        },
      }),
    );
    await vscode.workspace.getConfiguration('editor').update('formatOnSave', true, global);
    await typed();
    const events = await agentDoes(toolUse('read', { file_path: name }), edit());
    const edited = events.of('step_finished')[1];
    assert.equal(edited?.outcome, 'succeeded', edited?.content);
    assert.equal(await onDisk(), 'formatted\none\nthree\ntyped\n');
    // What is on record before the change is what was there: first the typed text, then the formatted one.
    assert.equal(events.of('step_started').filter(({ tool }) => tool === 'edit').length, 2);
  });

  it('are not made where the file changed on disk too: both are left as they are', async () => {
    const document = await typed();
    await writeFile(file, 'one\ntwo, and much more by another program\n');
    const events = await agentDoes(edit());
    const edited = events.of('step_finished')[0];
    assert.equal(edited?.outcome, 'failed');
    assert.match(edited.content, /unsaved changes in the editor, and they could not be saved/);
    assert.equal(await onDisk(), 'one\ntwo, and much more by another program\n');
    assert.equal(document.getText(), 'one\ntwo\ntyped\n');
    assert.equal(document.isDirty, true);
  });

  it('are not made where the file cannot be written', async () => {
    const document = await typed();
    await vscode.workspace.getConfiguration('files').update('readonlyInclude', { [`**/${name}`]: true }, global);
    try {
      const events = await agentDoes(edit());
      const edited = events.of('step_finished')[0];
      assert.equal(edited?.outcome, 'failed');
      assert.match(edited.content, /could not be saved: the file is read-only/);
      assert.equal(await onDisk(), 'one\ntwo\n');
      assert.equal(document.isDirty, true);
    } finally {
      await vscode.workspace.getConfiguration('files').update('readonlyInclude', undefined, global);
    }
  });

  it('know the bytes that saving will write, with a byte order mark', async () => {
    await writeFile(file, '\uFEFFone\r\ntwo\r\n');
    await typed('typed');
    const unsaved = await editorFiles.unsaved(file);
    assert.ok(unsaved?.kind === 'text');
    assert.equal(Buffer.from(unsaved.bytes).toString('utf8'), '\uFEFFone\r\ntwo\r\ntyped');
    assert.equal(await editorFiles.save(file, new AbortController().signal), true);
    assert.equal(await onDisk(), '\uFEFFone\r\ntwo\r\ntyped');
    assert.equal(await editorFiles.unsaved(file), undefined);
  });

  it('find the editor by another path to the same file', async () => {
    const link = `${file}.link`;
    await symlink(file, link);
    try {
      await typed();
      assert.equal(await isSameFile(link, file), true);
      assert.ok(await editorFiles.unsaved(link));
      assert.equal(await editorFiles.unsaved(path.join(path.dirname(file), 'README.md')), undefined);
    } finally {
      await rm(link);
    }
  });

  it('tell the model the problems that are new', async () => {
    const problems = vscode.languages.createDiagnosticCollection('linter');
    const look = (document: vscode.TextDocument): void => {
      if (document.uri.fsPath !== file) return;
      const found = document
        .getText()
        .split('\n')
        .flatMap((line, index) =>
          /one|three/.test(line)
            ? [
                new vscode.Diagnostic(
                  new vscode.Range(index, 0, index, 1),
                  `"${line}" is a number`,
                  vscode.DiagnosticSeverity.Error,
                ),
              ]
            : [],
        );
      problems.set(document.uri, found);
    };
    disposables.push(
      problems,
      vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    );
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    look(document);
    const events = await agentDoes(edit());
    assert.match(
      events.of('step_finished')[0]?.content ?? '',
      /The editor reports 1 new problem in edited-\d\.txt after this change:\nline 2: error: "three" is a number$/,
    );
  });
});
