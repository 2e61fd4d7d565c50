import assert from 'node:assert/strict';
import { httpError, message, text, thinking, toolUse, type Scripted } from '../support/messagesServer/reply.ts';
import type { MessagesBody } from '../support/messagesServer/requestSchema.ts';
import type { Script } from '../support/messagesServer/startMessagesServer.ts';
import { blocksOf } from '../support/messagesServer/turns.ts';
import { eventually } from '../support/session/eventually.ts';
import { linesOf } from '../support/session/fileLines.ts';
import { bytesOfConversation } from '../support/session/requestPrefix.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted } from '../support/session/stage.ts';
import { isSummaryRequest } from '../support/session/summaryRequests.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const steps = 14;
const lastWords = `All ${steps} steps are done.`;
/** The result of this step is refused by the server whenever it is sent. */
const refusedStep = 2;
const window = 24_000;

/** The last step that a request shows as done: by its result, or by a summary. */
function lastStep({ messages }: MessagesBody): number {
  const numbers = messages.flatMap(blocksOf).flatMap((block) => {
    const words = block.type === 'tool_use' ? JSON.stringify(block.input) : block.type === 'text' ? block.text : '';
    return [...words.matchAll(/(?:step|Finished steps: 1 to) (\d+)/g)].map(([, n]) => Number(n));
  });
  return Math.max(0, ...numbers);
}

/** Each step leaves a line in a file, prints much, and writes down much: neither shortening nor room is enough. */
function answerTo(body: MessagesBody): Scripted {
  for (const [at, one] of body.messages.entries()) {
    const index = blocksOf(one).findIndex(
      (block) => block.type === 'tool_result' && JSON.stringify(block.content).includes(`step ${refusedStep} done`),
    );
    if (index >= 0) return httpError(400, { message: `messages.${at}.content.${index}: it cannot be read` });
  }
  const last = lastStep(body);
  if (isSummaryRequest(body)) return text(`Goal: the steps. Finished steps: 1 to ${last}. Next: go on.`);
  if (last >= steps) return text(lastWords);
  const n = last + 1;
  const remark = `# ${'why this has to be done '.repeat(200)}`;
  const command = `echo step ${n} >> steps.txt; seq 1 400; echo step ${n} done ${remark}`;
  return message([thinking(`Step ${n} is next.`), toolUse('run_command', { command })]);
}

describe('a session that outgrows the window of its model', function () {
  this.timeout(180_000);

  keepFailureEvidence(stage.evidence);

  it('is compacted, cut in the middle of that, resumed, and comes to its end with each step done once', async () => {
    let summaries = 0;
    const asked = Promise.withResolvers<undefined>();
    const script: Script = async (body, { signal }) => {
      if (isSummaryRequest(body) && ++summaries === 1) {
        asked.resolve(undefined);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      }
      return answerTo(body);
    };
    const { chat, api, folder, server, workbench } = await stage.begin({
      script,
      settings: { 'ratchet.contextWindow': window, 'ratchet.maxOutputTokens': 2_000 },
    });
    await chat.send('Do the steps.');
    await asked.promise;
    await chat.transcript.getByText('compacting the conversation').waitFor();
    const cut = api.messageRequests.at(-1);
    assert.ok(cut !== undefined);

    await server.killExtensionHost();
    await chat.waitForState('interrupted');
    await chat.transcript.getByText('compaction was cut; it is done again when the session goes on').waitFor();
    await chat.button('Resume').click();
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');

    assertAccepted(api);
    assert.deepEqual(
      await linesOf(`${folder}/steps.txt`),
      Array.from({ length: steps }, (_, index) => `step ${index + 1}`),
    );
    // The summary is asked for again with the same bytes, and only then anything is added.
    const again = api.messageRequests.find(({ number }) => number > cut.number);
    assert.equal(again?.raw, cut.raw);
    assert.ok(bytesOfConversation(cut).includes('"system":'));

    // One line says what was done, and opens to what the model is told.
    const lines = chat.transcript.getByText(/^compacted: \d+ steps summarised, [\d,]+ → [\d,]+ tokens$/);
    await lines.last().click();
    await chat.transcript.getByText(/Goal: the steps\. Finished steps: 1 to/).waitFor();
    await chat.transcript.getByText(/refused a part of this conversation: it cannot be read\./).waitFor();

    // The meter shows what is left, not what there was.
    const meter = chat.header.getByRole('meter', { name: 'Context used' });
    await eventually(async () => {
      const used = Number(await meter.getAttribute('value'));
      return used > 5 && used < 85;
    });

    // By the palette, of a session at rest: it stays done, and the next message goes on from the summary.
    const before = await lines.count();
    await workbench.runCommand('Ratchet: Compact Session');
    await eventually(async () => (await lines.count()) > before);
    await chat.waitForState('done');
    await chat.send('Is anything left?');
    await eventually(async () => (await chat.transcript.getByText(lastWords).count()) === 2);
    assertAccepted(api);
    assert.match(api.messageRequests.at(-1)?.raw ?? '', /conversation_summary/);
  });
});
