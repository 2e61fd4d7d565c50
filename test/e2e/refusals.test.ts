import assert from 'node:assert/strict';
import { freePort } from '../../scripts/processes.ts';
import { text } from '../support/messagesServer/reply.ts';
import { stallAt } from '../support/messagesServer/streamFaults.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('a server that does not answer as it should', function () {
  this.timeout(120_000);
  keepFailureEvidence(stage.evidence);

  it('is named, with the remedy, when it refuses the key; another key works at once', async () => {
    const scene = await stage.begin({ apiKey: 'the-right-key', script: () => text('At your service.') });
    await scene.chat.send('Hello');
    await scene.chat.banner.getByText('The key was refused', { exact: true }).waitFor();
    // Once: a key that is refused is not tried again.
    assert.deepEqual(
      scene.api.messageRequests.map(({ status }) => status),
      [401],
    );
    await scene.chat.button('Set another key').click();
    await scene.workbench.answerInput('the-right-key');
    await scene.chat.frame.getByText(/^Key from the secret storage/).waitFor();
    await scene.chat.button('Retry').click();
    await scene.chat.transcript.getByText('At your service.').waitFor();
    await scene.chat.waitForState('done');
    assertAccepted(scene.api);

    // An empty answer takes it away again, and the one from the environment counts.
    await scene.workbench.runCommand('Ratchet: Set API Key');
    await scene.workbench.answerInput('');
    await scene.chat.frame.getByText(/^Key from ANTHROPIC_API_KEY/).waitFor();
  });

  it('is named, with what to look at, when nothing listens there', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const scene = await stage.begin({
      baseUrl: address,
      settings: { 'ratchet.run.retryMinutes': 0, 'ratchet.autoResume': 'never' },
    });
    await scene.chat.send('Hello');
    await scene.chat.banner.getByText(`No server answered at ${address}`).waitFor();
    await scene.chat.waitForState('failed');
    await scene.chat.button('Retry').waitFor();
    await scene.chat.button('Check connection').waitFor();
    assert.equal(scene.api.requests.length, 0);
  });

  it('is asked again when its answer stalls, and its beginning gives way to the whole answer', async () => {
    const answer = 'The first words, and then nothing more came.';
    let asked = 0;
    const scene = await stage.begin({
      settings: { 'ratchet.stream.idleTimeoutSeconds': 1 },
      script: () => {
        asked += 1;
        return asked === 1 ? stallAt(900, text(answer.repeat(20))) : text('Here I am again.');
      },
    });
    await scene.chat.send('Hello');
    await scene.chat.transcript.getByText('Here I am again.').waitFor();
    await scene.chat.waitForState('done');
    assert.equal(await scene.chat.transcript.getByText('The first words').count(), 0);
    assertAccepted(scene.api);
  });

  it('that stalls again and again parks the session, which can be resumed at once', async () => {
    const scene = await stage.begin({
      settings: { 'ratchet.stream.idleTimeoutSeconds': 1, 'ratchet.run.retryMinutes': 0 },
      script: () => stallAt(900, text('The first words, and then nothing more came.'.repeat(20))),
    });
    await scene.chat.send('Hello');
    await scene.chat.waitForState('parked');
    await scene.chat.banner.getByText(/^The server sent nothing for 1\.0 s: next try at /).waitFor();
    scene.api.script = () => text('Here I am again.');
    await scene.chat.button('Retry now').click();
    await scene.chat.transcript.getByText('Here I am again.').waitFor();
    await scene.chat.waitForState('done');
    assertAccepted(scene.api);
  });
});
