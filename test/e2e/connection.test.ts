import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { outFolder } from '../../scripts/paths.ts';
import { text } from '../support/messagesServer/reply.ts';
import { startMessagesServer, type MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { Chat } from '../support/session/chat.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';
import { leanSettings, type Settings } from '../support/workbench/userSettings.ts';
import { VscodeServer } from '../support/workbench/vscodeServer.ts';
import { Workbench } from '../support/workbench/workbench.ts';

// One story: a session of a real server, whose address is taken away, then the demo is chosen, then another server is set.
describe('the connection of a session', function () {
  this.timeout(180_000);

  const key = 'test-key';
  let home = '';
  let folder = '';
  let server: VscodeServer | undefined;
  let workbench: Workbench | undefined;
  const apis: MessagesServer[] = [];

  keepFailureEvidence(() => ({ server, workbench }));

  before(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'ratchet-vscode-'));
    folder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-folder-'));
    // Such a file comes with a folder; it sets what no workspace may.
    const elsewhere = { 'ratchet.anthropic.baseUrl': 'http://127.0.0.1:9' };
    await mkdir(path.join(folder, '.vscode'));
    await writeFile(path.join(folder, '.vscode', 'settings.json'), JSON.stringify(elsewhere));
  });

  after(async () => {
    await workbench?.close();
    await server?.dispose();
    for (const api of apis) await api.close();
    for (const each of [home, folder]) await rm(each, { recursive: true, force: true, maxRetries: 5 });
  });

  async function serverThatSays(words: string): Promise<MessagesServer> {
    const api = await startMessagesServer({ script: () => text(words) });
    apis.push(api);
    return api;
  }

  async function machineSettings(settings: Settings): Promise<void> {
    const file = path.join(home, 'user-data', 'Machine', 'settings.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings));
  }

  async function picture(name: string): Promise<void> {
    await mkdir(path.join(outFolder, 'e2e'), { recursive: true });
    await workbench?.page.screenshot({ path: path.join(outFolder, 'e2e', `${name}.png`) });
  }

  it('is not the script after its server is taken away: nothing runs, and the ways to a model are shown', async () => {
    const api = await serverThatSays('Hello from a real server.');
    await machineSettings({ 'ratchet.anthropic.baseUrl': api.url });
    server = await VscodeServer.start({
      ...{ home, trust: 'off', env: { ANTHROPIC_API_KEY: '' } },
      settings: { ...leanSettings, 'ratchet.approvalMode': 'allowAll' },
    });
    workbench = await Workbench.open(server, folder);
    const chat = new Chat(workbench);
    await chat.show();
    await workbench.runCommand('Ratchet: Set API Key');
    await workbench.answerInput(key);
    await chat.frame.getByText(/^Key from the secret storage · 127/).waitFor();
    await chat.send('Hello');
    await chat.transcript.getByText('Hello from a real server.').waitFor();
    await chat.waitForState('done');

    await workbench.runCommand('Ratchet: Set API Key');
    await workbench.answerInput('');
    await chat.frame.getByText(/^No key · 127/).waitFor();
    await machineSettings({});
    await workbench.reloadWindow();
    await chat.show();
    const note = chat.frame.getByRole('region', { name: 'No model is set up' });
    await note.getByText(/^The server 127\.0\.0\.1:\d+ answered this session/).waitFor();
    await chat.frame.getByText(/^ratchet\.anthropic\.baseUrl in the settings of this workspace is not used/).waitFor();
    for (const way of ['Set API key', "Use the editor's models", 'Open settings']) await chat.button(way).waitFor();
    await chat.send('Train the model');
    await chat.frame
      .locator('#composer-note')
      .getByText(/^No model is set up\. .*Nothing was sent and nothing runs\./)
      .waitFor();
    assert.equal(await chat.message.inputValue(), 'Train the model');
    assert.equal(existsSync(path.join(folder, 'ratchet-demo')), false);
    assert.equal(await chat.transcript.getByText('Train the model').count(), 0);
    await picture('no-model');

    // A new session is nobody's yet: the demo may begin it.
    await chat.button('Sessions').click();
    await chat.frame.getByText(/^Offline demo: a script, not a model/).waitFor();
    await chat.frame.getByRole('button', { name: /Hello/ }).click();
    await note.waitFor();
  });

  it('is not the script where the demo is chosen by the setting, either', async () => {
    assert.ok(workbench && server);
    const chat = new Chat(workbench);
    await workbench.runCommand('Ratchet: Use Offline Demo');
    await chat.frame.getByRole('region', { name: 'The offline demo is chosen' }).waitFor();
    await chat.send('Train the model');
    await chat.frame
      .locator('#composer-note')
      .getByText(/^The offline demo is chosen\. /)
      .waitFor();
    assert.equal(existsSync(path.join(folder, 'ratchet-demo')), false);
    await picture('demo-is-chosen');
    await chat.button('Leave the demo').click();
    await chat.frame.getByRole('region', { name: 'No model is set up' }).waitFor();
  });

  it('says before and after a message that another server answers', async () => {
    assert.ok(workbench && server);
    const chat = new Chat(workbench);
    const other = await serverThatSays('Hello from another one.');
    await machineSettings({ 'ratchet.anthropic.baseUrl': other.url });
    await workbench.reloadWindow();
    await chat.show();
    await workbench.runCommand('Ratchet: Set API Key');
    await workbench.answerInput(key);
    await chat.frame.getByText(/^Answered by the server 127\.0\.0\.1:\d+ until now\. What you send next/).waitFor();
    await picture('other-connection');
    await chat.message.fill('');
    await chat.send('Go on');
    await chat.transcript
      .getByText(/^Answered by the server 127\.0\.0\.1:\d+ until now; from here on by the server/)
      .waitFor();
    await chat.transcript.getByText('Hello from another one.').waitFor();
    await chat.waitForState('done');
    assert.equal(await chat.frame.getByText(/What you send next/).count(), 0);
    await picture('answered-by-another');
  });
});
