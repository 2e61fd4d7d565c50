import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { ServerResponse } from 'node:http';
import { createAnthropicModel, type AnthropicModelOptions } from '../../../src/model/anthropic.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { simpleRequest, startRawServer, type RawServer } from './rawServer.ts';

function ask(options: Partial<AnthropicModelOptions> & { readonly baseURL: string }, signal?: AbortSignal) {
  const model = createAnthropicModel({ apiKey: 'test-key', ...options });
  return model.stream(simpleRequest, { onDelta: () => undefined, signal: signal ?? new AbortController().signal });
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

const apiError = (type: string, message: string): string =>
  JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' });

interface Refusal {
  readonly what: string;
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: ModelError['kind'];
  readonly code: string;
  readonly says?: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    what: 'a wrong key',
    status: 401,
    body: apiError('authentication_error', 'invalid'),
    kind: 'terminal',
    code: 'key_refused',
    says: /Set another key/,
  },
  {
    what: 'a key without the right',
    status: 403,
    body: apiError('permission_error', 'no'),
    kind: 'terminal',
    code: 'key_refused',
  },
  {
    what: 'an invalid request',
    status: 400,
    body: apiError('invalid_request_error', 'messages.3: odd'),
    kind: 'terminal',
    code: 'invalid_request',
    says: /messages\.3: odd/,
  },
  {
    what: 'a long prompt',
    status: 400,
    body: apiError('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'),
    kind: 'terminal',
    code: 'prompt_too_long',
  },
  {
    what: 'no credit',
    status: 400,
    body: apiError('invalid_request_error', 'Your credit balance is too low'),
    kind: 'terminal',
    code: 'low_balance',
  },
  {
    what: 'altered thinking',
    status: 400,
    body: apiError(
      'invalid_request_error',
      'messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified',
    ),
    kind: 'terminal',
    code: 'thinking_refused',
  },
  {
    what: 'an unsupported role',
    status: 400,
    body: apiError('invalid_request_error', "role 'system' is not supported on this model"),
    kind: 'terminal',
    code: 'invalid_request',
  },
  { what: 'billing', status: 402, body: apiError('billing_error', 'pay'), kind: 'terminal', code: 'low_balance' },
  {
    what: 'an unknown model',
    status: 404,
    body: apiError('not_found_error', 'model: x'),
    kind: 'terminal',
    code: 'model_not_found',
    says: /claude-opus-4-8/,
  },
  {
    what: 'a wrong path, JSON',
    status: 404,
    body: '{"detail":"Not Found"}',
    kind: 'terminal',
    code: 'wrong_url',
    says: /baseUrl/,
  },
  { what: 'a wrong path, HTML', status: 404, body: '<h1>404</h1>', kind: 'terminal', code: 'wrong_url' },
  { what: 'a wrong method', status: 405, body: '', kind: 'terminal', code: 'wrong_url' },
  {
    what: 'too large a body',
    status: 413,
    body: apiError('request_too_large', 'big'),
    kind: 'terminal',
    code: 'request_too_large',
  },
  {
    what: 'what cannot be processed',
    status: 422,
    body: '{"error":{"message":"bad field"}}',
    kind: 'terminal',
    code: 'invalid_request',
    says: /bad field/,
  },
  {
    what: 'a rate limit',
    status: 429,
    body: apiError('rate_limit_error', 'slow'),
    kind: 'retryable',
    code: 'rate_limited',
  },
  {
    what: 'a spending limit',
    status: 429,
    body: JSON.stringify({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'no', details: { error_code: 'enforced_spend_limit_reached' } },
    }),
    kind: 'terminal',
    code: 'low_balance',
  },
  { what: 'a conflict', status: 409, body: '', kind: 'retryable', code: 'server_error' },
  {
    what: 'an internal error',
    status: 500,
    body: apiError('api_error', 'oops'),
    kind: 'retryable',
    code: 'server_error',
  },
  { what: 'a bad gateway', status: 502, body: '<html>bad gateway</html>', kind: 'retryable', code: 'server_error' },
  { what: 'a timeout of the gateway', status: 504, body: '', kind: 'retryable', code: 'server_error' },
  { what: 'overload', status: 529, body: apiError('overloaded_error', 'busy'), kind: 'retryable', code: 'overloaded' },
];

describe('model failures: refusals', () => {
  let server: RawServer;
  let answer: (response: ServerResponse) => void = (response) => response.end();
  before(async () => {
    server = await startRawServer((response) => {
      answer(response);
    });
  });
  after(() => server.close());

  for (const { what, status, body, headers, kind, code, says } of refusals) {
    it(`takes ${String(status)} (${what}) as ${kind} ${code}`, async () => {
      answer = (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      const error = await failureOf(ask({ baseURL: server.url }));
      assert.deepEqual([error.kind, error.code, error.status], [kind, code, status]);
      if (says) assert.match(error.message, says);
      assert.ok(error.message.length < 400 && error.cause instanceof Error);
    });
  }

  const waits: readonly (readonly [string, Readonly<Record<string, string>>, (ms: number | undefined) => boolean])[] = [
    ['seconds', { 'retry-after': '37' }, (ms) => ms === 37_000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, (ms) => ms === 1_500],
    [
      'a date',
      { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
      (ms) => ms !== undefined && ms > 3_000_000 && ms <= 3_600_000,
    ],
    ['nothing', {}, (ms) => ms === undefined],
  ];
  for (const [what, headers, isRight] of waits) {
    it(`passes on a wait given as ${what}`, async () => {
      answer = (response) => response.writeHead(429, headers).end(apiError('rate_limit_error', 'slow'));
      const error = await failureOf(ask({ baseURL: server.url }));
      assert.ok(isRight(error.retryAfterMs), String(error.retryAfterMs));
    });
  }

  for (const [status, retryAfter] of [
    [529, '9'],
    [429, '1814400'],
    [503, ''],
    [408, ''],
  ] as const) {
    it(`asks once and passes ${status} on: whether it is asked again is not decided here`, async () => {
      answer = (response) => response.writeHead(status, { ...(retryAfter && { 'retry-after': retryAfter }) }).end();
      const before = server.requests.length;
      const error = await failureOf(ask({ baseURL: server.url }));
      assert.equal(error.kind, 'retryable');
      assert.equal(error.retryAfterMs, retryAfter === '' ? undefined : Number(retryAfter) * 1_000);
      assert.equal(server.requests.length, before + 1);
    });
  }

  it('can be stopped before any header came', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    answer = () => stop.abort(reason);
    await assert.rejects(ask({ baseURL: server.url }, stop.signal), (error: unknown) => error === reason);
  });

  it('gives up on a server that sends no header', async () => {
    answer = () => undefined;
    const error = await failureOf(ask({ baseURL: server.url, headersTimeoutMs: 50 }));
    assert.deepEqual([error.kind, error.code], ['retryable', 'timeout']);
  });

  it('tells a connection that was lost before the answer', async () => {
    answer = (response) => response.socket?.destroy();
    const error = await failureOf(ask({ baseURL: server.url }));
    assert.deepEqual([error.kind, error.code], ['retryable', 'connection_lost']);
  });
});

describe('model failures: no server', () => {
  it('says that nobody answers at the address, and where to change it', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = closed.address();
    assert.ok(typeof address === 'object' && address !== null);
    await new Promise((resolve) => closed.close(resolve));
    const baseURL = `http://127.0.0.1:${String(address.port)}`;
    const error = await failureOf(ask({ baseURL }));
    assert.deepEqual([error.kind, error.code], ['retryable', 'unreachable']);
    assert.ok(error.message.startsWith(`No server answered at ${baseURL}. Check ratchet.anthropic.baseUrl`));
  });

  it('makes no request to a port of another kind of server, and says so once', async () => {
    const error = await failureOf(ask({ baseURL: 'http://127.0.0.1:6000' }));
    assert.deepEqual([error.kind, error.code], ['terminal', 'wrong_url']);
    assert.match(error.message, /^Requests to the port of 127\.0\.0\.1:6000 are blocked\./);
  });

  it('refuses an address with a password without repeating it', async () => {
    const error = await failureOf(ask({ baseURL: 'http://someone:secret@127.0.0.1:8080/' }));
    assert.deepEqual([error.kind, error.code], ['terminal', 'wrong_url']);
    assert.doesNotMatch(error.message, /secret|someone/);
  });

  for (const [words, code, kind] of [
    ['net::ERR_CONNECTION_REFUSED', 'unreachable', 'retryable'],
    ['net::ERR_NAME_NOT_RESOLVED', 'unreachable', 'retryable'],
    ['net::ERR_CONNECTION_RESET', 'connection_lost', 'retryable'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'untrusted_certificate', 'terminal'],
    ['net::ERR_UNSAFE_PORT', 'wrong_url', 'terminal'],
  ] as const) {
    it(`takes ${words} of the editor's own fetch as ${code}`, async () => {
      const failing = (): Promise<Response> => Promise.reject(new Error(words));
      const error = await failureOf(ask({ baseURL: 'http://server.test', fetch: failing }));
      assert.deepEqual([error.kind, error.code], [kind, code]);
    });
  }

  const causes: readonly (readonly [string, string, ModelError['kind']])[] = [
    ['ENOTFOUND', 'unreachable', 'retryable'],
    ['EAI_AGAIN', 'unreachable', 'retryable'],
    ['ECONNRESET', 'connection_lost', 'retryable'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted_certificate', 'terminal'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted_certificate', 'terminal'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'retryable'],
  ];
  for (const [systemCode, code, kind] of causes) {
    it(`takes ${systemCode} as ${code}`, async () => {
      const words = systemCode === 'UND_ERR_HEADERS_TIMEOUT' ? 'Headers Timeout Error' : 'failed';
      const cause = Object.assign(new Error(words), { code: systemCode });
      const failing = (): Promise<Response> => Promise.reject(new TypeError('fetch failed', { cause }));
      const error = await failureOf(ask({ baseURL: 'http://server.test', fetch: failing }));
      assert.deepEqual([error.kind, error.code], [kind, code]);
    });
  }
});
