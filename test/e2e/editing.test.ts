import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiDriver } from '../support/apiDriver/driver.ts';
import { text, toolUse } from '../support/messagesServer/reply.ts';
import { Editor, type EditorWindow } from '../support/session/editor.ts';
import { eventually } from '../support/session/eventually.ts';
import { inTurn } from '../support/session/inTurn.ts';
import { assertContinues } from '../support/session/requestPrefix.ts';
import { toolResults } from '../support/session/requestResults.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const name = 'train.txt';
const read = toolUse('read', { file_path: name });
const edit = (from: string, to: string) => toolUse('edit', { file_path: name, old_string: from, new_string: to });

describe('a file that is open in the editor', function () {
  this.timeout(180_000);

  let driver: ApiDriver;
  let editor: Editor;
  let window: EditorWindow;
  let hostPid: number;
  let file: string;

  keepFailureEvidence(() => editor.evidence());

  before(async () => {
    driver = await ApiDriver.create();
    // The browser VS Code saves by itself after a second.
    const settings = { 'files.autoSave': 'off', 'ratchet.approvalMode': 'ask' };
    editor = await Editor.start({ env: driver.env, settings });
    await driver.install(editor.home);
    const folder = await editor.newFolder();
    file = path.join(folder, name);
    await writeFile(file, 'one\ntwo\n');
    window = await editor.openWindow(folder);
    hostPid = window.hostPid;
  });

  afterEach(() => {
    assertAccepted(editor.api);
  });

  after(async () => {
    await editor.dispose();
    await driver.dispose();
  });

  const onDisk = () => readFile(file, 'utf8');
  const tab = (title: string) => window.workbench.page.getByRole('tab', { name: title });
  const dirtyTab = () => window.workbench.page.locator('.tab.dirty');
  /** By key: a notification may lie over a button. */
  const press = (button: string) => window.chat.button(button).press('Enter');

  it('is changed from what was typed and not saved, also when the host is killed while the question waits', async () => {
    const { chat, workbench } = window;
    editor.script(inTurn(read, edit('two', 'three'), text('It is edited.')));
    assert.ok((await driver.call(hostPid, { method: 'open', path: file })).ok);
    await workbench.page.keyboard.type('typed');
    await dirtyTab().waitFor();

    await chat.send('Edit it.');
    const question = chat.frame.getByRole('group', { name: /^Wants to edit train\.txt/ });
    await question.waitFor();
    await chat.transcript.getByText('Your unsaved changes in this file are saved first.').waitFor();
    await press('Open diff');
    await tab(`${name} (now ↔ after: proposed)`).waitFor();
    const cut = editor.requests.at(-1);
    assert.ok(cut);
    assert.match(toolResults(cut)[0]?.text ?? '', /the text in the editor\)\none\ntwo\ntyped$/);

    hostPid = await editor.server.killExtensionHost(hostPid);
    await chat.banner.getByText(/^Interrupted while waiting for you/).waitFor();
    assert.equal(await onDisk(), 'one\ntwo\n');
    await press('Resume');
    await question.waitFor();
    await chat.transcript.getByText('Your unsaved changes in this file are saved first.').waitFor();
    await press('Allow');
    await chat.waitForState('done');
    assert.equal(await onDisk(), 'one\nthree\ntyped');
    await chat.transcript.getByText('your unsaved changes were saved first').waitFor();
    await dirtyTab().waitFor({ state: 'detached' });
    const resumed = editor.requests.find(({ number }) => number > cut.number);
    assert.ok(resumed);
    assertContinues(resumed, cut);

    const files = chat.frame.getByRole('region', { name: 'Files changed' });
    await files.getByRole('button', { name: /train\.txt/ }).press('Enter');
    await tab(`${name} (before ↔ after: run)`).waitFor();
    const sides = workbench.page.locator('.monaco-diff-editor .view-lines');
    await sides
      .filter({ hasText: /one.*two.*typed/s })
      .first()
      .waitFor();
    await sides
      .filter({ hasText: /one.*three.*typed/s })
      .first()
      .waitFor();
    // It shows what the run did, whatever becomes of the file.
    await writeFile(file, 'changed by hand\n');
    await workbench.runCommand('View: Close Editor');
    await tab(`${name} (before ↔ after: run)`).waitFor({ state: 'detached' });
    await files.getByRole('button', { name: /train\.txt/ }).press('Enter');
    await sides
      .filter({ hasText: /one.*three.*typed/s })
      .first()
      .waitFor();
  });

  it('is read again after someone changed it, and new problems in it are told to the model', async () => {
    const { chat, workbench } = window;
    assert.ok((await driver.call(hostPid, { method: 'reportLinesWith', word: 'banned' })).ok);
    assert.ok((await driver.call(hostPid, { method: 'open', path: file })).ok);
    await workbench.page
      .locator('.editor-instance .view-lines')
      .filter({ hasText: 'changed by hand' })
      .first()
      .waitFor();
    await chat.approvalMode.selectOption('accept edits');
    editor.script(
      inTurn(edit('changed', 'banned, and changed'), read, edit('changed', 'banned, and changed'), text('Told.')),
    );
    await chat.send('Change it again.');
    await chat.transcript.getByText('Told.').waitFor();
    const last = editor.requests.at(-1);
    assert.ok(last);
    const [stale, , edited] = toolResults(last).slice(-3);
    assert.equal(stale?.isError, true);
    assert.match(stale.text, /^train\.txt has changed since you read it; by whom is not known\. Read it again/);
    assert.match(
      edited?.text ?? '',
      /1 new problem in train\.txt after this change:\nline 1: error: "banned" is not allowed$/,
    );
    await eventually(async () => (await onDisk()) === 'banned, and changed by hand\n');
  });
});
