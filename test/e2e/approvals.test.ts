import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, text, toolUse } from '../support/messagesServer/reply.ts';
import { scriptedSteps, type ScriptedStep } from '../support/messagesServer/scriptedSteps.ts';
import { stage } from '../support/session/sharedStage.ts';
import { eventually } from '../support/session/eventually.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const asking = { 'ratchet.approvalMode': 'ask' };

function command(n: number): ScriptedStep {
  return {
    tool: 'run_command',
    input: { command: `echo step ${n} >> steps.txt; echo step ${n} done` },
    marker: `step ${n} done`,
  };
}

async function linesOf(folder: string, name: string): Promise<readonly string[]> {
  const file = path.join(folder, name);
  return existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '') : [];
}

describe('a step that needs permission', function () {
  this.timeout(120_000);
  keepFailureEvidence(stage.evidence);

  it('waits for Allow, whether it writes a file or runs a command', async () => {
    const write: ScriptedStep = {
      tool: 'write',
      input: { file_path: 'note.txt', content: 'a line\n' },
      marker: 'note.txt',
    };
    const scene = await stage.begin({ settings: asking, script: scriptedSteps([write, command(1)]) });
    await scene.chat.send('Write a note, then run a command.');
    await scene.chat.waitForState('needs you');
    await scene.chat.frame.getByRole('group', { name: /^Wants to write note\.txt/ }).waitFor();
    await scene.workbench.page
      .getByRole('button', { name: /needs you/ })
      .first()
      .waitFor();
    assert.equal(existsSync(path.join(scene.folder, 'note.txt')), false);
    await scene.chat.button('Allow').click();
    await scene.chat.frame.getByRole('group', { name: /^Wants to run echo step 1/ }).waitFor();
    assert.equal(await readFile(path.join(scene.folder, 'note.txt'), 'utf8'), 'a line\n');
    assert.deepEqual(await linesOf(scene.folder, 'steps.txt'), []);
    await scene.chat.button('Allow').click();
    await scene.chat.waitForState('done');
    assert.deepEqual(await linesOf(scene.folder, 'steps.txt'), ['step 1']);
    assertAccepted(scene.api);
  });

  it('does nothing after Deny, and the model reads the reason', async () => {
    const scene = await stage.begin({
      settings: asking,
      script: (_request, { messageNumber }) =>
        messageNumber === 1
          ? message([toolUse('run_command', { command: 'echo no >> steps.txt' })])
          : text('As you wish.'),
    });
    await scene.chat.send('Run it.');
    await scene.chat.button('Give a reason…').click();
    await scene.chat.frame.getByRole('textbox', { name: 'Reason' }).fill('Use the other file.');
    await scene.chat.button('Deny').click();
    await scene.chat.transcript.getByText('As you wish.').waitFor();
    assert.match(scene.api.messageRequests.at(-1)?.raw ?? '', /denied this call and said: Use the other file\./);
    assert.deepEqual(await linesOf(scene.folder, 'steps.txt'), []);
    assertAccepted(scene.api);
  });

  it('is asked again after a reload, and then runs once', async () => {
    const scene = await stage.begin({ settings: asking, script: scriptedSteps([command(1)]) });
    await scene.chat.send('Run a command.');
    await scene.chat.button('Allow').waitFor();
    await scene.workbench.reloadWindow();
    await scene.chat.show();
    await scene.chat.banner.getByText(/^Interrupted while waiting for you/).waitFor();
    assert.equal(await scene.chat.button('Allow').count(), 0);
    // By key: the notification, which comes by itself, may lie over the button.
    await scene.chat.button('Resume').press('Enter');
    await scene.chat.button('Allow').press('Enter');
    await scene.chat.waitForState('done');
    assert.deepEqual(await linesOf(scene.folder, 'steps.txt'), ['step 1']);
    assertAccepted(scene.api);
  });

  it('is not asked about again after Allow always: only that, also after a reload, until the rule is removed', async () => {
    // By the number of the request, since one answer is a denial.
    const commands = new Map([
      [1, './work.sh --step 1'],
      [2, './work.sh --step 2'],
      [3, './work.sh --step 3; rm keep.txt'],
      [4, './work.sh --step 4'],
      [6, './work.sh --step 6'],
    ]);
    const scene = await stage.begin({
      settings: asking,
      fill: async (folder) => {
        const script = '#!/bin/sh\necho "step $2" >> steps.txt\necho "step $2 done"\n';
        await writeFile(path.join(folder, 'work.sh'), script, { mode: 0o755 });
        await writeFile(path.join(folder, 'keep.txt'), 'kept\n');
      },
      script: (_request, { messageNumber }) => {
        const next = commands.get(messageNumber);
        return next === undefined
          ? text(`Enough (${messageNumber}).`)
          : message([toolUse('run_command', { command: next })]);
      },
    });
    const { chat, workbench, folder } = scene;
    await chat.send('Work.');
    // Shown before it is kept; Esc goes back to the question.
    await chat.button('Allow always…').press('Enter');
    const choice = chat.frame.getByRole('group', { name: 'Allow always', exact: true });
    await choice.getByRole('radio', { name: './work.sh with numbers for its options' }).press('Escape');
    await chat.button('Allow').waitFor();
    await chat.button('Allow always…').press('Enter');
    assert.deepEqual(await linesOf(folder, 'steps.txt'), []);
    await choice.getByRole('radio', { name: './work.sh with numbers for its options' }).press('Enter');

    // The second one runs by the rule, the look-alike with another command behind it is asked about.
    await chat.frame.getByRole('group', { name: /^Wants to run \.\/work\.sh --step 3; rm keep\.txt/ }).waitFor();
    assert.deepEqual(await linesOf(folder, 'steps.txt'), ['step 1', 'step 2']);
    assert.equal(await chat.transcript.getByText('allowed by rule: ./work.sh …').count(), 2);

    await workbench.reloadWindow();
    await chat.show();
    await chat.banner.getByText(/^Interrupted while waiting for you/).waitFor();
    await chat.button('Resume').press('Enter');
    await chat.frame.getByRole('group', { name: /^Wants to run \.\/work\.sh --step 3; rm keep\.txt/ }).waitFor();
    await chat.button('Give a reason…').press('Enter');
    await chat.frame.getByRole('textbox', { name: 'Reason' }).fill('Keep that file.');
    await chat.button('Deny').press('Enter');
    await chat.transcript.getByText('Enough (5).').waitFor();
    await chat.waitForState('done');
    assert.deepEqual(await linesOf(folder, 'steps.txt'), ['step 1', 'step 2', 'step 4']);
    assert.equal(existsSync(path.join(folder, 'keep.txt')), true);

    // Removed, brought back by Undo, removed again.
    const removed = /The rule ".\/work\.sh …" was removed/;
    await workbench.runCommand('Ratchet: Approval Rules');
    await workbench.pressEntryButton('./work.sh', 'Remove rule');
    await workbench.pressNotificationButton(removed, 'Undo');
    await workbench.runCommand('Ratchet: Approval Rules');
    assert.equal((await workbench.quickPickLabels())[0], './work.sh');
    await workbench.pressEntryButton('./work.sh', 'Remove rule');
    const none = 'Nothing is allowed always in this folder.';
    await eventually(async () => (await workbench.quickPickLabels())[0] === none);
    await workbench.page.keyboard.press('Escape');
    await chat.send('Once more.');
    const question = chat.frame.getByRole('group', { name: 'Wants to run ./work.sh --step 6' });
    await question.getByLabel('What is asked for').press('Enter');
    await chat.transcript.getByText('Enough (7).').waitFor();
    assert.deepEqual(await linesOf(folder, 'steps.txt'), ['step 1', 'step 2', 'step 4', 'step 6']);
    assertAccepted(scene.api);
  });

  it('is not asked about once the mode of the session is "allow all"', async () => {
    const scene = await stage.begin({ settings: asking, script: scriptedSteps([command(1), command(2)]) });
    await scene.chat.waitForApprovalMode('ask');
    await scene.chat.send('Run two commands.');
    await scene.chat.button('Allow').waitFor();
    await scene.chat.approvalMode.selectOption('allow all');
    await scene.chat.waitForState('done');
    assert.deepEqual(await linesOf(scene.folder, 'steps.txt'), ['step 1', 'step 2']);
    // For this session alone.
    await scene.workbench.runCommand('Ratchet: New Session');
    await scene.chat.header.getByText('New session').waitFor();
    await scene.chat.waitForApprovalMode('ask');
    assertAccepted(scene.api);
  });

  it('is not asked about for edits in the mode "accept edits"', async () => {
    const write: ScriptedStep = {
      tool: 'write',
      input: { file_path: 'note.txt', content: 'a line\n' },
      marker: 'note.txt',
    };
    const scene = await stage.begin({ settings: asking, script: scriptedSteps([write, command(1)]) });
    await scene.chat.approvalMode.selectOption('accept edits');
    await scene.chat.send('Write a note, then run a command.');
    await scene.chat.frame.getByRole('group', { name: /^Wants to run/ }).waitFor();
    assert.equal(existsSync(path.join(scene.folder, 'note.txt')), true);
    await scene.chat.button('Allow').click();
    await scene.chat.waitForState('done');
    assertAccepted(scene.api);
  });
});
