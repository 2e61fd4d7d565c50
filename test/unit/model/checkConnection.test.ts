import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { RequestSettings } from '../../../src/core/requestBuilder.ts';
import { checkConnection, type ConnectionReport } from '../../../src/model/checkConnection.ts';
import { judgeConnection } from '../../../src/model/connectionVerdict.ts';
import { startMessagesServer, type MessagesServer } from '../../support/messagesServer/startMessagesServer.ts';
import {
  sse,
  startEvent,
  startRawServer,
  stopEvents,
  textEvents,
  type RawRequest,
  type RawServer,
} from './rawServer.ts';

const settings: RequestSettings = {
  model: 'claude-opus-4-8',
  thinking: 'adaptive',
  effort: 'high',
  maxTokens: 1_000,
  takesSystemMessages: true,
  contextWindow: 1_000_000,
};
const never = new AbortController().signal;
const check = (
  baseURL: string,
  options: { readonly apiKey?: string; readonly settings?: Partial<RequestSettings> } = {},
): Promise<ConnectionReport> =>
  checkConnection(
    { apiKey: options.apiKey ?? 'test-key', baseURL, settings: { ...settings, ...options.settings }, timeoutMs: 500 },
    never,
  );

const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const html = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
};
const refusal = (response: ServerResponse, status: number, type: string, message: string): void => {
  json(response, status, { type: 'error', error: { type, message } });
};
const plainMessage = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
const answer = [startEvent, ...textEvents(0, 'ok'), ...stopEvents];
const stream = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(...answer));
};

interface Row {
  readonly what: string;
  readonly answer: (response: ServerResponse, request: RawRequest) => void;
  readonly path?: string;
  readonly code: string;
  readonly says: RegExp;
}

const rows: readonly Row[] = [
  { what: 'a web page', answer: (r) => html(r, 404), code: 'not_messages_api', says: /a web page.*status 404/ },
  { what: 'a web page that is fine', answer: (r) => html(r, 200), code: 'not_messages_api', says: /a web page/ },
  {
    what: "OpenAI's API",
    answer: (r) => json(r, 200, { object: 'chat.completion', choices: [] }),
    code: 'not_messages_api',
    says: /looks like OpenAI's API/,
  },
  {
    what: 'an API under another path',
    path: '/v1/api/v1',
    answer: (r, { path }) => (path === '/v1/messages' ? json(r, 200, plainMessage) : html(r, 404)),
    code: 'wrong_path',
    says: /there is one at http:\/\/127\.0\.0\.1:\d+\. Set ratchet\.anthropic\.baseUrl/,
  },
  {
    what: 'an API that says 404 to a path as to a model',
    path: '/wrong',
    answer: (r, { path }) => (path === '/v1/messages' ? stream(r) : refusal(r, 404, 'not_found_error', 'Not Found')),
    code: 'model_not_found',
    says: /no model/,
  },
  {
    what: 'answers in one piece',
    answer: (r) => json(r, 200, plainMessage),
    code: 'no_stream',
    says: /not as a stream/,
  },
  {
    what: 'a stream that breaks off',
    answer: (r) => void r.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(startEvent)),
    code: 'stream_broken',
    says: /cannot be read to the end/,
  },
  {
    what: 'a redirect',
    answer: (r) => void r.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
    code: 'redirect',
    says: /another address, which is not followed/,
  },
  {
    what: 'a refused key',
    answer: (r) => refusal(r, 401, 'authentication_error', 'invalid x-api-key'),
    code: 'key_refused',
    says: /was refused.*It said: invalid x-api-key/,
  },
  {
    what: 'a key that may not',
    answer: (r) => refusal(r, 403, 'permission_error', 'not for you'),
    code: 'key_refused',
    says: /may not be used for this/,
  },
  {
    what: 'no such model',
    answer: (r, { path }) =>
      path.startsWith('/v1/models')
        ? json(r, 200, { data: [{ id: 'llama' }, { id: 'qwen' }], has_more: false })
        : refusal(r, 404, 'not_found_error', 'model: claude-opus-4-8'),
    code: 'model_not_found',
    says: /no model "claude-opus-4-8"\. It has llama, qwen\. Choose/,
  },
  {
    what: 'an overloaded server',
    answer: (r) => refusal(r, 529, 'overloaded_error', 'Overloaded'),
    code: 'overloaded',
    says: /address and the key are right/,
  },
  { what: 'silence', answer: () => undefined, code: 'no_answer', says: /then said nothing/ },
  {
    what: 'a closed connection',
    answer: (r) => void r.destroy(),
    code: 'connection_closed',
    says: /closed the connection/,
  },
  {
    what: 'a model without tools',
    answer: (r, { body }) =>
      body.includes('"look"') ? refusal(r, 400, 'invalid_request_error', 'tools are not supported') : stream(r),
    code: 'no_tools',
    says: /takes no tools/,
  },
  {
    what: 'a model without thinking',
    answer: (r, { body }) =>
      body.includes('"adaptive"') ? refusal(r, 400, 'invalid_request_error', 'thinking: no') : stream(r),
    code: 'works_partly',
    says: /refuses: Adaptive thinking.*ratchet\.thinking/,
  },
  { what: 'all that is needed', answer: (r) => stream(r), code: 'works', says: /connection works/ },
];

describe('checkConnection', () => {
  let raw: RawServer | undefined;
  let strict: MessagesServer | undefined;
  afterEach(async () => {
    await raw?.close();
    await strict?.close();
    raw = strict = undefined;
  });

  for (const row of rows) {
    it(`says ${row.code} of a server with ${row.what}`, async () => {
      raw = await startRawServer(row.answer);
      const { verdict } = await check(`${raw.url}${row.path ?? ''}`);
      assert.equal(verdict.code, row.code, verdict.message);
      assert.match(verdict.message, row.says);
    });
  }

  it('says that nobody listens', async () => {
    raw = await startRawServer(() => undefined);
    const { url } = raw;
    await raw.close();
    const { verdict } = await check(url);
    assert.equal(verdict.code, 'no_server');
    assert.match(verdict.message, /No server listens at http:\/\/127\.0\.0\.1:\d+\. Start it/);
    assert.deepEqual(verdict.actions, ['openSettings', 'tryAgain']);
  });

  it('says that what is asked by https does not speak it', async () => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    try {
      const { verdict } = await check(`https://127.0.0.1:${address.port}`);
      assert.equal(verdict.code, 'not_https', verdict.message);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('says that an address is none, without asking anybody', async () => {
    assert.equal((await check('localhost:8080')).verdict.code, 'wrong_url');
  });

  it('does not repeat a password that somebody wrote into the address', async () => {
    const report = await check('http://someone:secret@127.0.0.1:8080');
    assert.equal(report.verdict.code, 'wrong_url');
    assert.doesNotMatch(JSON.stringify(report), /secret/);
  });

  it('finds the whole of the strict server good, in every form that is sent', async () => {
    strict = await startMessagesServer();
    const report = await check(strict.url);
    assert.equal(report.verdict.code, 'works', report.details.join('\n'));
    assert.deepEqual(strict.refused, []);
    assert.deepEqual(
      report.details.filter((line) => line.endsWith(': taken')),
      [
        'Tools: taken',
        'Prompt cache: taken',
        'Adaptive thinking: taken',
        'Effort: taken',
        'System messages in the conversation: taken',
      ],
    );
  });

  it('tells a wrong path of the strict server from a model that is not there', async () => {
    strict = await startMessagesServer();
    assert.equal((await check(`${strict.url}/anthropic`)).verdict.code, 'wrong_path');
    const { verdict } = await check(strict.url, { settings: { model: 'claude-none' } });
    assert.equal(verdict.code, 'model_not_found');
    assert.match(verdict.message, /It has claude-sonnet-5-5/);
  });

  it('tells a missing key from a wrong one', async () => {
    strict = await startMessagesServer();
    assert.equal((await check(strict.url, { apiKey: '' })).verdict.code, 'key_missing');
    assert.equal((await check(strict.url, { apiKey: 'other' })).verdict.code, 'key_refused');
  });

  it('ends with the reason when it is stopped', async () => {
    raw = await startRawServer(() => undefined);
    const stop = new AbortController();
    const reason = new Error('stopped');
    const checking = checkConnection({ apiKey: '', baseURL: raw.url, settings }, stop.signal);
    stop.abort(reason);
    await assert.rejects(checking, reason);
  });
});

describe('judgeConnection', () => {
  const facts = { baseURL: 'https://models.example', model: 'm', hasKey: true };
  it('names a machine that does not exist, and a certificate that is not trusted', () => {
    const failed = (code: string, systemCode: string): string =>
      judgeConnection({ code, message: 'x', systemCodes: [systemCode] }, facts).message;
    assert.match(failed('unreachable', 'ENOTFOUND'), /no machine named models\.example/);
    assert.match(failed('unreachable', 'EHOSTUNREACH'), /http\.proxy/);
    const login = judgeConnection({ code: 'invalid_request', status: 407, message: 'x', systemCodes: [] }, facts);
    assert.equal(login.code, 'proxy_login');
    assert.match(failed('untrusted_certificate', 'SELF_SIGNED_CERT_IN_CHAIN'), /NODE_EXTRA_CA_CERTS/);
  });
});
