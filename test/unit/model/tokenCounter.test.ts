import assert from 'node:assert/strict';
import { createAnthropicModel } from '../../../src/model/anthropic.ts';
import { windowAndOutput } from '../../../src/model/modelLimits.ts';
import { startMessagesServer, type MessagesServer } from '../../support/messagesServer/startMessagesServer.ts';
import { estimatePrompt } from '../../support/messagesServer/tokens.ts';
import { simpleRequest, startRawServer } from './rawServer.ts';

const idle = new AbortController().signal;

describe('counting tokens', () => {
  let server: MessagesServer;
  before(async () => {
    server = await startMessagesServer();
  });
  after(() => server.close());

  it('asks the strict server with the request as it would be sent, and takes its answer', async () => {
    const model = createAnthropicModel({ apiKey: server.apiKey, baseURL: server.url });
    assert.equal(await model.countTokens?.(simpleRequest, idle), estimatePrompt(simpleRequest));
    assert.equal(server.requests.at(-1)?.path, '/v1/messages/count_tokens');
    assert.deepEqual(server.refused, []);
  });

  it('is given up for good by a server that cannot, without an error', async () => {
    let asked = 0;
    const without = await startRawServer((response) => {
      asked += 1;
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
    });
    const model = createAnthropicModel({ apiKey: '', baseURL: without.url });
    assert.equal(await model.countTokens?.(simpleRequest, idle), undefined);
    assert.equal(await model.countTokens?.(simpleRequest, idle), undefined);
    assert.equal(asked, 1);
    await without.close();
  });

  it('ends with the reason of whoever stops it', async () => {
    const model = createAnthropicModel({ apiKey: server.apiKey, baseURL: server.url });
    const stop = new AbortController();
    stop.abort(new Error('Stopped.'));
    await assert.rejects(async () => model.countTokens?.(simpleRequest, stop.signal), { message: 'Stopped.' });
  });
});

describe('the window and the answer of a run', () => {
  const rows: readonly (readonly [string, number, number, number, number])[] = [
    ['claude-sonnet-5-5', 0, 0, 1_000_000, 64_000],
    ['claude-sonnet-5-5', 0, 8_000, 1_000_000, 8_000],
    ['qwen3-coder:30b', 0, 0, 200_000, 32_000],
    ['qwen3-coder:30b', 32_768, 0, 32_768, 8_192],
    ['qwen3-coder:30b', 32_768, 2_000, 32_768, 2_000],
  ];
  for (const [model, contextWindow, maxOutputTokens, window, output] of rows) {
    it(`of ${model} with ${String(contextWindow)} and ${String(maxOutputTokens)} set are ${String(window)} and ${String(output)}`, () => {
      assert.deepEqual(windowAndOutput(model, { contextWindow, maxOutputTokens }), {
        contextWindow: window,
        maxTokens: output,
      });
    });
  }
});
