import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { text } from '../support/messagesServer/reply.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('the sessions of a folder', function () {
  this.timeout(120_000);
  keepFailureEvidence(stage.evidence);

  it('can be deleted, and Undo brings one back as it was', async () => {
    const scene = await stage.begin({ script: () => text('An answer worth keeping.') });
    const { chat, workbench } = scene;
    await chat.send('Remember this');
    await chat.waitForState('done');
    await workbench.runCommand('Ratchet: Delete Session');
    await workbench.pressDialogButton('Delete');
    await workbench.notification('"Remember this" was moved to the trash.');
    await chat.header.waitFor({ state: 'detached' });
    await chat.message.waitFor();
    await chat.frame.getByRole('button', { name: /Remember this/ }).waitFor({ state: 'detached' });
    await workbench.pressNotificationButton('"Remember this" was moved to the trash.', 'Undo');
    await chat.header.getByText('Remember this').waitFor();
    await chat.transcript.getByText('An answer worth keeping.').waitFor();
    await chat.button('Sessions').click();
    await chat.frame.getByRole('button', { name: /Remember this/ }).waitFor();
  });

  it('can be exported: every record, and no key', async () => {
    const scene = await stage.begin({ script: () => text('The key is test-key, they say.') });
    await scene.chat.send('Export me');
    await scene.chat.waitForState('done');
    await scene.workbench.runCommand('Ratchet: Export Trace');
    // What is offered: a file in the folder, named after the session.
    const target = path.join(scene.folder, 'Export-me.jsonl');
    await scene.workbench.answerFileDialog(target, /Export-me\.jsonl$/);
    await scene.workbench.notification(/The trace was saved to/);
    const content = await readFile(target, 'utf8');
    const types = content
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => z.object({ type: z.string() }).parse(JSON.parse(line)).type);
    for (const type of ['run_started', 'user_message_added', 'assistant_message_completed', 'run_ended']) {
      assert.ok(types.includes(type), `${type} is in ${types.join(', ')}`);
    }
    assert.doesNotMatch(content, /test-key/);
    assertAccepted(scene.api);
  });

  it('are remembered as they are opened: a reload in the same moment shows the one that was opened last', async () => {
    const { chat } = await stage.begin({ script: () => text('Fine.') });
    for (const words of ['The one before', 'The one after']) {
      await chat.send(words);
      await chat.waitForState('done');
      await chat.button('Sessions').click();
      await chat.header.waitFor({ state: 'detached' });
    }
    await chat.frame.getByRole('button', { name: /The one before/ }).click();
    await chat.header.getByText('The one before').waitFor();
    await chat.page.reload();
    await chat.show();
    await chat.header.getByText('The one before').waitFor();
  });

  it('are renamed by their title and found under it again', async () => {
    const scene = await stage.begin({ script: () => text('Fine.') });
    await scene.chat.send('A first name');
    await scene.chat.waitForState('done');
    await scene.chat.frame.getByRole('button', { name: 'A first name, rename' }).click();
    const field = scene.chat.frame.getByRole('textbox', { name: 'Session title' });
    await field.fill('A better name');
    await field.press('Enter');
    await scene.chat.header.getByText('A better name').waitFor();
    await scene.workbench.reloadWindow();
    await scene.chat.show();
    await scene.chat.header.getByText('A better name').waitFor();
  });
});
