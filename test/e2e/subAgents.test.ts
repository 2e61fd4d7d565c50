import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { message, text, toolUse, type Reply } from '../support/messagesServer/reply.ts';
import type { RecordedRequest } from '../support/messagesServer/requestLog.ts';
import type { MessagesBody } from '../support/messagesServer/requestSchema.ts';
import { numberedSteps, scriptedSteps, type ScriptedStep } from '../support/messagesServer/scriptedSteps.ts';
import type { MessagesServer, Script } from '../support/messagesServer/startMessagesServer.ts';
import { blocksOf } from '../support/messagesServer/turns.ts';
import { eventually } from '../support/session/eventually.ts';
import { linesOf } from '../support/session/fileLines.ts';
import { assertContinues } from '../support/session/requestPrefix.ts';
import { stage } from '../support/session/sharedStage.ts';
import { assertAccepted, type Scene } from '../support/session/stage.ts';
import { toolResults } from '../support/session/requestResults.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

const lastWords = 'Both parts are there.';

interface Part {
  readonly agent: string;
  readonly task: string;
  readonly label: string;
  readonly steps: readonly ScriptedStep[];
  readonly answer: string;
}

/** The first words of a conversation, which tell whose it is. */
function firstWords(body: unknown): string {
  const [first] = (body as MessagesBody).messages;
  return (first ? blocksOf(first) : []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Hands all parts out in one answer; each agent does its steps. Decided from the request alone. */
function scriptOf(parts: readonly Part[]): Script {
  const handOut: Reply = message([
    text('I hand both parts out.'),
    ...parts.map(({ agent, task, label }) => toolUse('delegate', { agent, task, label })),
  ]);
  return (body) => {
    const words = firstWords(body);
    const part = parts.find(({ task }) => words.includes(task));
    if (part) return scriptedSteps(part.steps, { finalText: part.answer, attempts: 1 })(body);
    const answered = body.messages.flatMap(blocksOf).some(({ type }) => type === 'tool_result');
    return answered ? message([text(lastWords)]) : handOut;
  };
}

function requestsOf({ messageRequests }: MessagesServer, words: string): readonly RecordedRequest[] {
  return messageRequests.filter(({ body }) => body !== undefined && firstWords(body).includes(words));
}

function card({ chat }: Scene, label: string): Locator {
  return chat.transcript.getByRole('group', { name: /^Agent / }).filter({ hasText: label });
}

const line = (card: Locator): Locator => card.locator('[aria-expanded]').first();

describe('sub-agents', function () {
  this.timeout(180_000);

  let gates: string;

  keepFailureEvidence(stage.evidence);

  beforeEach(async () => {
    gates = await mkdtemp(path.join(os.tmpdir(), 'ratchet-gates-'));
  });

  afterEach(async () => {
    await rm(gates, { recursive: true, force: true });
  });

  /** Three commands that leave a line each; the second one waits for the gate of the part. */
  function commandsOf(name: string): readonly ScriptedStep[] {
    return numberedSteps(3, (n, marker) => {
      const gate = path.join(gates, name);
      const wait = `echo began >> ${name}.began; until [ -e ${gate} ] || [ ! -e ${gates} ]; do echo ${name} waits; sleep 0.1; done; `;
      const command = `${n === 2 ? wait : ''}echo ${name} ${n} >> ${name}.txt; echo ${marker}`;
      return { tool: 'run_command', input: { command }, say: `Now ${name} ${n}.` };
    });
  }

  it('side by side go on inside after the extension host was killed, each effect once', async () => {
    const parts: readonly Part[] = ['left', 'right'].map((name) => ({
      agent: 'work',
      task: `Do the ${name} part.`,
      label: `The ${name} part`,
      steps: commandsOf(name),
      answer: `The ${name} part is *done*.`,
    }));
    const scene = await stage.begin({ script: scriptOf(parts) });
    const { chat, api, folder } = scene;
    await chat.send('Do it all.');
    for (const name of ['left', 'right']) await eventually(async () => existsSync(path.join(folder, `${name}.began`)));
    await card(scene, 'The right part').getByText('2 steps').waitFor();
    // Folded, it says what it is at; opened, what it did and what its command prints.
    const left = card(scene, 'The left part');
    await left.getByText('2 steps').waitFor();
    assert.equal(await left.getByText('Now left 2.').count(), 0);
    await line(left).click();
    await left.getByText('Now left 2.').waitFor();
    await left.getByText('left waits').first().waitFor();

    const cut = new Map(parts.map(({ task }) => [task, requestsOf(api, task).at(-1)]));
    const cutMain = requestsOf(api, 'Do it all.').at(-1);
    await scene.server.killExtensionHost();
    await chat.banner.getByText(/^Interrupted while running/).waitFor();
    await chat.banner.filter({ hasText: /2 steps done/ }).waitFor();
    // One command ends while nobody watches, the other one is found running.
    await writeFile(path.join(gates, 'right'), '');
    await eventually(async () => (await linesOf(path.join(folder, 'right.txt'))).length === 2);
    await chat.button('Resume').click();
    // Not before the resumed run has found it: else it is one that ended while nobody watched.
    await left.getByText('resumed, 1 running').waitFor({ state: 'attached' });
    await left.getByText('left waits').first().waitFor();
    await writeFile(path.join(gates, 'left'), '');
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');

    for (const name of ['left', 'right']) {
      assert.deepEqual(await linesOf(path.join(folder, `${name}.txt`)), [`${name} 1`, `${name} 2`, `${name} 3`]);
      assert.equal((await linesOf(path.join(folder, `${name}.began`))).length, 1);
    }
    assertAccepted(api);
    for (const [words, last] of [...cut, ['Do it all.', cutMain] as const]) {
      assert.ok(last !== undefined);
      const resumed = requestsOf(api, words).find(({ number }) => number > last.number);
      assert.ok(resumed !== undefined, words);
      assertContinues(resumed, last);
    }
    assert.equal(await chat.transcript.getByRole('group', { name: 'Agent work' }).count(), 2);
    // The card that was open still is, with its answer.
    await left.getByText('The left part is done.').waitFor();
    await left.getByText('resumed, 1 running').waitFor({ state: 'attached' });
    assert.equal(await card(scene, 'The right part').getByText('The right part is done.').count(), 0);

    await scene.workbench.reloadWindow();
    await chat.show();
    await left.getByText('The left part is done.').waitFor();
    await left.getByText('Now left 3.').waitFor();
  });

  it('of the folder have its tools and its model, and ask where they are folded', async () => {
    const parts: readonly Part[] = [
      {
        agent: 'reviewer',
        task: 'Review what is there.',
        label: 'Review',
        steps: [{ tool: 'write', input: { file_path: 'sneaky.txt', content: 'x' }, marker: 'was written' }],
        answer: 'never said',
      },
      {
        agent: 'work',
        task: 'Run the check.',
        label: 'Check',
        steps: [{ tool: 'run_command', input: { command: 'echo all is well' }, marker: 'all is well' }],
        answer: 'The check has run.',
      },
    ];
    const scene = await stage.begin({
      script: scriptOf(parts),
      settings: { 'ratchet.approvalMode': 'ask', 'ratchet.agents': { reviewer: { model: 'claude-haiku-4-5' } } },
      fill: async (folder) => {
        const agents = path.join(folder, '.ratchet', 'agents');
        await mkdir(agents, { recursive: true });
        const reviewer =
          '---\nname: reviewer\ndescription: Use it when: work is to be reviewed.\ntools: Read, Grep\n---\nYou review with care.\n';
        await writeFile(path.join(agents, 'reviewer.md'), reviewer);
        await writeFile(path.join(agents, 'broken.md'), 'name: broken\n');
      },
    });
    const { chat, api, folder } = scene;
    await chat.send('Review and check.');
    await chat.transcript.getByText(/\.ratchet\/agents\/broken\.md is left out: It must begin with/).waitFor();
    await chat.waitForState('needs you');
    const check = card(scene, 'Check');
    assert.equal(await line(check).getAttribute('aria-expanded'), 'false');
    await check.getByRole('button', { name: 'Allow', exact: true }).click();
    await chat.transcript.getByText(lastWords).waitFor();
    await chat.waitForState('done');

    const [first, second] = requestsOf(api, 'Review what is there.');
    const body = first?.body as MessagesBody;
    assert.equal(body.model, 'claude-haiku-4-5');
    assert.deepEqual(
      body.tools?.map(({ name }) => name),
      ['read', 'grep'],
    );
    assert.match(JSON.stringify(body.system), /You review with care\./);
    assert.ok(second !== undefined);
    assert.match(toolResults(second)[0]?.text ?? '', /There is no tool named "write"\. Use one of: read, grep/);
    assert.equal(existsSync(path.join(folder, 'sneaky.txt')), false);
    assertAccepted(api);
    const offered = JSON.stringify((requestsOf(api, 'Review and check.')[0]?.body as MessagesBody).tools);
    assert.match(offered, /- reviewer: Use it when: work is to be reviewed\./);
  });
});
