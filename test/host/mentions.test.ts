import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FolderIdentity } from '../../src/core/events.ts';
import { createMentionSources } from '../../src/host/mentionSources.ts';
import { TerminalOutput } from '../../src/host/terminalOutput.ts';
import { mentionedContent } from '../../src/panel/mentionedContent.ts';
import { eventually } from '../support/session/eventually.ts';

describe('what mentions stand for, in the editor', () => {
  const terminals = new TerminalOutput((message, error) => {
    throw new Error(message, { cause: error });
  });
  const sources = createMentionSources(terminals);
  let folder: FolderIdentity;
  let file: string;

  before(async () => {
    const [opened] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(opened);
    folder = { uri: opened.uri.toString(), name: opened.name, path: opened.uri.fsPath };
    file = path.join(folder.path, 'mentioned.txt');
    await writeFile(file, 'one\ntwo\nthree\n');
    await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.getConfiguration('files').update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    terminals.dispose();
    await rm(file);
  });

  it('is the file as the editor has it, and the selection with its lines', async () => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    assert.equal(sources.selection(folder), undefined);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    const [whole, selection] = await mentionedContent(sources, folder, 'See @mentioned.txt and @selection');
    assert.match(whole?.text ?? '', /note="with changes that are not saved">\nzero\none/);
    assert.equal(selection?.label, 'mentioned.txt:2-3');
    assert.match(selection.text, /lines="2-3"[^>]*>\none\ntwo\n\n<\/attachment>/);
    assert.deepEqual(sources.openPaths(folder), ['mentioned.txt']);
    assert.ok((await sources.paths(folder)).some(({ path: each }) => each === 'mentioned.txt'));
  });

  it('is the problems of the folder, and of no other', async () => {
    const collection = vscode.languages.createDiagnosticCollection('mentions');
    try {
      const range = new vscode.Range(1, 2, 1, 5);
      const error = new vscode.Diagnostic(range, 'broken', vscode.DiagnosticSeverity.Error);
      error.source = 'lint';
      error.code = { value: 'E1', target: vscode.Uri.parse('https://example.com') };
      collection.set(vscode.Uri.file(file), [error]);
      collection.set(vscode.Uri.file('/elsewhere/a.txt'), [error]);
      const found = sources.problems(folder).filter(({ source }) => source === 'lint(E1)');
      assert.deepEqual(found, [
        {
          path: 'mentioned.txt',
          line: 2,
          column: 3,
          severity: 'error',
          message: 'broken',
          source: 'lint(E1)',
        },
      ]);
    } finally {
      collection.dispose();
    }
  });

  it('is the last output of the active terminal, where its shell says what runs', async () => {
    const terminal = vscode.window.createTerminal({ name: 'mentioned', shellPath: '/bin/bash' });
    try {
      const integration = await new Promise<vscode.TerminalShellIntegration>((resolve) => {
        vscode.window.onDidChangeTerminalShellIntegration((change) => {
          if (change.terminal === terminal) resolve(change.shellIntegration);
        });
        terminal.show();
      });
      // It prints when the extension knows of it: what is printed before that, the editor gives to nobody.
      const gate = path.join(folder.path, 'gate.txt');
      integration.executeCommand(`until [ -e '${gate}' ]; do sleep 0.1; done; echo from the terminal; (exit 3)`);
      await eventually(() => Promise.resolve(sources.terminal()?.runs.length === 1));
      await writeFile(gate, '');
      // With its exit code it is whole.
      await eventually(() => Promise.resolve(sources.terminal()?.runs.at(-1)?.exitCode === 3));
      const [attached] = await mentionedContent(sources, folder, '@terminal');
      assert.match(attached?.text ?? '', /\$ until .*; \(exit 3\)\nfrom the terminal\n\(exit code 3\)/);
    } finally {
      terminal.dispose();
      await rm(path.join(folder.path, 'gate.txt'), { force: true });
    }
  });

  it('is named by the addresses of what is dropped', () => {
    const uri = vscode.Uri.file(file);
    assert.equal(sources.pathOf(folder, uri.toString()), 'mentioned.txt');
    assert.equal(sources.pathOf(folder, file), 'mentioned.txt');
    for (const outside of ['file:///etc/hosts', 'https://example.com/a', 'not an address', ''])
      assert.equal(sources.pathOf(folder, outside), undefined, outside);
  });
});
