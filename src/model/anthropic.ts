// The Messages API over the SDK's client: one request, one complete answer or one ModelError. Serves the real API, any
// gateway or local server that speaks it, and the offline demo. It reads nothing from the environment or the disk, and
// must never know about sessions, and never repeats a request.
import type { BaseAnthropic } from '@anthropic-ai/sdk';
import type { Stream } from '@anthropic-ai/sdk/core/streaming';
import { durationText } from '../core/words.ts';
import type { ModelRequest } from '../core/messages.ts';
import { ModelError, type CompletedMessage, type ModelPort, type StreamDelta } from '../runner/ports.ts';
import { checkedBaseURL, checkedKey, newClient } from './client.ts';
import { createIdleWatch } from './idleWatch.ts';
import { silentLog, type ModelLog } from './log.ts';
import { createMessageAssembly, type MessageAssembly } from './messageAssembly.ts';
import { brokenStream, modelErrorOf, notAStream, refusalError, type FailureContext } from './modelFailure.ts';
import { createTokenCounter } from './tokenCounter.ts';
import { createWatchedFetch } from './watchedFetch.ts';

/** After `message_stop`, the server gets this long to end the answer, so that the connection can be used again. */
const closingMs = 500;

export interface AnthropicModelOptions {
  /** May be empty for servers that want none. */
  readonly apiKey: string;
  /** With or without `/v1` at its end; empty for the Anthropic API itself. */
  readonly baseURL: string;
  /** Milliseconds without a byte after which an answer counts as stalled. Default: two minutes. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds for the first byte of an answer, per attempt. Default: four minutes, for local models. */
  readonly headersTimeoutMs?: number;
  readonly log?: ModelLog;
  readonly fetch?: typeof fetch;
}

/**
 * A model behind the Messages API. The body of a request is the JSON of the given object with `"stream":true` after it,
 * byte for byte. A tool call that `max_tokens` may have cut is left out of `content` (see MessageAssembly.finish).
 */
export function createAnthropicModel(options: AnthropicModelOptions): ModelPort {
  return {
    stream: (request, { onDelta, signal }) => streamMessage(options, request, onDelta, signal),
    countTokens: createTokenCounter((body, signal) => countTokens(options, body, signal), options.log ?? silentLog),
  };
}

async function countTokens(options: AnthropicModelOptions, body: object, signal: AbortSignal): Promise<unknown> {
  const apiKey = checkedKey(options.apiKey);
  const ignored = { onStart: () => undefined, onBytes: () => undefined, onBroken: () => undefined };
  const client = newClient({
    ...options,
    baseURL: checkedBaseURL(options.baseURL),
    apiKey,
    log: options.log ?? silentLog,
    fetch: createWatchedFetch(options.fetch ?? fetch, apiKey, ignored),
  });
  return client.post<unknown>('/v1/messages/count_tokens', { body, signal });
}

async function streamMessage(
  options: AnthropicModelOptions,
  request: ModelRequest,
  onDelta: (delta: StreamDelta) => void,
  signal: AbortSignal,
): Promise<CompletedMessage> {
  signal.throwIfAborted();
  const { idleTimeoutMs = 120_000, log = silentLog } = options;
  const baseURL = checkedBaseURL(options.baseURL);
  const apiKey = checkedKey(options.apiKey);
  const failureContext = (): FailureContext => ({ baseURL, model: request.model, now: Date.now() });

  // Ends the HTTP exchange, whoever wants that; its reason says why.
  const exchange = new AbortController();
  const stopWithCaller = (): void => {
    exchange.abort(signal.reason);
  };
  const watch = createIdleWatch(idleTimeoutMs, () => {
    const message = `The server sent nothing for ${durationText(idleTimeoutMs)}. Resume asks again from here.`;
    exchange.abort(new ModelError({ kind: 'stalled', code: 'stalled', message }));
  });
  let broken: { readonly error: unknown } | undefined;
  const client = newClient({
    ...options,
    baseURL,
    apiKey,
    log,
    fetch: createWatchedFetch(options.fetch ?? fetch, apiKey, {
      onStart: watch.start,
      onBytes: watch.touch,
      onBroken: (error) => {
        broken = { error };
      },
    }),
  });
  const assembly = createMessageAssembly({
    model: request.model,
    onDelta,
    log,
    onError: (error) =>
      refusalError(
        { ...error, status: undefined, errorCode: null, retryAfterMs: undefined, cause: undefined },
        failureContext(),
      ),
  });
  const classified = (error: unknown): unknown => {
    if (exchange.signal.aborted) return exchange.signal.reason;
    if (broken && broken.error === error) return brokenStream(error, failureContext());
    return modelErrorOf(error, failureContext()) ?? error;
  };

  signal.addEventListener('abort', stopWithCaller, { once: true });
  try {
    const { stream, contentType } = await send(client, request, exchange.signal, classified);
    if (/json|html/.test(contentType)) throw notAStream(failureContext(), contentType);
    await readAll(stream, assembly, exchange, classified);
    if (!assembly.isComplete()) exchange.signal.throwIfAborted();
    return assembly.finish();
  } finally {
    signal.removeEventListener('abort', stopWithCaller);
    watch.stop();
    // What is still open, after a failure of ours, is not left to the garbage collector.
    exchange.abort();
  }
}

async function send(
  client: BaseAnthropic,
  request: ModelRequest,
  signal: AbortSignal,
  classified: (error: unknown) => unknown,
): Promise<{ readonly stream: Stream<unknown>; readonly contentType: string }> {
  try {
    const { data, response } = await client
      .post<Stream<unknown>>('/v1/messages', { body: { ...request, stream: true }, stream: true, signal })
      .withResponse();
    return { stream: data, contentType: response.headers.get('content-type') ?? '' };
  } catch (error) {
    throw classified(error);
  }
}

/** Feeds the events to the assembly until the answer ends. Errors of `accept` are not the stream's and pass as they are. */
async function readAll(
  stream: Stream<unknown>,
  assembly: MessageAssembly,
  exchange: AbortController,
  classified: (error: unknown) => unknown,
): Promise<void> {
  const events = stream[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<unknown, unknown>> => {
    try {
      return await events.next();
    } catch (error) {
      if (assembly.isComplete()) return { done: true, value: undefined };
      throw classified(error);
    }
  };
  let closing: NodeJS.Timeout | undefined;
  try {
    for (let event = await next(); event.done !== true; event = await next()) {
      if (assembly.isComplete()) continue;
      assembly.accept(event.value);
      if (assembly.isComplete()) {
        closing = setTimeout(() => {
          exchange.abort();
        }, closingMs);
      }
    }
  } finally {
    clearTimeout(closing);
  }
}
