import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { pasteImage } from '../support/session/pasteImage.ts';
import { assertContinues } from '../support/session/requestPrefix.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted, type Scene } from '../support/session/stage.ts';
import { createStepsJob, eachStepOnce, lastWords, type StepsJob } from '../support/session/stepsJob.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const firstMessageSchema = z.object({
  messages: z.array(z.object({ content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) })),
});

describe('the input', function () {
  this.timeout(180_000);

  let job: StepsJob;
  keepFailureEvidence(stage.evidence);
  beforeEach(async () => {
    job = await createStepsJob();
  });
  afterEach(async () => {
    await job.dispose();
  });

  const option = ({ chat }: Scene, name: string | RegExp): Locator => chat.frame.getByRole('option', { name });
  /** Types as a person does, and takes the line that is offered first. */
  const typeAndTake = async (scene: Scene, text: string, offered: string | RegExp): Promise<void> => {
    await scene.chat.message.focus();
    await scene.chat.message.pressSequentially(text);
    await option(scene, offered).waitFor();
    await scene.chat.message.press('Enter');
  };

  it('mentions a file and takes an image by keyboard; killed and resumed by /resume, the same bytes are sent', async () => {
    const scene = await stage.begin({
      script: job.script,
      fill: async (folder) => {
        await mkdir(path.join(folder, 'notes'));
        await writeFile(path.join(folder, 'notes', 'numbers.md'), 'The third number is 42.\n');
        await writeFile(path.join(folder, 'AGENTS.md'), 'Numbers are written in words.\n');
      },
    });
    const { chat, api } = scene;
    await typeAndTake(scene, 'Do the five steps of @numb', 'notes/numbers.md');
    await chat.waitForDraft('Do the five steps of @notes/numbers.md ');
    await pasteImage(chat.message);
    await chat.button('Image 1, remove').waitFor();
    await chat.message.press('Enter');
    await chat.transcript.getByText('waiting').first().waitFor();

    const cut = api.messageRequests.at(-1);
    assert.ok(cut);
    const [first] = firstMessageSchema.parse(cut.body).messages;
    assert.ok(first);
    assert.deepEqual(
      first.content.slice(0, 3).map(({ type }) => type),
      ['image', 'text', 'text'],
    );
    assert.match(
      first.content[2]?.text ?? '',
      /^<attachment kind="file" path="notes\/numbers\.md">\nThe third number is 42/,
    );

    assert.match(cut.raw, /Numbers are written in words\./);
    // What is on disk now is another thing than what was sent.
    await writeFile(path.join(scene.folder, 'AGENTS.md'), 'Numbers are written in digits.\n');
    await writeFile(path.join(scene.folder, 'notes', 'numbers.md'), 'Changed.\n');
    await scene.server.killExtensionHost();
    await chat.waitForState('interrupted');
    // A thumbnail is drawn from the record, under the page's own rules.
    await chat.button('Image 1, open').locator('img').waitFor();
    await chat.button('notes/numbers.md, open').waitFor();
    await job.openGate();
    await typeAndTake(scene, '/res', /^\/resume/);
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');
    const resumed = api.messageRequests.find(({ number }) => number > cut.number);
    assert.ok(resumed);
    assertContinues(resumed, cut);
    assert.deepEqual(await job.finished(scene.folder), eachStepOnce);
    assert.equal(await chat.resumeLines.count(), 1);

    await typeAndTake(scene, '/model opus', 'claude-opus-5-5');
    await chat.header.getByText('claude-opus-5-5').waitFor();
    await typeAndTake(scene, '/exp', /^\/export/);
    await scene.workbench.answerFileDialog(path.join(scene.folder, 'trace.jsonl'), /\.jsonl$/);
    await chat.notices.getByText(/The trace was saved to .*trace\.jsonl/).waitFor();
    await chat.notices.getByRole('button', { name: 'Dismiss' }).click();
    await typeAndTake(scene, '/ne', /^\/new/);
    await chat.header.getByText('New session').waitFor();
    await chat.message.fill('/nothing');
    await chat.message.press('Enter');
    await chat.frame.getByText('There is no command /nothing. To send it as text, begin with a space.').waitFor();
    assertAccepted(api);
  });

  it('keeps what is half written, images too, when the window is reloaded, and lists own messages by ArrowUp', async () => {
    const scene = await stage.begin({ script: job.script });
    const { chat, workbench } = scene;
    await job.openGate();
    await chat.send('Do the five steps.');
    await chat.waitForState('done');
    await pasteImage(chat.message);
    await chat.button('Image 1, remove').waitFor();
    await chat.message.fill('What is in it?');
    await workbench.reloadWindow();
    await chat.show();
    await chat.button('Image 1, remove').waitFor();
    await chat.waitForDraft('What is in it?');
    await chat.message.fill('');
    await chat.message.press('ArrowUp');
    await chat.waitForDraft('Do the five steps.');
    await chat.button('Image 1, remove').press('Delete');
    await chat.button('Image 1, remove').waitFor({ state: 'detached' });
  });
});
