import assert from 'node:assert/strict';
import type { MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { hasMarker, numberedSteps, scriptedSteps } from '../../support/messagesServer/scriptedSteps.ts';
import { startMessagesServer } from '../../support/messagesServer/startMessagesServer.ts';
import { clientOf, question } from './serverFixture.ts';

const steps = numberedSteps(11, (n, marker) => ({ tool: 'run', input: { command: `echo ${marker}` }, think: `${n}?` }));
type RunTool = (input: unknown) => string | Error;

/** An agent loop of the plainest kind, with at most `turns` requests. */
async function runAgent(messages: readonly MessageParam[], run: RunTool, turns: number, script = scriptedSteps(steps)) {
  const server = await startMessagesServer({ script });
  const conversation = [...messages];
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      const { content, stop_reason: end } = await clientOf(server).messages.create({
        ...question,
        messages: conversation,
      });
      conversation.push({ role: 'assistant', content });
      if (end !== 'tool_use') break;
      const results = content.flatMap((block): ToolResultBlockParam[] => {
        if (block.type !== 'tool_use') return [];
        const output = run(block.input);
        const answer = { type: 'tool_result', tool_use_id: block.id } as const;
        return output instanceof Error
          ? [{ ...answer, content: output.message, is_error: true }]
          : [{ ...answer, content: [{ type: 'text', text: output }] }];
      });
      conversation.push({ role: 'user', content: results });
    }
    return conversation;
  } finally {
    await server.close();
  }
}

function lastText(messages: readonly MessageParam[]): string {
  const content = messages.at(-1)?.content;
  const block = typeof content === 'object' ? content.at(-1) : undefined;
  return block?.type === 'text' ? block.text : '';
}

function echo(done: string[]): RunTool {
  return (input) => {
    const command = JSON.stringify(input);
    done.push(/step \d+/.exec(command)?.[0] ?? command);
    return /step \d+ done/.exec(command)?.[0] ?? '';
  };
}

const names = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `step ${from + index}`);

describe('scriptedSteps', () => {
  it('does each step once, in order, and says so', async () => {
    const done: string[] = [];
    const messages = await runAgent(question.messages, echo(done), 99);
    assert.deepEqual(done, names(1, 11));
    assert.equal(lastText(messages), 'All 11 steps are done.');
  });

  it('goes on with another server after a resume', async () => {
    const done: string[] = [];
    const before = await runAgent(question.messages, echo(done), 4);
    const relaunch: MessageParam = { role: 'user', content: 'Go on. Done so far: step 1 done, step 9 done.' };
    await runAgent([...before, relaunch], echo(done), 99);
    assert.deepEqual(done, names(1, 11));
  });

  it('tries a failed step again, though its error speaks of the marker, and gives up in the end', async () => {
    let calls = 0;
    const fail: RunTool = () => {
      calls += 1;
      return new Error('no: step 1 done was not reached');
    };
    const messages = await runAgent(question.messages, fail, 99, scriptedSteps(steps, { attempts: 3 }));
    assert.equal(calls, 3);
    assert.match(lastText(messages), /^I give up: "step 1 done"/);
  });

  it('takes what the resume context says for done, if it is told how to read it', async () => {
    const done: string[] = [];
    const script = scriptedSteps(steps, { consider: (whole, { marker }) => hasMarker(whole, `[x] ${marker}`) });
    const context = 'Tasks:\n[x] step 1 done\n[x] step 2 done\n[ ] step 3 done';
    const messages = await runAgent([{ role: 'user', content: context }], echo(done), 99, script);
    assert.deepEqual(done, names(3, 11));
    assert.equal(lastText(messages), 'All 11 steps are done.');
  });

  it('takes a marker only as a whole', () => {
    assert.equal(hasMarker('trial 12 ok', 'trial 1'), false);
    assert.equal(hasMarker('trial 12, trial 1', 'trial 1'), true);
    assert.equal(hasMarker('retrial 1', 'trial 1'), false);
    assert.equal(hasMarker('', 'trial 1'), false);
  });
});
