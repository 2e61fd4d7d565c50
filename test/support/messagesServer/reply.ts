// What a script can answer: a message made of blocks, or an HTTP error. Plain data and the functions that make it. It must
// know nothing of sockets or of how a message is streamed.
import type { RefusalStopDetails, StopReason } from '@anthropic-ai/sdk/resources/messages';

export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  /** Signed by the server when it is sent. */
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'redacted_thinking'; readonly thinking: string }
  | ToolUseReply
  | { readonly type: 'server_tool_use'; readonly name: string; readonly input: object };

export interface ToolUseReply {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: object;
  /** Made from the place in the conversation when it is not given. */
  readonly id: string | undefined;
  /** Only so many bytes of the input's JSON are sent, as when `max_tokens` is reached. */
  readonly cutAfter?: number;
}

/** What goes wrong while a message is on its way. Bytes are those of the response body. */
export type StreamFault =
  | { readonly kind: 'drop'; readonly atByte: number }
  | { readonly kind: 'close'; readonly atByte: number }
  | { readonly kind: 'stall'; readonly atByte: number; readonly pingEveryMs?: number; readonly released: Promise<void> }
  | { readonly kind: 'error'; readonly afterBlocks: number; readonly error: ApiError };

export interface ApiError {
  readonly type: string;
  readonly message: string;
}

export interface MessageReply {
  readonly kind: 'message';
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: StopReason;
  readonly stopDetails?: RefusalStopDetails;
  readonly fault?: StreamFault;
  /** Pause before each delta. */
  readonly msPerDelta?: number;
}

export interface HttpErrorReply {
  readonly kind: 'httpError';
  readonly status: number;
  readonly error: ApiError;
  readonly headers: Readonly<Record<string, string>>;
}

export type Reply = MessageReply | HttpErrorReply;

/** What a script may return: a reply, or just the block(s) of an ordinary message. */
export type Scripted = Reply | ReplyBlock | readonly ReplyBlock[];

export function text(content: string): ReplyBlock {
  return { type: 'text', text: content };
}

export function thinking(content: string): ReplyBlock {
  return { type: 'thinking', thinking: content };
}

export function redactedThinking(content: string): ReplyBlock {
  return { type: 'redacted_thinking', thinking: content };
}

export function toolUse(name: string, input: object, id?: string): ToolUseReply {
  return { type: 'tool_use', name, input, id };
}

/** A complete message. It stops for its tool calls if it has any, else because it is done, unless told otherwise. */
export function message(
  blocks: readonly ReplyBlock[],
  options: { readonly stop_reason?: StopReason } = {},
): MessageReply {
  const calls = blocks.some((block) => block.type === 'tool_use');
  return { kind: 'message', blocks, stopReason: options.stop_reason ?? (calls ? 'tool_use' : 'end_turn') };
}

/** Takes what a script returned for the reply that it stands for. */
export function toReply(scripted: Scripted): Reply {
  if ('kind' in scripted) return scripted;
  return message('type' in scripted ? [scripted] : scripted);
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export interface HttpErrorOptions {
  readonly type?: string;
  readonly message?: string;
  /** Seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** The `x-should-retry` header, which the SDK obeys. */
  readonly shouldRetry?: boolean;
}

/** An error instead of a message; type and message are the usual ones of the status when they are not given. */
export function httpError(status: number, options: HttpErrorOptions = {}): HttpErrorReply {
  const type = options.type ?? errorTypes[status] ?? 'api_error';
  const headers: Record<string, string> = {};
  if (options.retryAfter !== undefined) headers['retry-after'] = String(options.retryAfter);
  if (options.shouldRetry !== undefined) headers['x-should-retry'] = String(options.shouldRetry);
  return { kind: 'httpError', status, error: { type, message: options.message ?? type.replaceAll('_', ' ') }, headers };
}

/** A message that reached `max_tokens` inside of a tool call: only `jsonBytes` of the input arrive. */
export function maxTokensInside(
  call: ToolUseReply,
  jsonBytes: number,
  before: readonly ReplyBlock[] = [],
): MessageReply {
  if (jsonBytes >= Buffer.byteLength(JSON.stringify(call.input))) {
    throw new RangeError(`maxTokensInside: the input has no more than ${jsonBytes} bytes, nothing would be cut`);
  }
  return message([...before, { ...call, cutAfter: jsonBytes }], { stop_reason: 'max_tokens' });
}

/** A turn that the server paused in one of its own tools; the client sends it back as it is. */
export function pauseTurn(blocks: readonly ReplyBlock[] = []): MessageReply {
  const search: ReplyBlock = { type: 'server_tool_use', name: 'web_search', input: { query: 'more' } };
  return message([...blocks, search], { stop_reason: 'pause_turn' });
}

/** A refusal, after what was said until then. */
export function refusal(
  blocks: readonly ReplyBlock[] = [],
  details: Omit<RefusalStopDetails, 'type'> = { category: null, explanation: null },
): MessageReply {
  return {
    ...message(blocks, { stop_reason: 'refusal' }),
    stopDetails: { type: 'refusal', ...details },
  };
}
