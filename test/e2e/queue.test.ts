import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { MessagesBody } from '../support/messagesServer/requestSchema.ts';
import { httpError, text, toolUse } from '../support/messagesServer/reply.ts';
import { createLongCommand, type LongCommand } from '../support/session/longCommand.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted, type Scene } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('what waits: messages during a run, requests, parked sessions', function () {
  this.timeout(180_000);
  keepFailureEvidence(stage.evidence);

  let command: LongCommand | undefined;
  afterEach(async () => {
    await command?.dispose();
    command = undefined;
  });

  const queued = ({ chat }: Scene, words: string): Locator => chat.button(`Queued: ${words}`);

  it('messages are edited, removed, outlive the extension host, and are delivered once by the run that goes on by itself', async () => {
    const long = await createLongCommand(0);
    command = long;
    const scene = await stage.begin({
      settings: { 'ratchet.autoResume': 'always' },
      script: (request) =>
        hasResult(request) ? text('All heard.') : toolUse('run_command', { command: long.line }, 'toolu_long'),
    });
    const { chat } = scene;
    await chat.send('Run it.');
    await chat.transcript.getByText('Running').first().waitFor();
    await long.movesOn(1);
    for (const words of ['First thing.', 'Second thing.', 'Third thing.']) {
      await chat.send(words);
      await queued(scene, words).waitFor();
    }
    await queued(scene, 'First thing.').click();
    const field = chat.frame.getByRole('textbox', { name: 'Edit queued message' });
    await field.fill('First thing, better.');
    await field.press('Enter');
    await queued(scene, 'First thing, better.').waitFor();
    await queued(scene, 'Second thing.').press('Delete');
    await queued(scene, 'Second thing.').waitFor({ state: 'detached' });
    assert.equal(await chat.transcript.getByText('thing').count(), 0, 'nothing is shown as said that only waits');

    await scene.server.killExtensionHost();
    // Nobody resumes it: the setting does. The command went on meanwhile, and so does the run with it.
    await chat.resumeLines.getByText('resumed · by itself').waitFor();
    await chat.waitForState('running');
    await queued(scene, 'First thing, better.').waitFor();
    await queued(scene, 'Third thing.').waitFor();
    await long.openGate();
    await chat.transcript.getByText('All heard.').waitFor();
    await chat.waitForState('done');

    assert.equal(await chat.frame.getByRole('region', { name: 'Queued messages' }).count(), 0);
    assert.deepEqual(await long.marks(), ['began', 'ended']);
    const last = scene.api.messageRequests.at(-1);
    const said = (last?.raw.match(/(First|Second|Third) thing[^"]*/g) ?? []).map(String);
    assert.deepEqual(said, ['First thing, better.', 'Third thing.']);
    assert.equal(scene.api.messageRequests.length, 2);
    assertAccepted(scene.api);
  });

  it('an overloaded server is asked again at its time or at once; a rate limit parks the session over a reload', async () => {
    let answers = 0;
    const scene = await stage.begin({
      script: () => {
        answers += 1;
        return answers <= 2 ? httpError(529, { retryAfter: answers === 1 ? '1' : '45' }) : text('Here I am.');
      },
    });
    const { chat } = scene;
    await chat.send('Hello');
    const waiting = chat.frame.getByRole('region', { name: 'Waiting' });
    await waiting.getByText(/The server is overloaded\. Next try in \d+ s \(attempt 3\)/).waitFor();
    assert.equal(scene.api.messageRequests.length, 2);
    await chat.button('Retry now').click();
    await chat.transcript.getByText('Here I am.').waitFor();
    await chat.waitForState('done');
    assert.equal(await waiting.count(), 0);
    assert.equal(scene.api.messageRequests.length, 3);

    scene.api.script = () => httpError(429, { retryAfter: '120' });
    await chat.send('More');
    const possible = /^Rate limit: possible again at \d\d:\d\d \(in [12] min\)$/;
    await chat.banner.getByText(possible).waitFor();
    await chat.waitForState('parked');
    assert.equal(scene.api.messageRequests.length, 4);
    await scene.workbench.reloadWindow();
    await chat.show();
    await chat.banner.getByText(possible).waitFor();
    await chat.banner.getByText('You are asked then.').waitFor();
    scene.api.script = () => text('Here I am again.');
    await chat.button('Retry now').click();
    await chat.transcript.getByText('Here I am again.').waitFor();
    await chat.waitForState('done');
    assert.equal(scene.api.messageRequests.length, 5);
    assertAccepted(scene.api);
  });
});

function hasResult({ messages }: MessagesBody): boolean {
  return JSON.stringify(messages).includes('tool_result');
}
