import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { httpError, text } from '../../support/messagesServer/reply.ts';
import { startMessagesServer } from '../../support/messagesServer/startMessagesServer.ts';
import { clientOf, question, useServer } from './serverFixture.ts';

const json = JSON.stringify(question);

describe('startMessagesServer', () => {
  const fixture = useServer({ apiKey: 'k', rules: { maxBodyBytes: 10_000 } });
  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
    path = '/v1/messages',
  ) => fetch(`${fixture().server.url}${path}`, { method: 'POST', headers, body });
  const good = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };

  it('answers an error in the shape of the API, with the id of the request', async () => {
    const response = await post('{}', good);
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'model: Field required' },
      request_id: response.headers.get('request-id'),
    });
    assert.match(response.headers.get('request-id') ?? '', /^req_\w+$/);
  });

  it('takes the key as x-api-key and as Bearer token', async () => {
    const version = { 'anthropic-version': '2023-06-01' };
    assert.equal((await post(json, good)).status, 200);
    assert.equal((await post(json, { ...version, authorization: 'Bearer k' })).status, 200);
    assert.equal((await post(json, { ...version, authorization: 'Bearer x' })).status, 401);
    assert.equal((await post(json, { ...version, 'x-api-key': 'x' })).status, 401);
    const none = await post(json, version);
    assert.equal(none.status, 401);
    assert.match(await none.text(), /"authentication_error","message":"x-api-key header is required"/);
  });

  it('gives the SDK an AuthenticationError for a wrong key', async () => {
    await assert.rejects(clientOf(fixture().server, 'wrong').messages.create(question), Anthropic.AuthenticationError);
    assert.deepEqual(fixture().server.refused, []);
  });

  it('wants the version', async () => {
    const response = await post(json, { 'x-api-key': 'k' });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /anthropic-version: header is required/);
  });

  it('knows no other paths and methods', async () => {
    assert.equal((await post(json, good, '/v1/complete')).status, 404);
    assert.equal((await fetch(`${fixture().server.url}/v1/messages`, { headers: good })).status, 405);
    assert.equal((await post(json, good, '/v1/messages?beta=true')).status, 200);
  });

  it('answers 413 to a body over the limit, however large', async () => {
    for (const size of [10_001, 200_000]) {
      const response = await post('x'.repeat(size), good);
      assert.equal(response.status, 413);
      assert.match(await response.text(), /"request_too_large"/);
    }
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array(
      [...Buffer.from(json.replace('Hello', 'Hello \u0001'))].map((b) => (b === 1 ? 0xff : b)),
    );
    const response = await post(bytes, good);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /invalid UTF-8/);
  });

  it('lists the models and gets one', async () => {
    const { client } = fixture();
    const ids: string[] = [];
    for await (const { id } of client.models.list({ limit: 2 })) ids.push(id);
    assert.ok(ids.includes('claude-sonnet-5-5') && ids.includes('claude-opus-4-8') && ids.includes('claude-haiku-4-5'));
    assert.equal(new Set(ids).size, ids.length);
    const model = await client.models.retrieve('claude-haiku-4-5');
    assert.deepEqual([model.max_input_tokens, model.max_tokens], [200_000, 64_000]);
    assert.equal(model.capabilities?.thinking.types.adaptive.supported, false);
    await assert.rejects(client.models.retrieve('claude-2'), Anthropic.NotFoundError);
  });

  it('counts tokens, the same each time, and refuses what it would refuse to answer', async () => {
    const { client } = fixture();
    const { model, messages } = question;
    const first = await client.messages.countTokens({ model, messages });
    const longer = await client.messages.countTokens({ model, messages, system: 'x'.repeat(400) });
    assert.deepEqual(await client.messages.countTokens({ model, messages }), first);
    assert.ok(longer.input_tokens >= first.input_tokens + 100);
    await assert.rejects(client.messages.countTokens({ model, messages: [] }), /at least one message is required/);
  });

  it('records what was asked, byte for byte, and what was refused', async () => {
    const { server } = fixture();
    await post(`${json} `, good);
    await post('{"a":1}', good);
    assert.deepEqual(
      server.requests.map(({ raw, status }) => [raw, status]),
      [
        [`${json} `, 200],
        ['{"a":1}', 400],
      ],
    );
    const first = server.requests[0];
    assert.ok(first !== undefined);
    assert.deepEqual(first.body, question);
    assert.equal(first.headers['x-api-key'], 'k');
    assert.ok(first.receivedAt instanceof Date);
    assert.deepEqual(
      server.refused.map(({ number, error }) => [number, error?.message]),
      [[2, 'model: Field required']],
    );
  });

  it('lets a test wait for requests', async () => {
    const { server, client } = fixture();
    const second = server.nextRequest(({ number }) => number === 3);
    const both = server.waitForRequests(2);
    await client.messages.create(question);
    await client.models.list();
    await client.messages.create({ ...question, max_tokens: 7 });
    assert.deepEqual((await second).body, { ...question, max_tokens: 7 });
    assert.deepEqual(
      (await both).map(({ number }) => number),
      [1, 3],
    );
    assert.equal((await server.waitForRequests(1)).length, 2);
  });

  it('rejects those who still wait when it is closed', async () => {
    const { server } = fixture();
    const waiting = [server.nextRequest(), server.waitForRequests(1)];
    await server.close();
    for (const wait of waiting) await assert.rejects(wait, /closed/);
    await assert.rejects(server.nextRequest(), /closed/);
  });

  it('answers HTTP errors with the type of the status and with retry-after', async () => {
    const { server, client } = fixture();
    const cases = [
      [429, 'rate_limit_error', '7'],
      [500, 'api_error', null],
      [529, 'overloaded_error', null],
    ] as const;
    for (const [status, type, after] of cases) {
      server.script = () => httpError(status, after === null ? {} : { retryAfter: after, message: 'later' });
      await assert.rejects(client.messages.create(question), (error) => {
        assert.ok(error instanceof Anthropic.APIError);
        const headers: unknown = error.headers;
        assert.ok(headers instanceof Headers);
        assert.deepEqual([error.status, error.type, headers.get('retry-after')], [status, type, after]);
        return true;
      });
    }
  });

  it('keeps what a script throws, and answers 500 that is not tried again', async () => {
    const { server } = fixture();
    server.script = () => {
      throw new Error('oh');
    };
    const client = clientOf(server).withOptions({ maxRetries: 3 });
    await assert.rejects(client.messages.create(question), /the script failed: oh/);
    assert.deepEqual([server.scriptErrors[0]?.message, server.requests.length], ['oh', 1]);
  });

  it('counts the messages for the script', async () => {
    const { server, client } = fixture();
    server.script = (_body, { messageNumber }) => (messageNumber === 1 ? httpError(500) : text(`try ${messageNumber}`));
    const got = await client.withOptions({ maxRetries: 1 }).messages.create(question);
    assert.ok(got.content[0]?.type === 'text' && got.content[0].text === 'try 2');
  });

  it('frees its port, also while an answer is on its way', async () => {
    const { server } = fixture();
    server.script = () => new Promise(() => undefined);
    const arrived = server.nextRequest();
    const asked = post(json, good);
    await arrived;
    await Promise.all([server.close(), assert.rejects(asked)]);
    const port = Number(new URL(server.url).port);
    const again = await startMessagesServer({ port });
    assert.equal(again.url, server.url);
    await again.close();
  });
});
