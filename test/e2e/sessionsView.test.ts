import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { text } from '../support/messagesServer/reply.ts';
import { eventually } from '../support/session/eventually.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted, type Scene } from '../support/session/stage.ts';
import { createStepsJob, eachStepOnce, lastWords, type StepsJob } from '../support/session/stepsJob.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('the view of the sessions', function () {
  this.timeout(180_000);

  let job: StepsJob;
  keepFailureEvidence(stage.evidence);

  beforeEach(async () => {
    job = await createStepsJob();
  });
  afterEach(async () => {
    await job.dispose();
  });

  async function row({ workbench }: Scene, title: RegExp): Promise<Locator> {
    await workbench.runCommand('Ratchet: Focus on Sessions View');
    return workbench.page.getByRole('treeitem', { name: title });
  }

  it('says how a session stands, and resumes it after a reload, with a look at what is sent', async () => {
    const scene = await stage.begin({ script: job.script });
    const { chat, workbench, api } = scene;
    await chat.send('Do the five steps.');
    await chat.transcript.getByText('waiting').first().waitFor();
    await (await row(scene, /Do the five steps\., running/)).waitFor();
    await chat.button('Stop').click();
    await chat.waitForState('stopped');
    await workbench.reloadWindow();
    const stopped = await row(scene, /Do the five steps\., stopped at step 3/);
    await stopped.waitFor();
    const sent = api.messageRequests.length;
    await workbench.runCommand('Ratchet: Preview Resume');
    await workbench.page
      .getByText(/tokens, (counted by the server|estimated)/)
      .first()
      .waitFor();
    await workbench.page.keyboard.press('Escape');
    assert.equal(api.messageRequests.length, sent, 'a look sends nothing');
    await job.openGate();
    await stopped.hover();
    await stopped.getByRole('button', { name: 'Resume Session' }).click();
    await chat.show();
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');
    assert.deepEqual(await job.finished(scene.folder), eachStepOnce);
    await (await row(scene, /Do the five steps\., done/)).waitFor();
    assertAccepted(api);
  });

  it('exports without secrets, shows what was taken out, and imports what was exported', async () => {
    const token = `ghp_${'a1'.repeat(15)}`;
    const scene = await stage.begin({ script: () => text(`The token is ${token}, they say.`) });
    const { chat, workbench } = scene;
    await chat.send('Export me');
    await chat.waitForState('done');
    for (const name of ['trace.md', 'trace.jsonl']) {
      await workbench.runCommand('Ratchet: Export Trace');
      await workbench.answerFileDialog(path.join(scene.folder, name), /Export-me\.jsonl$/);
      await workbench.page
        .getByText(/The token is \[redacted\], they say/)
        .last()
        .waitFor();
      await workbench.pick(/Save/);
      await workbench.notification(new RegExp(`The trace was saved to .*${name}\\. Taken out: GitHub token`));
      const content = await readFile(path.join(scene.folder, name), 'utf8');
      assert.match(content, /The token is \[redacted\], they say/);
      assert.doesNotMatch(content, /ghp_/);
    }
    await workbench.runCommand('Ratchet: Import Trace');
    await workbench.answerFileDialog(path.join(scene.folder, 'trace.jsonl'), /\/$/);
    await workbench.notification(/records imported/);
    await chat.transcript.getByText(/^imported · /).waitFor();
    await chat.transcript.getByText('The token is [redacted], they say.').waitFor();
    const both = await row(scene, /Export me, done/);
    await eventually(async () => (await both.count()) === 2);
    assertAccepted(scene.api);
  });
});
