// Puts the events of one streamed answer together to a complete message. Thinking and its signature are kept byte for
// byte. It must never know where the events come from, nor decide what is done about a failure.
import { ZodError, z } from 'zod';
import { unreachable } from '../core/errors.ts';
import { jsonObjectSchema, noUsage, type AssistantBlock, type Usage } from '../core/messages.ts';
import { ModelError, type CompletedMessage, type StreamDelta } from '../runner/ports.ts';
import type { ModelLog } from './log.ts';
import {
  readDelta,
  readEvent,
  readStartBlock,
  type BlockDelta,
  type StartBlock,
  type StreamEvent,
  type WireUsage,
} from './streamEvents.ts';

/** Stop reasons with which the last block may have been cut anywhere. */
const cutReasons: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

/** Words of other APIs for the same, which a gateway may pass on as they are. */
const sameReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};
/** A message that ends so and has whole calls waits for their results, whatever its server calls that. */
const ordinaryEnds: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence']);

type OpenBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly given: unknown; json: string }
  | { readonly type: 'left_out' };

export interface MessageAssembly {
  /**
   * Takes the next event.
   * @throws ModelError retryable `bad_response` when it does not fit; what `onError` makes of an `error` event
   */
  accept(value: unknown): void;
  /** `message_stop` and a stop reason were both seen. */
  isComplete(): boolean;
  /**
   * The whole message. The last block is left out when it is a tool call and the stop reason is one that cuts
   * (`max_tokens`, a full context window, a refusal): such a call may parse and still be half of what was meant, so it
   * is left out always. Nothing may remain; `content` is empty then.
   * @throws ModelError retryable: `stream_cut` before the message is complete, `malformed_tool_input`
   */
  finish(): CompletedMessage;
}

export interface AssemblyOptions {
  /** The model that was asked, for servers that do not name the one that answered. */
  readonly model: string;
  readonly onDelta: (delta: StreamDelta) => void;
  readonly onError: (error: { readonly type: string | null; readonly message: string | null }) => ModelError;
  readonly log: ModelLog;
}

export function createMessageAssembly({ model, onDelta, onError, log }: AssemblyOptions): MessageAssembly {
  const blocks = new Map<number, OpenBlock>();
  let answeringModel = model;
  let usage: Usage = noUsage;
  let stopReason: string | undefined;
  let stopped = false;

  const take = (event: StreamEvent): void => {
    switch (event.type) {
      case 'message_start':
        answeringModel = event.message.model ?? model;
        usage = mergedUsage(usage, event.message.usage);
        return;
      case 'content_block_start': {
        const started = readStartBlock(event.content_block);
        if (!started) log.warn(`A block of the unknown type "${event.content_block.type}" was left out of the answer.`);
        blocks.set(event.index, started ? opened(started) : { type: 'left_out' });
        announceStart(started, event.index);
        return;
      }
      case 'content_block_delta': {
        const block = blocks.get(event.index);
        if (!block) throw badResponse(`a delta for block ${String(event.index)}, which was not started`);
        const delta = block.type === 'left_out' ? undefined : readDelta(event.delta);
        if (!delta) return;
        grow(block, delta);
        announceDelta(delta, event.index);
        return;
      }
      case 'content_block_stop':
        return;
      case 'message_delta':
        stopReason = stopReasonIn(event.delta.stop_reason) ?? stopReason;
        usage = mergedUsage(usage, event.usage);
        return;
      case 'message_stop':
        stopped = true;
        return;
      case 'error':
        throw onError({ type: event.error.type ?? null, message: event.error.message ?? null });
      default:
        unreachable(event);
    }
  };

  const announceStart = (started: StartBlock | undefined, index: number): void => {
    if (started?.type === 'tool_use') onDelta({ kind: 'tool', index, name: started.name, id: started.id });
    if (started?.type === 'text' && started.text !== '') onDelta({ kind: 'text', index, text: started.text });
    if (started?.type === 'thinking' && started.thinking !== '') {
      onDelta({ kind: 'thinking', index, text: started.thinking });
    }
  };

  const announceDelta = (delta: BlockDelta, index: number): void => {
    if (delta.type === 'text_delta' && delta.text !== '') onDelta({ kind: 'text', index, text: delta.text });
    if (delta.type === 'thinking_delta' && delta.thinking !== '') {
      onDelta({ kind: 'thinking', index, text: delta.thinking });
    }
  };

  return {
    accept: (value) => {
      const read = readEvent(value);
      if (read.kind === 'invalid') throw badResponse(read.reason);
      if (read.kind === 'unknown') {
        log.debug(`An event of the unknown type "${read.type}" was left out.`);
        return;
      }
      try {
        take(read.event);
      } catch (error) {
        if (error instanceof ZodError) throw badResponse(z.prettifyError(error));
        throw error;
      }
    },
    isComplete: () => stopped && stopReason !== undefined,
    finish: () => {
      if (!stopped || stopReason === undefined) {
        throw retryable('stream_cut', 'The answer ended before it was complete.');
      }
      const ordered = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
      if (cutReasons.has(stopReason) && ordered.at(-1)?.type === 'tool_use') ordered.pop();
      const content = ordered.flatMap(closed);
      const asksForTools = ordinaryEnds.has(stopReason) && content.some(({ type }) => type === 'tool_use');
      return { content, stopReason: asksForTools ? 'tool_use' : stopReason, usage, model: answeringModel };
    },
  };
}

/** Undefined for none, null and blank: such an answer has not come to its end. */
function stopReasonIn(given: string | null | undefined): string | undefined {
  const reason = given?.trim() ?? '';
  if (reason === '') return undefined;
  return Object.hasOwn(sameReasons, reason) ? sameReasons[reason] : reason;
}

function opened(block: StartBlock): OpenBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, given: block.input, json: '' };
    default:
      return unreachable(block);
  }
}

function grow(block: OpenBlock, delta: BlockDelta): void {
  if (block.type === 'text' && delta.type === 'text_delta') block.text += delta.text;
  else if (block.type === 'thinking' && delta.type === 'thinking_delta') block.thinking += delta.thinking;
  else if (block.type === 'thinking' && delta.type === 'signature_delta') block.signature = delta.signature;
  else if (block.type === 'tool_use' && delta.type === 'input_json_delta') block.json += delta.partial_json;
  else throw badResponse(`a ${delta.type} in a block of the type ${block.type}`);
}

function closed(block: OpenBlock): AssistantBlock[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'thinking':
      return [{ type: 'thinking', thinking: block.thinking, signature: block.signature }];
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: block.data }];
    case 'tool_use':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: toolInput(block) }];
    case 'left_out':
      return [];
    default:
      return unreachable(block);
  }
}

function toolInput(block: Extract<OpenBlock, { type: 'tool_use' }>): Record<string, unknown> {
  const malformed = (cause: unknown): ModelError =>
    retryable('malformed_tool_input', `The model called ${block.name} with input that cannot be read.`, cause);
  let value: unknown;
  try {
    // Some servers give the whole input with the start of the block and send no pieces.
    value = block.json === '' ? (block.given ?? {}) : JSON.parse(block.json);
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed(error);
    throw error;
  }
  const parsed = jsonObjectSchema.safeParse(value);
  if (!parsed.success) throw malformed(parsed.error);
  return parsed.data;
}

/** Counts are totals so far: a later one replaces an earlier one. */
function mergedUsage(before: Usage, wire: WireUsage | null | undefined): Usage {
  if (!wire) return before;
  return {
    inputTokens: wire.input_tokens ?? before.inputTokens,
    outputTokens: wire.output_tokens ?? before.outputTokens,
    cacheReadTokens: wire.cache_read_input_tokens ?? before.cacheReadTokens,
    cacheWriteTokens: wire.cache_creation_input_tokens ?? before.cacheWriteTokens,
  };
}

function badResponse(what: string): ModelError {
  return retryable('bad_response', 'The server sent an answer that cannot be read.', new Error(`Unexpected: ${what}`));
}

function retryable(code: string, message: string, cause?: unknown): ModelError {
  return new ModelError({ kind: 'retryable', code, message }, cause === undefined ? undefined : { cause });
}
