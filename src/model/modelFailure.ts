// What went wrong with a request, in terms of what may be done about it: from the SDK's errors, HTTP statuses and
// error events to ModelError. Messages say what happened and what to do; the server's own error is kept as `cause`.
import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import { headOf } from '../core/wellFormed.ts';
import { ModelError } from '../runner/ports.ts';
import { retryAfterMs } from './retryAfter.ts';

export interface FailureContext {
  readonly baseURL: string;
  readonly model: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The server's side of a refusal, from an HTTP answer or from an `error` event in the stream. */
export interface ServerRefusal {
  readonly status: number | undefined;
  /** The API's error type; null when the body is not in the API's error shape. */
  readonly type: string | null;
  readonly message: string | null;
  readonly errorCode: string | null;
  readonly retryAfterMs: number | undefined;
  readonly cause: unknown;
}

type Kind = ModelError['kind'];

/** What the SDK threw as a ModelError; undefined when it is none of its expected failures. */
export function modelErrorOf(error: unknown, context: FailureContext): ModelError | undefined {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return failure('retryable', 'timeout', `${serverAt(context)} did not answer in time.`, error);
  }
  if (error instanceof APIConnectionError) return connectionFailure(error, context);
  if (error instanceof APIError) {
    // The class is generic over what it holds; `instanceof` leaves that open.
    const status = error.status as number | undefined;
    const headers = error.headers as Headers | undefined;
    return refusalError(
      {
        status,
        type: error.type,
        message: error.apiMessage,
        errorCode: error.errorCode,
        retryAfterMs: headers && retryAfterMs(headers, context.now),
        cause: error,
      },
      context,
    );
  }
  if (error instanceof SyntaxError) {
    return failure('retryable', 'bad_response', `${serverAt(context)} sent an answer that cannot be read.`, error);
  }
  return undefined;
}

/** The connection broke while the answer was coming. */
export function brokenStream(error: unknown, context: FailureContext): ModelError {
  if (codesOf(error).includes('UND_ERR_BODY_TIMEOUT')) {
    return failure('stalled', 'stalled', `${serverAt(context)} stopped sending.`, error);
  }
  return failure('retryable', 'connection_lost', 'The connection was lost in the middle of the answer.', error);
}

const unreachableCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ERR_(CONNECTION_REFUSED|NAME_NOT_RESOLVED|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED|PROXY_CONNECTION_FAILED))$/;
/** What the Fetch standard calls a port that no web page may ask; `fetch` gives it no code. */
const forbiddenPort = 'bad port';
const certificateCodes = /CERT|SIGNATURE|ERR_TLS|SELF_SIGNED|ERR_SSL/;

function connectionFailure(error: APIConnectionError, context: FailureContext): ModelError {
  const codes = codesOf(error);
  if (codes.some((code) => certificateCodes.test(code))) {
    const message = `The certificate of ${hostOf(context.baseURL)} is not trusted here. Check the address and the certificates of this machine.`;
    return failure('terminal', 'untrusted_certificate', message, error);
  }
  if (codes.some((code) => code === forbiddenPort || code === 'ERR_UNSAFE_PORT')) {
    const message = `Requests to the port of ${hostOf(context.baseURL)} are blocked. It belongs to another kind of server: check ratchet.anthropic.baseUrl, or let the server listen at another port.`;
    return failure('terminal', 'wrong_url', message, error);
  }
  if (codes.some((code) => unreachableCodes.test(code))) {
    const message = `No server answered at ${context.baseURL}. Check ratchet.anthropic.baseUrl and the network, or start the server.`;
    return failure('retryable', 'unreachable', message, error);
  }
  return failure('retryable', 'connection_lost', 'The connection was lost before the answer began.', error);
}

/** The meaning of a refusal by the server. */
export function refusalError(refusal: ServerRefusal, context: FailureContext): ModelError {
  const [kind, code, message] = judged(refusal, context);
  return new ModelError(
    {
      kind,
      code,
      message,
      ...(refusal.retryAfterMs !== undefined && { retryAfterMs: refusal.retryAfterMs }),
      ...(refusal.status !== undefined && { status: refusal.status }),
      ...(refusal.message !== null && { said: refusal.message }),
    },
    { cause: refusal.cause },
  );
}

function judged(refusal: ServerRefusal, context: FailureContext): readonly [Kind, string, string] {
  const { status, type, message } = refusal;
  if (/spend_limit|ramp_limit|billing/.test(refusal.errorCode ?? '') || status === 402 || type === 'billing_error') {
    return [
      'terminal',
      'low_balance',
      'The account has no credit left or has reached its limit. Check its billing page, then retry, or set the key of another account.',
    ];
  }
  if (status === 401 || type === 'authentication_error') {
    return ['terminal', 'key_refused', 'The key was refused. Set another key.'];
  }
  if (status === 403 || type === 'permission_error') {
    return [
      'terminal',
      'key_refused',
      'The key may not be used for this. Set another key, or check what this one may do.',
    ];
  }
  if (status === 413 || type === 'request_too_large') {
    return [
      'terminal',
      'request_too_large',
      'The conversation is too large to be sent. Compact it, or start a new session.',
    ];
  }
  if (status === 429 || type === 'rate_limit_error') {
    return ['retryable', 'rate_limited', 'The server is limiting how much may be sent. It can be tried again later.'];
  }
  if (status === 529 || type === 'overloaded_error') {
    return ['retryable', 'overloaded', 'The server is overloaded. It can be tried again later.'];
  }
  if (status === 404 || type === 'not_found_error') return notFound(refusal, context);
  if (status === 408) return ['retryable', 'timeout', `${serverAt(context)} gave up waiting for the request.`];
  if (status === 409 || (status !== undefined && status >= 500)) return serverError(context);
  if (status === 405 || (status !== undefined && status >= 300 && status < 400)) return otherProtocol(context);
  if (status !== undefined || type === 'invalid_request_error') return refusedRequest(message);
  return serverError(context);
}

function notFound({ message }: ServerRefusal, context: FailureContext): readonly [Kind, string, string] {
  if (message === null) return otherProtocol(context);
  return ['terminal', 'model_not_found', `The server does not know the model "${context.model}". Choose another one.`];
}

function refusedRequest(message: string | null): readonly [Kind, string, string] {
  const words = message ?? '';
  if (/credit balance|insufficient (credit|balance|quota)/i.test(words)) {
    return [
      'terminal',
      'low_balance',
      'The account has no credit left. Add credit on its billing page, then retry, or set the key of another account.',
    ];
  }
  if (/prompt is too long|context (window|length|limit)|too many (input )?tokens/i.test(words)) {
    return [
      'terminal',
      'prompt_too_long',
      'The conversation is longer than the model can take. Compact it, or choose a model that takes more.',
    ];
  }
  if (
    /thinking/i.test(words) &&
    /cannot be modified|signature|must remain|final block|start with a thinking/i.test(words)
  ) {
    return ['terminal', 'thinking_refused', 'The server refused the thinking of an earlier answer.'];
  }
  const said = words === '' ? '' : `: ${headOf(words, 300)}`;
  return ['terminal', 'invalid_request', `The server refused the request${said}`];
}

function serverError(context: FailureContext): readonly [Kind, string, string] {
  return ['retryable', 'server_error', `${serverAt(context)} had an error of its own. It can be tried again later.`];
}

function otherProtocol({ baseURL }: FailureContext): readonly [Kind, string, string] {
  return [
    'terminal',
    'wrong_url',
    `What answers at ${baseURL} does not speak the Messages API. Check ratchet.anthropic.baseUrl.`,
  ];
}

/** Something answered, but not with a stream of the Messages API. */
export function notAStream(context: FailureContext, contentType: string): ModelError {
  const [kind, code, message] = otherProtocol(context);
  return failure(kind, code, message, new Error(`The answer had the content type "${headOf(contentType, 100)}".`));
}

function failure(kind: Kind, code: string, message: string, cause: unknown): ModelError {
  return new ModelError({ kind, code, message }, { cause });
}

function serverAt({ baseURL }: FailureContext): string {
  return `The server at ${hostOf(baseURL)}`;
}

function hostOf(baseURL: string): string {
  return URL.parse(baseURL)?.host ?? baseURL;
}

/** The `code` of an error and of all its causes. */
export function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  const pending: unknown[] = [error];
  // Bounded, since a chain of causes may run in a circle.
  for (let seen = 0; seen < 20 && pending.length > 0; seen += 1) {
    const current = pending.pop();
    if (typeof current !== 'object' || current === null) continue;
    if ('code' in current && typeof current.code === 'string') codes.push(current.code);
    else if (current instanceof Error) codes.push(...codeInWords(current.message));
    if ('cause' in current) pending.push(current.cause);
    if (current instanceof AggregateError) pending.push(...(current.errors as readonly unknown[]));
  }
  return codes;
}

/** Of errors without a code: those of the editor's own network stack, which it may give extensions for `fetch`. */
function codeInWords(message: string): readonly string[] {
  if (message === forbiddenPort) return [forbiddenPort];
  const code = /\bnet::(ERR_\w+)/.exec(message)?.[1];
  return code === undefined ? [] : [code];
}
