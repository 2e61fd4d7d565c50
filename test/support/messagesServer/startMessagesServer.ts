// The local server: it takes requests in, has them checked, asks the script, and has the answer delivered. It must hold no
// rule of the API itself, and it must never be reachable from another machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import { deliverMessage, type Delivery } from './deliverMessage.ts';
import { createPromptCache } from './promptCache.ts';
import { text, toReply, type ApiError, type Scripted } from './reply.ts';
import {
  createRequestLog,
  isMessagesRequest,
  type OpenRecord,
  type RecordedRequest,
  type RequestLog,
} from './requestLog.ts';
import type { MessagesBody } from './requestSchema.ts';
import { estimatePrompt } from './tokens.ts';
import { readCountTokensRequest, readMessagesRequest } from './validateRequest.ts';
import { defaultRules, invalid, type ValidationError, type ValidationRules } from './validationRules.ts';

export interface ScriptContext {
  /** How many valid POST /v1/messages the server had, this one included. */
  readonly messageNumber: number;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  readonly aborted: boolean;
  readonly request: RecordedRequest;
}

/** Decides the answer to a valid request; from the request alone if it shall hold across a restart. */
export type Script = (request: MessagesBody, ctx: ScriptContext) => Scripted | Promise<Scripted>;

export interface MessagesServerOptions {
  /** 0 (default): any free one. */
  readonly port?: number;
  /** The key that is accepted, as `x-api-key` or as Bearer token. */
  readonly apiKey?: string;
  readonly script?: Script;
  readonly rules?: Partial<ValidationRules>;
}

export interface MessagesServer extends Pick<RequestLog, 'requests' | 'nextRequest' | 'waitForRequests'> {
  readonly url: string;
  readonly apiKey: string;
  /** May be replaced at any time; holds for the requests that come after. */
  script: Script;
  /** POST /v1/messages only. */
  readonly messageRequests: readonly RecordedRequest[];
  /** What was answered 400 (or 413) because of its body. */
  readonly refused: readonly RecordedRequest[];
  /** What scripts threw; each was answered 500. */
  readonly scriptErrors: readonly Error[];
  /** Ends all connections and waits until the port is free. */
  readonly close: () => Promise<void>;
}

/** The key that a server accepts that was not given one. */
export const defaultApiKey = 'test-key';

// A body over the limit is read to its end, so that the client gets its answer; this much of it is kept.
const keptTimesLimit = 2;

function requestIdOf(number: number): string {
  return `req_local${String(number).padStart(8, '0')}`;
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> = request;
  for await (const bytes of body) {
    size += bytes.length;
    if (size <= limit) chunks.push(bytes);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

function jsonOrUndefined(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function authError({ headers }: IncomingMessage, apiKey: string): ApiError | undefined {
  const type = 'authentication_error';
  const key = headers['x-api-key'];
  if (key !== undefined) return key === apiKey ? undefined : { type, message: 'invalid x-api-key' };
  const { authorization } = headers;
  if (authorization === undefined) return { type, message: 'x-api-key header is required' };
  return authorization === `Bearer ${apiKey}` ? undefined : { type, message: 'Invalid bearer token' };
}

function sendJson(response: ServerResponse, record: OpenRecord, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  record.answer(status);
  record.finish('sent');
}

function sendError(
  response: ServerResponse,
  record: OpenRecord,
  error: ApiError & { readonly status: number },
  options: { readonly headers?: Readonly<Record<string, string>>; readonly refusal?: ValidationError } = {},
): void {
  const { type, message, status } = error;
  const body = { type: 'error', error: { type, message }, request_id: requestIdOf(record.request.number) };
  response.writeHead(status, { 'content-type': 'application/json', ...options.headers }).end(JSON.stringify(body));
  record.answer(status, options.refusal);
  record.finish('sent');
}

function modelList(models: readonly ModelInfo[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? 20);
  const start = models.findIndex(({ id }) => id === query.get('after_id')) + 1;
  const data = models.slice(start, start + limit);
  return {
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + data.length < models.length,
  };
}

/** Starts a server on loopback. Whoever starts it closes it. */
export async function startMessagesServer(options: MessagesServerOptions = {}): Promise<MessagesServer> {
  const apiKey = options.apiKey ?? defaultApiKey;
  const rules: ValidationRules = { ...defaultRules, ...options.rules };
  const log = createRequestLog();
  const cache = createPromptCache();
  const scriptErrors: Error[] = [];
  let script: Script = options.script ?? (() => text('Hello.'));
  let messageNumber = 0;

  async function answerMessage(body: MessagesBody, record: OpenRecord, response: ServerResponse): Promise<Delivery> {
    const left = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    if (response.closed) left.abort();
    record.arrive();
    messageNumber += 1;
    const context: ScriptContext = {
      messageNumber,
      signal: left.signal,
      get aborted() {
        return left.signal.aborted;
      },
      request: record.request,
    };
    const reply = toReply(await script(body, context));
    if (left.signal.aborted) return 'aborted';
    if (reply.kind === 'httpError') {
      sendError(response, record, { ...reply.error, status: reply.status }, { headers: reply.headers });
      return 'sent';
    }
    const requestId = requestIdOf(record.request.number);
    const id = `msg_local${String(record.request.number).padStart(8, '0')}`;
    const message = { id, body, signingKey: rules.signingKey, inputUsage: cache.use(body) };
    return deliverMessage(response, reply, message, requestId, left.signal, () => {
      record.answer(200);
    });
  }

  async function answerOrFail(body: MessagesBody, record: OpenRecord, response: ServerResponse): Promise<void> {
    try {
      record.finish(await answerMessage(body, record, response));
    } catch (error) {
      // Whatever a script throws is a mistake in a test: it is kept for the test, and the client must not try it again.
      const failure = error instanceof Error ? error : new Error(String(error));
      scriptErrors.push(failure);
      if (response.headersSent) {
        response.destroy();
        record.finish('dropped');
        return;
      }
      const message = `the script failed: ${failure.message}`;
      const headers = { 'x-should-retry': 'false' };
      sendError(response, record, { status: 500, type: 'api_error', message }, { headers });
    }
  }

  async function answerPost(path: string, raw: string, record: OpenRecord, response: ServerResponse): Promise<void> {
    if (path === '/v1/messages') {
      const read = readMessagesRequest(raw, rules);
      if (read.ok) await answerOrFail(read.body, record, response);
      else sendError(response, record, read.error, { refusal: read.error });
      return;
    }
    const read = readCountTokensRequest(raw, rules);
    if (read.ok) sendJson(response, record, 200, { input_tokens: estimatePrompt(read.body) });
    else sendError(response, record, read.error, { refusal: read.error });
  }

  function answerGet(url: URL, record: OpenRecord, response: ServerResponse): void {
    const id = decodeURIComponent(url.pathname.slice('/v1/models/'.length));
    const model = rules.models.find((candidate) => candidate.id === id);
    if (url.pathname === '/v1/models') sendJson(response, record, 200, modelList(rules.models, url.searchParams));
    else if (model !== undefined) sendJson(response, record, 200, model);
    else sendError(response, record, { status: 404, type: 'not_found_error', message: `model: ${id}` });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = url.pathname;
    const bytes = await readBody(request, rules.maxBodyBytes * keptTimesLimit);
    const raw = bytes?.toString() ?? '';
    const asked = { method: request.method ?? '', path, headers: request.headers, raw, body: jsonOrUndefined(raw) };
    const record = log.record(asked);
    response.setHeader('request-id', requestIdOf(record.request.number));
    const refuse = (error: ValidationError): void => {
      sendError(response, record, error, { refusal: error });
    };

    const isPost = path === '/v1/messages' || path === '/v1/messages/count_tokens';
    const isGet = path === '/v1/models' || path.startsWith('/v1/models/');
    if (!isPost && !isGet) {
      sendError(response, record, { status: 404, type: 'not_found_error', message: 'Not Found' });
      return;
    }
    if (request.method !== (isPost ? 'POST' : 'GET')) {
      sendError(response, record, { status: 405, type: 'invalid_request_error', message: 'Method Not Allowed' });
      return;
    }
    const unauthorized = authError(request, apiKey);
    if (unauthorized !== undefined) {
      sendError(response, record, { ...unauthorized, status: 401 });
      return;
    }
    if (request.headers['anthropic-version'] === undefined) {
      refuse(invalid('anthropic-version: header is required'));
      return;
    }
    if (isGet) {
      answerGet(url, record, response);
      return;
    }
    if (bytes === undefined) {
      refuse({ status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' });
      return;
    }
    if (Buffer.compare(Buffer.from(raw), bytes) !== 0) {
      refuse(invalid('The request body is not valid JSON: invalid UTF-8'));
      return;
    }
    return answerPost(path, raw, record, response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // The client went away while it sent its request: there is nobody to answer.
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    apiKey,
    get script() {
      return script;
    },
    set script(next) {
      script = next;
    },
    requests: log.requests,
    get messageRequests() {
      return log.requests.filter(isMessagesRequest);
    },
    get refused() {
      return log.requests.filter(({ error }) => error !== undefined);
    },
    scriptErrors,
    nextRequest: log.nextRequest,
    waitForRequests: log.waitForRequests,
    close: async () => {
      log.close();
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      server.closeAllConnections();
      await closed;
    },
  };
}
