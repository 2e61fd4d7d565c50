import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { createAnthropicModel, type AnthropicModelOptions } from '../../../src/model/anthropic.ts';
import { ModelError, type CompletedMessage, type StreamDelta } from '../../../src/runner/ports.ts';
import { message, redactedThinking, text, thinking, toolUse } from '../../support/messagesServer/reply.ts';
import {
  startMessagesServer,
  type MessagesServer,
  type Script,
} from '../../support/messagesServer/startMessagesServer.ts';
import { closeAt, dropAt, midStreamError, slow, stallAt } from '../../support/messagesServer/streamFaults.ts';
import { simpleRequest, sse, startEvent, startRawServer, stopEvents, textEvents, type RawServer } from './rawServer.ts';

const idle = new AbortController().signal;

function ask(
  options: Partial<AnthropicModelOptions> & { readonly baseURL: string },
  deltas: StreamDelta[] = [],
  signal: AbortSignal = idle,
): Promise<CompletedMessage> {
  const model = createAnthropicModel({ apiKey: 'test-key', ...options });
  return model.stream(simpleRequest, { onDelta: (delta) => deltas.push(delta), signal });
}

async function failureOf(answer: Promise<unknown>): Promise<ModelError> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'it did not fail' });
}

describe('createAnthropicModel: against a strict server', () => {
  let server: MessagesServer;
  const withScript = (script: Script): string => {
    server.script = script;
    return server.url;
  };
  before(async () => {
    server = await startMessagesServer();
  });
  after(() => server.close());

  it('gives back thinking, text and tool calls complete, and streams them meanwhile', async () => {
    const input = { path: 'a/b.txt', lines: [1, 2, 3], ключ: '🌍' };
    const baseURL = withScript(() => [
      thinking('I think about ✨ it.'),
      redactedThinking('hidden'),
      text('Here it is.'),
      toolUse('read', input, 'toolu_1'),
    ]);
    const deltas: StreamDelta[] = [];
    const answer = await ask({ baseURL }, deltas);
    assert.deepEqual(
      answer.content.map((block) => block.type),
      ['thinking', 'redacted_thinking', 'text', 'tool_use'],
    );
    const [thought, hidden, said, call] = answer.content;
    assert.ok(thought?.type === 'thinking' && thought.thinking === 'I think about ✨ it.' && thought.signature !== '');
    assert.ok(hidden?.type === 'redacted_thinking' && hidden.data !== '');
    assert.deepEqual(said, { type: 'text', text: 'Here it is.' });
    assert.deepEqual(call, { type: 'tool_use', id: 'toolu_1', name: 'read', input });
    assert.equal(answer.stopReason, 'tool_use');
    assert.equal(answer.model, 'claude-opus-4-8');
    assert.ok(answer.usage.inputTokens + answer.usage.cacheWriteTokens > 0 && answer.usage.outputTokens > 0);
    const heard = (kind: 'text' | 'thinking'): string =>
      deltas.flatMap((delta) => (delta.kind === kind ? delta.text : [])).join('');
    assert.equal(heard('text'), 'Here it is.');
    assert.equal(heard('thinking'), 'I think about ✨ it.');
    assert.deepEqual(
      deltas.filter((delta) => delta.kind === 'tool'),
      [{ kind: 'tool', index: 3, name: 'read', id: 'toolu_1' }],
    );
  });

  it('gives back thinking that the server takes again, byte for byte', async () => {
    const baseURL = withScript(() => [thinking('Why not?'), text('Yes.')]);
    const { content } = await ask({ baseURL });
    const messages = [
      ...simpleRequest.messages,
      { role: 'assistant' as const, content },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go on.' }] },
    ];
    const model = createAnthropicModel({ apiKey: 'test-key', baseURL });
    await model.stream({ ...simpleRequest, messages }, { onDelta: () => undefined, signal: idle });
    assert.deepEqual(server.refused, []);
  });

  it('sends the request as it is given, with stream at its end, twice the same bytes', async () => {
    const baseURL = withScript(() => text('Hello.'));
    const before = server.messageRequests.length;
    await ask({ baseURL });
    await ask({ baseURL });
    const expected = JSON.stringify({ ...simpleRequest, stream: true });
    assert.match(expected, /,"stream":true\}$/);
    assert.deepEqual(
      server.messageRequests.slice(before).map((request) => request.raw),
      [expected, expected],
    );
  });

  const faults: readonly (readonly [string, Script, ModelError['kind'], string])[] = [
    ['a clean end in the middle', () => closeAt(420, text('A long answer.')), 'retryable', 'stream_cut'],
    ['a lost connection', () => dropAt(420, text('A long answer.')), 'retryable', 'connection_lost'],
    ['overload', () => midStreamError('overloaded_error', 0, text('Hm.')), 'retryable', 'overloaded'],
    ['a rate limit', () => midStreamError('rate_limit_error', 1, text('Hm.')), 'retryable', 'rate_limited'],
    ['an internal error', () => midStreamError('api_error', 1, text('Hm.')), 'retryable', 'server_error'],
    ['an unknown error', () => midStreamError('new_error', 1, text('Hm.')), 'retryable', 'server_error'],
    ['a late refusal', () => midStreamError('invalid_request_error', 1, text('Hm.')), 'terminal', 'invalid_request'],
    ['silence', () => stallAt(420, text('A long answer.')), 'stalled', 'stalled'],
  ];
  for (const [what, script, kind, code] of faults) {
    it(`fails as ${kind} ${code} on ${what} after the answer began, without a second request`, async () => {
      const baseURL = withScript(script);
      const before = server.messageRequests.length;
      const error = await failureOf(ask({ baseURL, idleTimeoutMs: 150 }));
      assert.deepEqual([error.kind, error.code, error.status], [kind, code, undefined]);
      assert.equal(server.messageRequests.length, before + 1);
    });
  }

  it('does not take pings for silence', async () => {
    const stalled = stallAt(420, text('A long answer.'), { pingEveryMs: 20 });
    const baseURL = withScript(() => stalled);
    const answer = ask({ baseURL, idleTimeoutMs: 300 });
    // Three times the limit: silence would have ended it long before.
    setTimeout(stalled.release, 900);
    assert.deepEqual((await answer).content, [{ type: 'text', text: 'A long answer.' }]);
  });

  it('ends the request on the server when it stalls', async () => {
    const gone = Promise.withResolvers<unknown>();
    const baseURL = withScript((_body, context) => {
      context.signal.addEventListener('abort', () => gone.resolve(undefined));
      return stallAt(420, text('A long answer.'));
    });
    await failureOf(ask({ baseURL, idleTimeoutMs: 100 }));
    await gone.promise;
  });

  it('rejects with the reason of the caller in mid-stream, and ends the request on the server', async () => {
    const gone = Promise.withResolvers<unknown>();
    const baseURL = withScript((_body, context) => {
      context.signal.addEventListener('abort', () => gone.resolve(undefined));
      return slow(20, text('word '.repeat(500)));
    });
    const stop = new AbortController();
    const reason = { stopped: 'by the test' };
    const model = createAnthropicModel({ apiKey: 'test-key', baseURL });
    const answer = model.stream(simpleRequest, { onDelta: () => stop.abort(reason), signal: stop.signal });
    await assert.rejects(answer, (error: unknown) => error === reason);
    await gone.promise;
  });

  it('rejects with the reason of a signal that was aborted before, without a request', async () => {
    const baseURL = withScript(() => text('Hello.'));
    const before = server.requests.length;
    const reason = new Error('too late');
    await assert.rejects(ask({ baseURL }, [], AbortSignal.abort(reason)), (error: unknown) => error === reason);
    assert.equal(server.requests.length, before);
  });

  it('passes on what the caller throws for a delta, and ends the request on the server', async () => {
    const gone = Promise.withResolvers<unknown>();
    const baseURL = withScript((_body, context) => {
      context.signal.addEventListener('abort', () => gone.resolve(undefined));
      return slow(20, text('word '.repeat(500)));
    });
    const own = new TypeError('a mistake of the caller');
    const model = createAnthropicModel({ apiKey: 'test-key', baseURL });
    const onDelta = (): void => {
      throw own;
    };
    await assert.rejects(model.stream(simpleRequest, { onDelta, signal: idle }), (error: unknown) => error === own);
    await gone.promise;
  });

  it('leaves no listener behind on a signal that lives on', async () => {
    const baseURL = withScript(() => text('Hello.'));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await ask({ baseURL }, [], signal);
    assert.equal(listeners, 0);
  });

  it('takes a refusal of the strict server for a terminal error with the words of the server', async () => {
    const model = createAnthropicModel({ apiKey: 'test-key', baseURL: server.url });
    const error = await failureOf(
      model.stream({ ...simpleRequest, messages: [] }, { onDelta: () => undefined, signal: idle }),
    );
    assert.deepEqual([error.kind, error.code, error.status], ['terminal', 'invalid_request', 400]);
    assert.match(error.message, /message/);
  });

  it('says that the key was refused', async () => {
    const error = await failureOf(ask({ baseURL: server.url, apiKey: 'wrong' }));
    assert.deepEqual([error.kind, error.code, error.status], ['terminal', 'key_refused', 401]);
    assert.equal(error.message, 'The key was refused. Set another key.');
  });

  it('returns a message that ended for its length', async () => {
    const baseURL = withScript(() => message([text('Half of')], { stop_reason: 'max_tokens' }));
    const { content, stopReason } = await ask({ baseURL });
    assert.deepEqual([content, stopReason], [[{ type: 'text', text: 'Half of' }], 'max_tokens']);
  });
});

describe('createAnthropicModel: what goes out', () => {
  let server: RawServer;
  const environment = {
    ANTHROPIC_API_KEY: 'key-from-environment',
    ANTHROPIC_AUTH_TOKEN: 'token-from-environment',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/elsewhere',
    ANTHROPIC_CUSTOM_HEADERS:
      'x-leak: leaked\nx-api-key: leaked\nauthorization: leaked\nanthropic-version: leaked\nuser-agent: leaked',
    ANTHROPIC_LOG: 'debug',
    ANTHROPIC_PROFILE: 'leaked',
    ANTHROPIC_OPEN_TELEMETRY: 'true',
  };
  const saved = new Map(Object.keys(environment).map((name) => [name, process.env[name]]));
  before(async () => {
    Object.assign(process.env, environment);
    server = await startRawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(sse(startEvent, ...textEvents(0, 'Hi.'), ...stopEvents));
    });
  });
  after(async () => {
    for (const [name, value] of saved) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    await server.close();
  });

  it('sends the key as x-api-key and as bearer token, and nothing from the environment', async () => {
    const logged: string[] = [];
    const write = (message: string, ...rest: unknown[]): void => {
      logged.push(inspect([message, ...rest], { depth: 10 }));
    };
    await ask({ baseURL: server.url, log: { error: write, warn: write, info: write, debug: write } });
    const { headers, path } = server.requests.at(-1) ?? assert.fail('no request');
    assert.equal(path, '/v1/messages');
    assert.equal(headers['x-api-key'], 'test-key');
    assert.equal(headers.authorization, 'Bearer test-key');
    assert.equal(headers['anthropic-version'], '2026-10-21');
    assert.equal(headers['content-type'], 'application/json');
    assert.doesNotMatch(JSON.stringify(headers), /leak|environment/);
    assert.doesNotMatch(logged.join('\n'), /Hello|test-key/, 'neither the conversation nor the key is logged');
  });

  it('needs no key, and then sends none', async () => {
    await ask({ baseURL: server.url, apiKey: ' ' });
    const { headers } = server.requests.at(-1) ?? assert.fail('no request');
    assert.equal(headers['x-api-key'], undefined);
    assert.equal(headers.authorization, undefined);
  });

  for (const suffix of ['/', '/v1', '/v1/', '/v1/messages']) {
    it(`takes an address that ends in ${suffix}`, async () => {
      await ask({ baseURL: server.url + suffix });
      assert.equal(server.requests.at(-1)?.path, '/v1/messages');
    });
  }

  it('keeps the path of a gateway', async () => {
    await ask({ baseURL: `${server.url}/anthropic` });
    assert.equal(server.requests.at(-1)?.path, '/anthropic/v1/messages');
  });

  for (const baseURL of ['localhost:11434', 'not an address', 'file:///etc']) {
    it(`refuses ${baseURL} as an address, without a request`, async () => {
      const before = server.requests.length;
      const error = await failureOf(ask({ baseURL }));
      assert.deepEqual([error.kind, error.code], ['terminal', 'wrong_url']);
      assert.match(error.message, /ratchet\.anthropic\.baseUrl/);
      assert.equal(server.requests.length, before);
    });
  }

  it('refuses a key that cannot be sent, and does not repeat it', async () => {
    const error = await failureOf(ask({ baseURL: server.url, apiKey: 'my “secret” key' }));
    assert.deepEqual([error.kind, error.code], ['terminal', 'key_refused']);
    assert.doesNotMatch(error.message, /secret/);
  });

  it('reads counts from the beginning and the end of an answer, and the name of the model', async () => {
    const { usage, model } = await ask({ baseURL: server.url });
    assert.deepEqual(usage, { inputTokens: 7, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 0 });
    assert.equal(model, 'served-model');
  });
});

describe('createAnthropicModel: answers that no good server gives', () => {
  let server: RawServer | undefined;
  const answering = async (answer: (response: ServerResponse) => void): Promise<string> => {
    server = await startRawServer(answer);
    return server.url;
  };
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const stream = { 'content-type': 'text/event-stream' };

  it('does not wait for the end of the connection once the message is complete', async () => {
    const baseURL = await answering((response) => {
      response.writeHead(200, stream);
      response.write(sse(startEvent, ...textEvents(0, 'Hi.'), ...stopEvents));
    });
    assert.deepEqual((await ask({ baseURL })).content, [{ type: 'text', text: 'Hi.' }]);
  });

  it('is not complete without a stop reason', async () => {
    const baseURL = await answering((response) => {
      response.writeHead(200, stream).end(sse(startEvent, ...textEvents(0, 'Hi.'), { type: 'message_stop' }));
    });
    assert.equal((await failureOf(ask({ baseURL }))).code, 'stream_cut');
  });

  const bodies: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
    ['a web page', { 'content-type': 'text/html; charset=utf-8' }, '<html></html>', 'wrong_url'],
    [
      'JSON instead of a stream',
      { 'content-type': 'application/json' },
      '{"error":"Unexpected endpoint"}',
      'wrong_url',
    ],
    ['an event that is no JSON', stream, 'event: message_start\ndata: {oops\n\n', 'bad_response'],
    ['an event without its fields', stream, sse({ type: 'content_block_start' }), 'bad_response'],
    ['an empty answer', stream, '', 'stream_cut'],
  ];
  for (const [what, headers, body, code] of bodies) {
    it(`fails with ${code} on ${what}`, async () => {
      const baseURL = await answering((response) => {
        response.writeHead(200, headers).end(body);
      });
      assert.equal((await failureOf(ask({ baseURL }))).code, code);
    });
  }

  it('takes characters that are split between chunks', async () => {
    const bytes = Buffer.from(sse(startEvent, ...textEvents(0, 'Grüße 🌍'), ...stopEvents));
    const baseURL = await answering((response) => {
      response.writeHead(200, stream);
      void (async () => {
        for (const byte of bytes) if (!response.write(Buffer.from([byte]))) await once(response, 'drain');
        response.end();
      })();
    });
    assert.deepEqual((await ask({ baseURL })).content, [{ type: 'text', text: 'Grüße 🌍' }]);
  });

  it('drops blocks of unknown types and says so in the log', async () => {
    const baseURL = await answering((response) => {
      const odd = { type: 'content_block_start', index: 0, content_block: { type: 'hologram', data: 1 } };
      const oddDelta = { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', x: 1 } };
      response.writeHead(200, stream);
      response.end(sse(startEvent, odd, oddDelta, { type: 'new_event' }, ...textEvents(1, 'Hi.'), ...stopEvents));
    });
    const warnings: string[] = [];
    const none = (): void => undefined;
    const log = { error: none, warn: (line: string) => warnings.push(line), info: none, debug: none };
    assert.deepEqual((await ask({ baseURL, log })).content, [{ type: 'text', text: 'Hi.' }]);
    assert.match(warnings.join(), /hologram/);
  });

  it('does not follow a redirect with the key', async () => {
    let elsewhere = 0;
    const other = await startRawServer((response) => {
      elsewhere += 1;
      response.end();
    });
    const baseURL = await answering((response) => {
      response.writeHead(307, { location: `${other.url}/v1/messages` }).end();
    });
    const error = await failureOf(ask({ baseURL }));
    await other.close();
    assert.deepEqual([error.kind, error.code, elsewhere], ['terminal', 'wrong_url', 0]);
  });
});
