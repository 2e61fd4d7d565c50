import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureBubblewrap } from '../../scripts/bubblewrap.ts';
import { outFolder } from '../../scripts/paths.ts';
import { message, text, toolUse } from '../support/messagesServer/reply.ts';
import { numberedSteps, scriptedSteps } from '../support/messagesServer/scriptedSteps.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const confined = { 'ratchet.approvalMode': 'sandbox' };
const escape = path.join('/var', 'tmp', '..', 'ratchet-escape.txt');

(process.platform === 'linux' ? describe : describe.skip)('a session in the sandbox', function () {
  this.timeout(180_000);
  keepFailureEvidence(stage.evidence);

  before(async () => {
    await ensureBubblewrap();
  });

  it('runs 20 commands without a question, each confined', async () => {
    const steps = numberedSteps(20, (n, marker) => ({
      tool: 'run_command',
      input: { command: `echo line ${n} >> lines.txt; test "$RATCHET_SANDBOX" = 1 && echo ${marker}` },
    }));
    const scene = await stage.begin({ settings: confined, script: scriptedSteps(steps) });
    await scene.chat.send('Do the twenty steps.');
    await scene.chat.waitForState('done');
    const lines = (await readFile(path.join(scene.folder, 'lines.txt'), 'utf8')).trim().split('\n');
    assert.equal(lines.length, 20);
    assert.equal(await scene.chat.button('Allow').count(), 0);
    await scene.chat.transcript.getByText('All 20 steps are done.').waitFor();
    assert.equal(await scene.chat.approvalMode.inputValue(), 'sandbox');
    assert.ok((await scene.chat.transcript.getByTitle(/^Ran in the sandbox/).count()) > 0);
    await shot(scene.workbench.page, 'sandbox-20');
    assertAccepted(scene.api);
  });

  it('says what was tried, and runs it outside only after the user says so', async () => {
    const scene = await stage.begin({
      settings: confined,
      script: (_request, { messageNumber }) =>
        messageNumber === 1
          ? message([toolUse('run_command', { command: `echo out > ${escape} && echo written` })])
          : text(`Seen (${messageNumber}).`),
    });
    await scene.chat.send('Write it there.');
    await scene.chat.waitForState('needs you');
    assert.equal(existsSync(escape), false);
    const question = scene.chat.frame.getByRole('group', { name: /^Wants to leave the sandbox/ });
    await question.waitFor();
    await scene.chat.transcript.getByText(`It tried to write ${escape}, which is outside the folder.`).waitFor();
    await shot(scene.workbench.page, 'sandbox-question');
    await scene.chat.button('Keep it inside').click();
    await scene.chat.transcript.getByText('Seen (2).').waitFor();
    assert.equal(existsSync(escape), false);
    assert.match(scene.api.messageRequests.at(-1)?.raw ?? '', /did not allow to run it outside the sandbox/);
    await scene.chat.waitForState('done');
    assertAccepted(scene.api);
  });

  it('asks again after a reload while the question was open, without running the command again', async () => {
    const scene = await stage.begin({
      settings: confined,
      script: (_request, { messageNumber }) =>
        messageNumber === 1
          ? message([
              toolUse('run_command', { command: 'echo ran >> ran.txt; mkdir .vscode/tasks; git init -q && echo made' }),
            ])
          : text('Good.'),
      fill: async (folder) => {
        await writeFile(path.join(folder, 'README.md'), 'A folder.\n');
      },
    });
    await scene.chat.send('Make a repository.');
    await scene.chat.button('Run outside the sandbox').waitFor();
    await scene.workbench.reloadWindow();
    await scene.chat.show();
    await scene.chat.button('Resume').press('Enter');
    await scene.chat.button('Run outside the sandbox').waitFor();
    assert.equal(await readFile(path.join(scene.folder, 'ran.txt'), 'utf8'), 'ran\n');
    assert.equal(existsSync(path.join(scene.folder, '.git')), false);
    await scene.chat.button('Run outside the sandbox').press('Enter');
    await scene.chat.waitForState('done');
    assert.equal(await readFile(path.join(scene.folder, 'ran.txt'), 'utf8'), 'ran\nran\n');
    assert.ok(existsSync(path.join(scene.folder, '.git', 'HEAD')));
    await shot(scene.workbench.page, 'sandbox-outside');
    assertAccepted(scene.api);
  });
});

async function shot(page: { screenshot(options: { path: string }): Promise<unknown> }, name: string): Promise<void> {
  const folder = path.join(outFolder, 'look');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
