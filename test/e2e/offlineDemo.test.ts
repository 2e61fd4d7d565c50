import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/processes.ts';
import { Chat } from '../support/session/chat.ts';
import { eventually } from '../support/session/eventually.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';
import { VscodeServer } from '../support/workbench/vscodeServer.ts';
import { Workbench } from '../support/workbench/workbench.ts';

// One story: without a key, then in a folder that is no longer trusted, then trusted again, then with a key.
describe('the offline demo', function () {
  this.timeout(180_000);

  let home = '';
  let folder = '';
  let port = 0;
  let server: VscodeServer | undefined;
  let workbench: Workbench | undefined;

  keepFailureEvidence(() => ({ server, workbench }));

  before(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'ratchet-vscode-'));
    folder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-folder-'));
    port = await freePort();
  });

  afterEach(async () => {
    await workbench?.close();
    await server?.dispose();
    workbench = undefined;
    server = undefined;
  });

  after(async () => {
    for (const each of [home, folder]) await rm(each, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(trust: 'off' | 'untrusted'): Promise<{ readonly chat: Chat; readonly workbench: Workbench }> {
    server = await VscodeServer.start({
      ...{ home, port, trust },
      env: { ANTHROPIC_API_KEY: '' },
      settings: { 'ratchet.approvalMode': 'allowAll' },
    });
    workbench = await Workbench.open(server, folder);
    const chat = new Chat(workbench);
    await chat.show();
    return { chat, workbench };
  }

  it('says that it is a script, works with the real tools, and is stopped in its long step', async () => {
    const { chat } = await open('off');
    await chat.frame.getByText(/^Offline demo: a script, not a model/).waitFor();
    await chat.button('Set API key').waitFor();
    await chat.send('Train the model');
    await chat.transcript.getByText(/a script answers here, not a model/).waitFor();
    await chat.transcript.getByText(/epoch 3\/20/).waitFor();
    assert.equal(existsSync(path.join(folder, 'ratchet-demo', 'data.csv')), true);
    await chat.button('Stop').click();
    await chat.waitForState('stopped');
    await chat.button('Resume').waitFor();
  });

  it('can be read in a folder that is not trusted, where nothing runs', async () => {
    const { chat, workbench } = await open('untrusted');
    await chat.header.getByText('Train the model').waitFor();
    await chat.button('Sessions').click();
    await chat.button('Manage trust').waitFor();
    assert.equal(await chat.button('Resume').count(), 0);
    assert.equal(await chat.message.count(), 0);
    await chat.frame.getByRole('button', { name: /Train the model/ }).click();
    await chat.header.getByText('Train the model').waitFor();
    await chat.transcript
      .getByText(/epoch|sh ratchet-demo\/job\.sh train/)
      .first()
      .waitFor();
    await chat.frame.getByText(/^This folder is not trusted, so nothing runs in it/).waitFor();
    assert.equal(await chat.button('Resume').count(), 0);
    assert.equal(await chat.message.isEditable(), false);
    await workbench.runCommand('Ratchet: Resume Session');
    await workbench.notification('This folder is not trusted, so nothing runs in it.');
    await chat.waitForState('stopped');
    const target = path.join(folder, 'Train-the-model.jsonl');
    await workbench.runCommand('Ratchet: Export Trace');
    await workbench.answerFileDialog(target, /Train-the-model\.jsonl$/);
    await workbench.notification(/The trace was saved to/);
    assert.match(await readFile(target, 'utf8'), /"text":"Train the model"/);
  });

  it('is resumed to its end, the finished steps not done again', async () => {
    const { chat, workbench } = await open('off');
    await workbench.runCommand('Ratchet: Get Started');
    // Its label still says what it was when the page was made.
    const checked = (step: string) => workbench.page.getByRole('checkbox', { name: `${step}:`, checked: true }).first();
    await checked('Open a folder').waitFor();
    await chat.button('Resume').click();
    await chat.transcript.getByText(/Resumed: 2 of 5 steps already done, not done again\./).waitFor();
    await chat.transcript.getByText('All five steps are done.').waitFor();
    await chat.waitForState('done');
    assert.equal(existsSync(path.join(folder, 'ratchet-demo', 'report.md')), true);
    // What is scrolled away counts as hidden.
    const wrote = { name: /(Wrote|Created) ratchet-demo\/data\.csv/, includeHidden: true };
    assert.equal(await chat.transcript.getByRole('button', wrote).count(), 1);
    assert.equal(await chat.resumeLines.count(), 1);
    await checked('Resume it').waitFor();
  });

  it('ends when a key is set, also where it was chosen', async () => {
    const { chat, workbench } = await open('off');
    await workbench.runCommand('Ratchet: Use Offline Demo');
    // It answered before too: only the settings tell that it was chosen.
    const settings = path.join(server?.userDataFolder ?? '', 'User', 'settings.json');
    await eventually(async () => (await readFile(settings, 'utf8')).includes('"ratchet.provider": "offlineDemo"'));
    await workbench.runCommand('Ratchet: Set API Key');
    await workbench.answerInput('some-key');
    await chat.frame.getByText(/^Key from the secret storage/).waitFor();
  });
});
