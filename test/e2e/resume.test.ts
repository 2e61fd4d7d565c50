import assert from 'node:assert/strict';
import { httpError } from '../support/messagesServer/reply.ts';
import type { RecordedRequest } from '../support/messagesServer/requestLog.ts';
import { eventually } from '../support/session/eventually.ts';
import { assertContinues } from '../support/session/requestPrefix.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted, type Scene, type SceneOptions } from '../support/session/stage.ts';
import { createStepsJob, eachStepOnce, lastWords, type StepsJob } from '../support/session/stepsJob.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('a session that is cut and goes on', function () {
  this.timeout(180_000);

  let job: StepsJob;

  keepFailureEvidence(stage.evidence);

  beforeEach(async () => {
    job = await createStepsJob();
  });

  afterEach(async () => {
    await job.dispose();
  });

  /** Sends the job and comes back when step 3 is running. */
  async function untilStepThree(options: SceneOptions = {}): Promise<Scene> {
    const scene = await stage.begin({ script: job.script, ...options });
    await scene.chat.send('Do the five steps.');
    await scene.chat.transcript.getByText('waiting').first().waitFor();
    return scene;
  }

  /** What holds at the end of every one of them. `cut`: the last request before the session was resumed. */
  async function assertFinished({ chat, api, folder }: Scene, cut: RecordedRequest | undefined): Promise<void> {
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');
    assert.deepEqual(await job.finished(folder), eachStepOnce);
    assertAccepted(api);
    assert.equal(await chat.resumeLines.count(), cut === undefined ? 0 : 1);
    assert.equal(await chat.banner.count(), 0);
    if (cut === undefined) return;
    const resumed = api.messageRequests.find(({ number }) => number > cut.number);
    assert.ok(resumed !== undefined, 'nothing was sent after the resume');
    assertContinues(resumed, cut);
  }

  function lastRequest({ api }: Scene): RecordedRequest {
    const last = api.messageRequests.at(-1);
    assert.ok(last !== undefined, 'nothing was sent yet');
    return last;
  }

  it('runs to its end when nothing happens', async () => {
    const scene = await untilStepThree();
    await scene.chat.waitForState('running');
    const statusBarItem = scene.workbench.page.getByRole('button', { name: /Ratchet: running/ });
    await statusBarItem.first().waitFor();
    await job.openGate();
    await assertFinished(scene, undefined);
    assert.equal(scene.api.messageRequests.length, 6);
    // Each request is the one before it and more: what makes a prompt cache hit.
    scene.api.messageRequests.slice(1).forEach((request, index) => {
      assertContinues(request, scene.api.messageRequests[index]!);
    });
    await statusBarItem.first().waitFor({ state: 'hidden' });
  });

  it('is resumed after Stop', async () => {
    const scene = await untilStepThree();
    const cut = lastRequest(scene);
    await scene.chat.button('Stop').click();
    await scene.chat.banner.getByText(/^Stopped while running/).waitFor();
    await scene.chat.waitForState('stopped');
    await scene.chat.banner.filter({ hasText: /2 steps done/ }).waitFor();
    assert.deepEqual(await job.finished(scene.folder), eachStepOnce.slice(0, 2));
    await job.openGate();
    await scene.chat.button('Resume').click();
    await assertFinished(scene, cut);
  });

  it('is resumed after "Stop, keep command running", which goes on meanwhile', async () => {
    const scene = await untilStepThree();
    const cut = lastRequest(scene);
    await scene.chat.button('More actions').click();
    await scene.chat.frame.getByRole('menuitem', { name: 'Stop, keep command running' }).click();
    await scene.chat.waitForState('stopped');
    await scene.chat.button('Resume').click();
    await scene.chat.waitForState('running');
    await job.openGate();
    await assertFinished(scene, cut);
    assert.equal(await job.beginnings(scene.folder), 1);
  });

  it('is retried after the server failed', async () => {
    let isBroken = true;
    const scene = await stage.begin({
      settings: { 'ratchet.run.retryMinutes': 0, 'ratchet.autoResume': 'never' },
      script: (request, context) =>
        context.messageNumber >= 4 && isBroken ? httpError(500) : job.script(request, context),
    });
    await job.openGate();
    await scene.chat.send('Do the five steps.');
    await scene.chat.banner.getByText(/had an error of its own$/).waitFor();
    await scene.chat.waitForState('failed');
    assert.deepEqual(await job.finished(scene.folder), eachStepOnce.slice(0, 3));
    const cut = lastRequest(scene);
    isBroken = false;
    await scene.chat.button('Retry').click();
    await assertFinished(scene, cut);
    await scene.chat.resumeLines.filter({ hasText: /retried · 3 steps kept/ }).waitFor();
  });

  it('is resumed after its time limit, also when the window was reloaded meanwhile', async () => {
    const scene = await untilStepThree({ settings: { 'ratchet.run.timeoutMinutes': 0.1 } });
    const cut = lastRequest(scene);
    await scene.chat.banner.getByText(/^Timed out while running/).waitFor();
    await scene.chat.waitForState('timed out');
    await stage.changeSettings({ 'ratchet.run.timeoutMinutes': 480 });
    await scene.workbench.reloadWindow();
    await scene.chat.show();
    await scene.chat.banner.getByText(/^Timed out while running/).waitFor();
    await job.openGate();
    await scene.chat.button('Resume').click();
    await assertFinished(scene, cut);
  });

  it('is resumed by the notification after the extension host was killed, its command having ended meanwhile', async () => {
    const scene = await untilStepThree();
    const cut = lastRequest(scene);
    // In sight, the chat itself offers it.
    await scene.chat.hide();
    await scene.server.killExtensionHost();
    await job.openGate();
    await eventually(async () => (await job.finished(scene.folder)).length === 3);
    await scene.workbench.pressNotificationButton('Do the five steps.', 'Resume');
    await assertFinished(scene, cut);
    assert.equal(await job.beginnings(scene.folder), 1);
    await scene.chat.transcript.getByText(/finished while the window was closed/).waitFor();
  });

  it('is resumed by the banner after the extension host was killed, its command still running', async () => {
    const scene = await untilStepThree();
    const cut = lastRequest(scene);
    await scene.server.killExtensionHost();
    await scene.chat.waitForState('interrupted');
    await scene.chat.button('Resume').click();
    // The output of the command that outlived its host is live again.
    await scene.chat.waitForState('running');
    await scene.chat.transcript.getByText('waiting').first().waitFor();
    await job.openGate();
    await assertFinished(scene, cut);
    assert.equal(await job.beginnings(scene.folder), 1);
  });

  it('is there with its banner after the window was reloaded, and is resumed', async () => {
    const scene = await untilStepThree();
    const cut = lastRequest(scene);
    await scene.workbench.reloadWindow();
    await scene.chat.show();
    await scene.chat.banner.getByText(/^Interrupted while running/).waitFor();
    await scene.chat.header.getByText('Do the five steps.').waitFor();
    await scene.chat.banner.filter({ hasText: /2 steps done/ }).waitFor();
    // With the mouse: no notification lies over the buttons of a chat that is in sight.
    await scene.chat.button('Resume').click();
    assert.deepEqual(await scene.workbench.notifications(), []);
    await job.openGate();
    await assertFinished(scene, cut);
    assert.equal(await job.beginnings(scene.folder), 1);
  });

  it('is resumed from the palette: the only one at once, a pick of several, words when there is none', async () => {
    const scene = await stage.begin({ script: job.script });
    await scene.workbench.runCommand('Ratchet: Resume Session');
    await scene.workbench.notification('No session in the open folders can be resumed.');
    await scene.chat.send('Do the five steps.');
    await scene.chat.transcript.getByText('waiting').first().waitFor();
    const cut = lastRequest(scene);
    await scene.chat.button('Stop').click();
    await scene.chat.waitForState('stopped');
    await job.openGate();
    await scene.workbench.runCommand('Ratchet: Resume Session');
    await assertFinished(scene, cut);

    scene.api.script = () => httpError(403);
    for (const text of ['First of two', 'Second of two']) {
      await scene.workbench.runCommand('Ratchet: New Session');
      await scene.chat.header.getByText('New session').waitFor();
      await scene.chat.send(text);
      await scene.chat.waitForState('failed');
    }
    scene.api.script = job.script;
    await scene.workbench.runCommand('Ratchet: Resume Session');
    const rows = scene.workbench.page.getByRole('option', { name: /of two/ });
    await rows.first().waitFor();
    assert.equal(await rows.count(), 2);
    for (const row of await rows.all()) assert.match(await row.innerText(), /failed[^\n]*, just now/);
    await scene.workbench.pick('First of two');
    await scene.chat.header.getByText('First of two').waitFor();
    await scene.chat.waitForState('done');
    assert.equal(await scene.chat.resumeLines.count(), 1);
    assertAccepted(scene.api);
  });
});
