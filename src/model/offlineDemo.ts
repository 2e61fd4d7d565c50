// The offline demo as a server that is not there: answers the Messages API in this process, behind the same client as
// the real one. Owns how the script's words are streamed; it must never know what they are.
import { setTimeout as wait } from 'node:timers/promises';
import { demoRequestSchema } from './demoConversation.ts';
import { nextDemoReply, type DemoReply } from './demoScript.ts';

/** What to give to `createAnthropicModel` beside the demo's fetch. */
export const offlineDemoEndpoint = { apiKey: 'offline-demo', baseURL: 'http://offline.demo' } as const;

export interface DemoFetchOptions {
  /** Milliseconds between the pieces of a few words. Default 20. */
  readonly delayMs?: number;
}

/** A `fetch` that answers POST /v1/messages with the script's next turn as an event stream, and needs no network. */
export function createDemoFetch({ delayMs = 20 }: DemoFetchOptions = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/messages') {
      return refusal(404, 'not_found_error', 'Not found');
    }
    const parsed = demoRequestSchema.safeParse(await request.json());
    if (!parsed.success) return refusal(400, 'invalid_request_error', parsed.error.message);
    const events = streamed(nextDemoReply(parsed.data), parsed.data.model, parsed.data.messages.length);
    return new Response(paced(events, delayMs, request.signal), {
      headers: { 'content-type': 'text/event-stream', 'request-id': 'req_offline_demo' },
    });
  };
}

function refusal(status: number, type: string, message: string): Response {
  return Response.json({ type: 'error', error: { type, message } }, { status });
}

interface DemoEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function* streamed(reply: DemoReply, model: string, turn: number): Generator<DemoEvent> {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const message = { id: `msg_demo_${String(turn)}`, type: 'message', role: 'assistant', model, content: [] };
  yield { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } };
  let index = 0;
  if (reply.text !== '') {
    yield { type: 'content_block_start', index, content_block: { type: 'text', text: '' } };
    for (const text of pieces(reply.text)) {
      yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
    }
    yield { type: 'content_block_stop', index };
    index += 1;
  }
  for (const { id, name, input } of reply.calls) {
    yield { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } };
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
    index += 1;
  }
  const stop_reason = reply.calls.length > 0 ? 'tool_use' : 'end_turn';
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 0 } };
  yield { type: 'message_stop' };
}

/** The text in pieces of up to three words, nothing lost. */
function pieces(text: string): readonly string[] {
  return text.match(/(?:\s*\S+){1,3}\s*$|(?:\s*\S+){1,3}/g) ?? [text];
}

/** The events as bytes, with a pause before each delta. An abort breaks the stream off at once. */
function paced(events: Iterator<DemoEvent>, delayMs: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = events.next();
        if (next.done === true) {
          controller.close();
          return;
        }
        if (delayMs > 0 && next.value.type === 'content_block_delta') await wait(delayMs, undefined, { signal });
        signal.throwIfAborted();
        controller.enqueue(encoder.encode(`event: ${next.value.type}\ndata: ${JSON.stringify(next.value)}\n\n`));
      },
    },
    { highWaterMark: 0 },
  );
}
