// Turns a reply into what the API sends: the events of a stream in their order, or one JSON message. Pure. It must know
// nothing of sockets, faults or time.
import type {
  ContentBlock,
  Message,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  Usage,
} from '@anthropic-ai/sdk/resources/messages';
import type { MessageReply, ReplyBlock } from './reply.ts';
import type { MessagesBody } from './requestSchema.ts';
import { redactThinking, signThinking } from './signatures.ts';
import { estimateTokens } from './tokens.ts';
import { assignIds } from './toolUseIds.ts';

export type StreamEvent = RawMessageStreamEvent | { readonly type: 'ping' };

export interface MessageContext {
  readonly id: string;
  readonly body: MessagesBody;
  readonly signingKey: string;
  readonly inputUsage: Pick<Usage, 'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens'>;
}

/** One block as it is in the complete message, and the deltas that make it. */
interface SentBlock {
  readonly complete: ContentBlock;
  readonly start: ContentBlock;
  readonly deltas: readonly RawContentBlockDelta[];
}

const smallestPiece = 12;
const mostPieces = 100;

/** Cuts `whole` into pieces of whole code points. */
function pieces(whole: string): readonly string[] {
  const points = Array.from(whole);
  const size = Math.max(smallestPiece, Math.ceil(points.length / mostPieces));
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += size) cut.push(points.slice(at, at + size).join(''));
  return cut;
}

function firstBytes(json: string, bytes: number): string {
  let kept = '';
  let size = 0;
  for (const point of json) {
    size += Buffer.byteLength(point);
    if (size > bytes) break;
    kept += point;
  }
  return kept;
}

function jsonDeltas(json: string): readonly RawContentBlockDelta[] {
  // The API begins each input with an empty piece.
  return ['', ...pieces(json)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function sentBlock(block: ReplyBlock, id: string | undefined, context: MessageContext): SentBlock {
  const { model, thinking: settings } = context.body;
  switch (block.type) {
    case 'text': {
      const start = { type: 'text', text: '', citations: null } as const;
      const deltas = pieces(block.text).map((text) => ({ type: 'text_delta', text }) as const);
      return { start, deltas, complete: { ...start, text: block.text } };
    }
    case 'thinking': {
      const isHidden = settings !== undefined && 'display' in settings && settings.display === 'omitted';
      const thinking = isHidden ? '' : block.thinking;
      const signature = signThinking(context.signingKey, model, thinking);
      const start = { type: 'thinking', thinking: '', signature: '' } as const;
      const deltas = pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }) as const);
      return {
        start,
        deltas: [...deltas, { type: 'signature_delta', signature }],
        complete: { ...start, thinking, signature },
      };
    }
    case 'redacted_thinking': {
      const data = redactThinking(context.signingKey, model, block.thinking);
      const complete = { type: 'redacted_thinking', data } as const;
      return { start: complete, deltas: [], complete };
    }
    case 'tool_use': {
      const json = JSON.stringify(block.input);
      const start = {
        type: 'tool_use',
        id: id ?? '',
        name: block.name,
        input: {},
        caller: { type: 'direct' },
      } as const;
      const isCut = block.cutAfter !== undefined;
      const sent = isCut ? firstBytes(json, block.cutAfter) : json;
      return { start, deltas: jsonDeltas(sent), complete: isCut ? start : { ...start, input: block.input } };
    }
    case 'server_tool_use': {
      const start = {
        type: 'server_tool_use',
        id: id ?? '',
        name: 'web_search',
        input: {},
        caller: { type: 'direct' },
      } as const;
      return { start, deltas: jsonDeltas(JSON.stringify(block.input)), complete: { ...start, input: block.input } };
    }
    default:
      return block satisfies never;
  }
}

function sentBlocks(reply: MessageReply, context: MessageContext): readonly SentBlock[] {
  const ids = assignIds(context.body.messages, reply.blocks);
  return reply.blocks.map((block, index) => sentBlock(block, ids[index], context));
}

function emptyMessage(context: MessageContext): Message {
  return {
    id: context.id,
    type: 'message',
    role: 'assistant',
    model: context.body.model,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: {
      ...context.inputUsage,
      cache_creation: null,
      inference_geo: null,
      output_tokens: 1,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: 'standard',
      speed: null,
    },
  };
}

function outputTokens(reply: MessageReply): number {
  return reply.blocks.reduce((sum, block) => sum + estimateTokens(block), 0);
}

/** The complete message, as it is answered without `stream`. */
export function messageOf(reply: MessageReply, context: MessageContext): Message {
  const empty = emptyMessage(context);
  return {
    ...empty,
    content: sentBlocks(reply, context).map(({ complete }) => complete),
    stop_reason: reply.stopReason,
    stop_details: reply.stopDetails ?? null,
    usage: { ...empty.usage, output_tokens: outputTokens(reply) },
  };
}

/** The events of the message in the order in which they are sent, with one ping where the API has its first. */
export function eventsOf(reply: MessageReply, context: MessageContext): readonly StreamEvent[] {
  const events: StreamEvent[] = [{ type: 'message_start', message: emptyMessage(context) }];
  sentBlocks(reply, context).forEach(({ start, deltas }, index) => {
    events.push({ type: 'content_block_start', index, content_block: start });
    if (index === 0) events.push({ type: 'ping' });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  });
  events.push({
    type: 'message_delta',
    delta: {
      container: null,
      stop_reason: reply.stopReason,
      stop_sequence: null,
      stop_details: reply.stopDetails ?? null,
    },
    usage: {
      ...context.inputUsage,
      output_tokens: outputTokens(reply),
      output_tokens_details: null,
      server_tool_use: null,
    },
  });
  events.push({ type: 'message_stop' });
  return events;
}
