import assert from 'node:assert/strict';
import { freePort } from '../../scripts/processes.ts';
import { isMessagesRequest } from '../support/messagesServer/requestLog.ts';
import { text } from '../support/messagesServer/reply.ts';
import { eventually } from '../support/session/eventually.ts';
import { assertContinues } from '../support/session/requestPrefix.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('the model and its server', function () {
  this.timeout(120_000);
  keepFailureEvidence(stage.evidence);

  it('is chosen from what the server lists, says what a run cost, and is kept with its effort by a resume', async () => {
    const scene = await stage.begin({
      settings: {
        'ratchet.model': 'claude-sonnet-5-5',
        'ratchet.effort': 'high',
        // So dear that a short answer costs a cent: less is not said in the transcript.
        'ratchet.prices': { 'claude-opus-5-5': { input: 400, output: 2000 } },
      },
      script: () => text('The first answer.'),
    });
    const { api, chat, workbench } = scene;
    await workbench.runCommand('Ratchet: Choose Model');
    // Only the server knows that these four are all.
    await eventually(async () => (await workbench.quickPickLabels()).length === 4);
    await workbench.pick('claude-opus-5-5');
    await chat.header.getByText('claude-opus-5-5').waitFor();
    await chat.send('Go');
    await chat.waitForState('done');
    await chat.transcript.getByText(/^done · \$\d/).waitFor();

    const asked = Promise.withResolvers<undefined>();
    api.script = async (_body, { signal }) => {
      asked.resolve(undefined);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return text('Never heard.');
    };
    await chat.send('Go on');
    await asked.promise;
    const cut = api.messageRequests.at(-1);
    await stage.changeSettings({
      'ratchet.model': 'claude-haiku-4-5',
      'ratchet.thinking': 'off',
      'ratchet.effort': 'low',
      'ratchet.autoResume': 'never',
    });
    await workbench.reloadWindow();
    await chat.show();
    await chat.waitForState('interrupted');
    api.script = () => text('The last answer.');
    await chat.button('Resume').click();
    await chat.transcript.getByText('The last answer.').waitFor();
    await chat.waitForState('done');
    const resumed = api.messageRequests.at(-1);
    assert.ok(cut && resumed);
    assert.match(resumed.raw, /^\{"model":"claude-opus-5-5",.*"output_config":\{"effort":"high"\}/);
    assertContinues(resumed, cut);
    assertAccepted(api);
  });

  it('is checked: a server that is not there and a path that is wrong are told apart, with what to do', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const scene = await stage.begin({ baseUrl: nobody, script: () => text('ok') });
    const { api, chat, workbench } = scene;
    await chat.send('Hello');
    await chat.button('Check connection').click();
    await chat.notices.getByText(`No server listens at ${nobody}. Start it, or check the port`).waitFor();

    await stage.changeSettings({ 'ratchet.model': 'claude-opus-4-8' }, `${api.url}/wrong`);
    await workbench.reloadWindow();
    await chat.show();
    await workbench.runCommand('Ratchet: Check Model Connection');
    await workbench.notification(`There is no Messages API at ${api.url}/wrong, but there is one at ${api.url}.`);
    assert.ok(api.requests.filter(isMessagesRequest).length > 0);
    assertAccepted(api);
  });
});
