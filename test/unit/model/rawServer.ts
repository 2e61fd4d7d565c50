// A server that answers with exactly the bytes a test wants, for what no proper server sends. It knows no API.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { ModelRequest } from '../../../src/core/messages.ts';

export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawServer {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  close(): Promise<void>;
}

export async function startRawServer(
  answer: (response: ServerResponse, request: RawRequest) => void,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    requests,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Events in the wire format. */
export function sse(...events: readonly WireEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

export const startEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'served-model',
    usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 5 },
  },
};
export const stopEvents = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

export function textEvents(index: number, ...pieces: readonly string[]): readonly WireEvent[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ...pieces.map((text) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index },
  ];
}

export const simpleRequest: ModelRequest = {
  model: 'claude-opus-4-8',
  max_tokens: 1000,
  thinking: { type: 'adaptive' },
  cache_control: { type: 'ephemeral' },
  system: [{ type: 'text', text: 'You are tested.' }],
  tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: { z: {}, a: {} } } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello, wörld 🌍' }] }],
};
