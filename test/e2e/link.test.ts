import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { scriptedSteps } from '../support/messagesServer/scriptedSteps.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { createStepsJob, lastWords, type StepsJob } from '../support/session/stepsJob.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('what the chat says of itself', function () {
  this.timeout(180_000);

  let job: StepsJob;

  keepFailureEvidence(stage.evidence);

  beforeEach(async () => {
    job = await createStepsJob();
  });

  afterEach(async () => {
    await job.dispose();
  });

  it('is what holds when a notification is pressed: nothing is sent for a session that is done meanwhile', async () => {
    const scene = await stage.begin({ script: job.script });
    const { api, chat, server, workbench } = scene;
    await chat.send('Do the five steps.');
    await chat.transcript.getByText('waiting').first().waitFor();
    await chat.hide();
    await server.killExtensionHost();
    await workbench.notification('"Do the five steps." was cut');
    await job.openGate();
    await chat.show();
    // By key: the notification came while the chat was out of sight, and lies over the button now.
    await chat.button('Resume').press('Enter');
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');
    const { length } = api.requests;
    await workbench.pressOldNotificationButton('"Do the five steps." was cut', 'Resume');
    await chat.notices.getByText('"Do the five steps." is done: it was resumed meanwhile. Nothing was sent.').waitFor();
    assert.equal(api.requests.length, length);
    assert.equal(await chat.resumeLines.count(), 1);
    await chat.notices.getByRole('button', { name: 'Dismiss' }).click();
    await chat.notices.waitFor({ state: 'detached' });
    assertAccepted(api);
  });

  it('is that it reconnects while the extension host hangs; the session stays in sight and the draft in the input', async () => {
    const { chat, server } = await stage.begin({ script: job.script });
    await chat.send('Do the five steps.');
    await chat.transcript.getByText('waiting').first().waitFor();
    const host = await server.extensionHost();
    process.kill(host, 'SIGSTOP');
    try {
      await chat.frame.getByText('Reconnecting. Your sessions are safe.').waitFor();
      await chat.frame.getByText('Do the five steps.').first().waitFor();
      await chat.message.fill('Then write the report.');
      await chat.message.press('Enter');
      await chat.frame.getByText(/^Not connected at this moment/).waitFor();
      assert.equal(await chat.button('Send').isEnabled(), false);
    } finally {
      process.kill(host, 'SIGCONT');
    }
    await chat.waitForState('running');
    await chat.waitForDraft('Then write the report.');
    await chat.message.fill('');
    await chat.button('Stop').click();
    await chat.waitForState('stopped');
  });

  it('never is that there are no sessions, while nobody can have read them', async () => {
    const { chat, server, workbench } = await stage.begin({ script: scriptedSteps([]) });
    await chat.send('Nothing to do');
    await chat.waitForState('done');
    const view = workbench.page.locator('.pane', { hasText: 'Sessions' }).last();
    await workbench.runCommand('Ratchet: Focus on Sessions View');
    await view.getByText('Nothing to do').waitFor();
    const next = await server.killExtensionHost();
    process.kill(next, 'SIGSTOP');
    try {
      await view.getByText('They are on disk and safe').waitFor();
      assert.equal(await view.getByText('No sessions in the open folders yet').count(), 0);
    } finally {
      process.kill(next, 'SIGCONT');
    }
    await view.getByText('Nothing to do').waitFor();
    await chat.waitForState('done');
  });

  it('is the folder of the active editor for a new session, and one click takes the other one', async () => {
    const workspace = 'both.code-workspace';
    const { api, chat, workbench } = await stage.begin({
      script: scriptedSteps([]),
      open: { workspace },
      fill: async (folder) => {
        for (const name of ['api', 'web']) {
          await mkdir(path.join(folder, name));
          await writeFile(path.join(folder, name, `${name}.txt`), name);
        }
        await writeFile(path.join(folder, workspace), JSON.stringify({ folders: [{ path: 'api' }, { path: 'web' }] }));
      },
    });
    const shown = (): Promise<string | null> =>
      chat.frame.getByRole('combobox', { name: 'Folder' }).locator('option:checked').textContent();
    const noFolder = chat.button('Open a folder…');
    await chat.button('Use web').or(noFolder).waitFor();
    if (await noFolder.isVisible()) {
      // Now and then the browser VS Code opens a workspace file before it can read it, and has no folder at all.
      await workbench.page.reload();
      await chat.show();
    }
    assert.equal(await shown(), 'api');
    await workbench.openFile('web.txt');
    await chat.button('Use api').waitFor();
    assert.equal(await shown(), 'web');
    await chat.send('In the folder of the editor');
    await chat.header.getByText('web', { exact: true }).waitFor();
    await chat.waitForState('done');
    await chat.button('Sessions').click();
    await chat.button('Use api').click();
    await chat.button('Use web').waitFor();
    await chat.send('In the other one');
    await chat.header.getByText('api', { exact: true }).waitFor();
    await chat.waitForState('done');
    assertAccepted(api);
  });
});
