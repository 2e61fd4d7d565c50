import assert from 'node:assert/strict';
import { text } from '../support/messagesServer/reply.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { createStepsJob, eachStepOnce, lastWords } from '../support/session/stepsJob.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

describe('the chat panel', function () {
  this.timeout(120_000);
  keepFailureEvidence(stage.evidence);

  it('keeps the draft and the place over hiding, showing and a reload', async () => {
    const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index + 1} of a long answer.`);
    const scene = await stage.begin({ script: () => text(paragraphs.join('\n\n')) });
    const { chat, workbench } = scene;
    await chat.send('Tell me a lot.');
    await chat.waitForState('done');
    const place = chat.transcript.getByText('Paragraph 20 of');
    await chat.transcript.hover();
    // As a person does, until it is in sight; each turn of the wheel is answered by a scroll.
    while (!(await isInSight())) {
      await workbench.page.mouse.wheel(0, -200);
      await chat.frame.getByRole('button', { name: 'Go to the end' }).waitFor();
    }
    await chat.message.fill('A draft that is not sent yet');

    await workbench.runCommand('View: Hide Secondary Side Bar');
    await chat.message.waitFor({ state: 'hidden' });
    await chat.show();
    await assertAsBefore();
    await workbench.reloadWindow();
    await chat.show();
    await chat.header.getByText('Tell me a lot.').waitFor();
    await assertAsBefore();

    async function isInSight(): Promise<boolean> {
      const [at, view] = [await place.boundingBox(), await chat.transcript.boundingBox()];
      return at !== null && view !== null && at.y >= view.y && at.y < view.y + view.height - 20;
    }
    async function assertAsBefore(): Promise<void> {
      await chat.message.waitFor();
      await chat.waitForDraft('A draft that is not sent yet');
      await place.waitFor();
      while (!(await isInSight())) await workbench.page.evaluate('new Promise(requestAnimationFrame)');
    }
  });

  it('draws an answer that tries to be more than text as text', async () => {
    const answer = [
      'Before <img src="x" onerror="document.body.dataset.hacked = \'image\'"> it',
      '<script>document.body.dataset.hacked = "script"</script>',
      '[click me](javascript:document.body.dataset.hacked="link")',
      '<a href="command:workbench.action.quit">quit</a> <iframe src="https://example.com"></iframe>',
      'After all that.',
    ].join('\n\n');
    const scene = await stage.begin({ script: () => text(answer) });
    const frame = await scene.workbench.chatFrame();
    await scene.chat.send('Be nasty.');
    await scene.chat.transcript.getByText('After all that.').waitFor();
    await scene.chat.waitForState('done');
    assert.equal(await scene.chat.transcript.getByRole('img', { name: /.*/ }).count(), 0);
    assert.equal(await scene.chat.transcript.getByRole('link').count(), 0);
    await scene.chat.transcript.getByText('click me').click();
    await scene.chat.transcript.getByText('quit').click();
    assert.equal(await frame.evaluate('document.querySelectorAll("#root img, #root iframe, #root script").length'), 0);
    assert.equal(await frame.evaluate('document.body.dataset.hacked'), undefined);
    assertAccepted(scene.api);
  });

  it('can be used by keyboard alone, from the palette to the resumed run', async () => {
    const job = await createStepsJob();
    try {
      const scene = await stage.begin({ script: job.script });
      const { chat } = scene;
      const { keyboard } = scene.workbench.page;
      const palette = async (title: string): Promise<void> => {
        await keyboard.press('F1');
        await scene.workbench.page.getByRole('textbox', { name: /name of a command/ }).waitFor();
        await keyboard.type(title);
        await scene.workbench.page
          .getByRole('option', { name: new RegExp(`^${title}\\b`) })
          .first()
          .waitFor();
        await keyboard.press('Enter');
      };
      await palette('Ratchet: Open Chat');
      await chat.frame.locator(':focus').and(chat.message).waitFor();
      await keyboard.type('Do the five steps.');
      await keyboard.press('Enter');
      await chat.transcript.getByText('waiting').first().waitFor();
      await palette('Ratchet: Stop');
      await chat.button('Resume').waitFor();
      await job.openGate();
      await palette('Ratchet: Open Chat');
      const resume = chat.frame.locator(':focus').and(chat.button('Resume'));
      await chat.frame.locator(':focus').and(chat.message).waitFor();
      // The banner is before the input: backwards from there.
      for (let presses = 0; (await resume.count()) === 0; presses++) {
        assert.ok(presses < 6, 'Resume is not reached by Shift+Tab');
        await keyboard.press('Shift+Tab');
      }
      await keyboard.press('Enter');
      await chat.transcript.getByText(lastWords).waitFor();
      await chat.waitForState('done');
      assert.deepEqual(await job.finished(scene.folder), eachStepOnce);
      assertAccepted(scene.api);
    } finally {
      await job.dispose();
    }
  });
});
