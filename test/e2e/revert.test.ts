import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crashVariable } from '../../src/platform/crashPoint.ts';
import { text, toolUse } from '../support/messagesServer/reply.ts';
import { Editor, type EditorWindow } from '../support/session/editor.ts';
import { eventually } from '../support/session/eventually.ts';
import { standsStill } from '../support/session/standsStill.ts';
import { inTurn } from '../support/session/inTurn.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const read = (name: string) => toolUse('read', { file_path: name });
const edit = (name: string, from: string, to: string) =>
  toolUse('edit', { file_path: name, old_string: from, new_string: to });

describe('going back to before a message', function () {
  this.timeout(180_000);

  let editor: Editor;
  let window: EditorWindow;
  let folder: string;

  keepFailureEvidence(() => editor.evidence());

  before(async () => {
    // Each host stands still before it removes its first file, so that it can be killed there.
    editor = await Editor.start({ env: { [crashVariable]: 'before_file_removed:1:stand' } });
    folder = await editor.newFolder();
    await writeFile(path.join(folder, 'a.txt'), 'one\n');
    await writeFile(path.join(folder, 'b.txt'), 'one\n');
    window = await editor.openWindow(folder);
  });

  afterEach(() => {
    assertAccepted(editor.api);
  });

  after(async () => {
    await editor.dispose();
  });

  const content = (name: string) => readFile(path.join(folder, name), 'utf8');
  const made = () => existsSync(path.join(folder, 'made.txt'));
  /** By key: a notification may lie over a button. */
  const press = (button: string) => window.chat.button(button).press('Enter');
  const message = (words: string) =>
    window.chat.transcript.locator('.item-user').filter({ has: window.chat.frame.getByText(words, { exact: true }) });

  it('restores files, is finished after the host was killed in the middle, and can be undone', async () => {
    const { chat } = window;
    editor.script(
      inTurn(
        text('Ready.'),
        read('a.txt'),
        edit('a.txt', 'one', 'two'),
        read('b.txt'),
        edit('b.txt', 'one', 'two'),
        toolUse('run_command', { command: 'echo made > made.txt' }),
        text('All of it is changed.'),
      ),
    );
    await chat.send('Get ready.');
    await chat.transcript.getByText('Ready.', { exact: true }).waitFor();
    await chat.waitForState('done');
    await chat.send('Change it.');
    await chat.transcript.getByText('All of it is changed.').waitFor();
    await chat.waitForState('done');
    assert.ok(made());
    await writeFile(path.join(folder, 'b.txt'), 'by hand\n');

    await message('Change it.').getByRole('button', { name: 'Revert to before this message' }).press('Enter');
    const card = chat.frame.getByRole('dialog', { name: 'Revert to before "Change it."' });
    await card.getByText('1 file restored, 1 file removed, 1 file left as it is.').waitFor();
    await card.getByText('left: changed since').waitFor();
    assert.equal(await content('a.txt'), 'two\n');
    await card.getByRole('button', { name: 'Revert', exact: true }).press('Enter');
    await eventually(() => standsStill(window.hostPid));
    assert.equal(await content('a.txt'), 'one\n');
    assert.ok(made());

    const hostPid = await editor.server.killExtensionHost(window.hostPid);
    await chat.banner.getByText('A revert was cut in the middle').waitFor();
    await chat.send('Go on.');
    await chat.frame.getByText(/was cut in the middle\. Finish it first/).waitFor();
    await chat.message.fill('');
    await press('Finish it');
    await eventually(() => standsStill(hostPid));
    process.kill(hostPid, 'SIGCONT');
    await chat.transcript.getByText('reverted to before "Change it." · 2 files restored, 1 left').waitFor();
    await chat.waitForDraft('Change it.');
    assert.deepEqual([await content('a.txt'), await content('b.txt'), made()], ['one\n', 'by hand\n', false]);
    assert.equal(await chat.transcript.getByText('All of it is changed.').count(), 0);

    await press('Undo the revert');
    await chat.transcript.getByText('revert undone · 2 files restored').waitFor();
    await chat.transcript.getByText('All of it is changed.').waitFor();
    assert.deepEqual([await content('a.txt'), await content('b.txt'), made()], ['two\n', 'by hand\n', true]);
  });

  it('is a fork where files are to stay: what is sent there begins with the same bytes', async () => {
    const { chat } = window;
    const before = editor.requests[1];
    assert.ok(before);
    editor.script(inTurn(text('Another way it is.')));
    await chat.message.fill('');
    await message('Change it.').getByRole('button', { name: 'Fork from here' }).press('Enter');
    await chat.header.getByText('Get ready. (fork)').waitFor();
    await chat.waitForDraft('Change it.');
    await chat.transcript.getByText('forked from "Get ready."').waitFor();
    window = await editor.reload(window);
    // Which session was open is written down by the editor a moment later: a reload at once may not know it yet.
    await window.workbench.runCommand('Ratchet: Open Session');
    await window.workbench.pick(/Get ready\. \(fork\)$/);
    await chat.header.getByText('Get ready. (fork)').waitFor();
    await chat.send('Another way.');
    await chat.transcript.getByText('Another way it is.').waitFor();
    await chat.waitForState('done');
    const [sent] = editor.requests;
    assert.ok(sent);
    const { messages } = before.body as { messages: readonly unknown[] };
    const now = sent.body as { messages: readonly unknown[] };
    assert.equal(JSON.stringify(now.messages.slice(0, 2)), JSON.stringify(messages.slice(0, 2)));
    assert.deepEqual([await content('a.txt'), made()], ['two\n', true]);
  });
});
