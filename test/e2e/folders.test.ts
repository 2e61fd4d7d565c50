import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scriptedSteps } from '../support/messagesServer/scriptedSteps.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const workspace = 'both.code-workspace';

async function twoFolders(folder: string): Promise<void> {
  for (const name of ['api', 'web']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, workspace), JSON.stringify({ folders: [{ path: 'api' }, { path: 'web' }] }));
}

describe('a session and its folder', function () {
  this.timeout(120_000);
  keepFailureEvidence(stage.evidence);

  it('are shown together where several folders are open, and commands run in that folder', async () => {
    const step = {
      tool: 'run_command',
      input: { command: 'pwd > where.txt; echo step 1 done' },
      marker: 'step 1 done',
    };
    const scene = await stage.begin({ fill: twoFolders, open: { workspace }, script: scriptedSteps([step]) });
    const { chat } = scene;
    const folderChoice = chat.frame.getByRole('combobox', { name: 'Folder' });
    const noFolder = chat.button('Open a folder…');
    await folderChoice.or(noFolder).waitFor();
    if (await noFolder.isVisible()) {
      // Now and then the browser VS Code opens a workspace file before it can read it, and has no folder at all.
      await scene.workbench.page.reload();
      await chat.show();
    }
    for (const name of ['web', 'api']) {
      await folderChoice.selectOption(name);
      await chat.send(`Work in ${name}`);
      await chat.header.getByText(`Work in ${name}`).waitFor();
      await chat.header.getByText(name, { exact: true }).waitFor();
      await chat.waitForState('done');
      assert.equal(existsSync(path.join(scene.folder, name, 'where.txt')), true);
      if (name === 'web') assert.equal(existsSync(path.join(scene.folder, 'api', 'where.txt')), false);
      await chat.button('Sessions').click();
    }
    await chat.frame.getByRole('button', { name: /Work in web.*web/ }).waitFor();
    await chat.frame.getByRole('button', { name: /Work in api.*api/ }).waitFor();

    // A folder that leaves takes its sessions out of the list, and nothing is lost when it comes back.
    await writeFile(path.join(scene.folder, workspace), JSON.stringify({ folders: [{ path: 'api' }] }));
    // Seen by the window that is open: a reload in the instant of the change may still read what was there before.
    await chat.frame.getByRole('button', { name: /Work in web/ }).waitFor({ state: 'detached' });
    await chat.frame.getByRole('button', { name: /Work in api/ }).waitFor();
    await scene.workbench.page.reload();
    await chat.show();
    await chat.frame.getByRole('button', { name: /Work in api/ }).waitFor();
    assert.equal(await chat.frame.getByRole('button', { name: /Work in web/ }).count(), 0);
    assertAccepted(scene.api);
  });

  it('need one: a window without a folder says what to do', async () => {
    const scene = await stage.begin({ open: 'nothing' });
    await scene.chat.frame.getByText(/^Ratchet works in a folder/).waitFor();
    await scene.chat.button('Open a folder…').waitFor();
    assert.equal(await scene.chat.message.count(), 0);
    await scene.workbench.runCommand('Ratchet: New Session');
    await scene.workbench.notification('Open a folder first');
    await scene.workbench.runCommand('Ratchet: Resume Session');
    await scene.workbench.notification('Open a folder first: sessions belong to one.');
    assert.equal(scene.api.requests.length, 0);
  });
});
