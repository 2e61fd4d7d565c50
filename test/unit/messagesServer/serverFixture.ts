// A server and real clients for the tests of one describe block; everything is closed after each test.
import Anthropic from '@anthropic-ai/sdk';
import type { MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Scripted } from '../../support/messagesServer/reply.ts';
import {
  startMessagesServer,
  type MessagesServer,
  type MessagesServerOptions,
} from '../../support/messagesServer/startMessagesServer.ts';

export interface ServerFixture {
  readonly server: MessagesServer;
  readonly client: Anthropic;
}

/** A client of this server that neither retries nor logs. */
export function clientOf(server: MessagesServer, apiKey = server.apiKey): Anthropic {
  return new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0, logLevel: 'off' });
}

/** Gives each test of the block a server of its own. */
export function useServer(options: MessagesServerOptions = {}): () => ServerFixture {
  let fixture: ServerFixture | undefined;
  beforeEach(async () => {
    const server = await startMessagesServer(options);
    fixture = { server, client: clientOf(server) };
  });
  afterEach(() => fixture?.server.close());
  return () => {
    if (fixture === undefined) throw new Error('only inside of a test');
    return fixture;
  };
}

export const question = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1024,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

/** What a client got of a stream: the events, and the error that ended it if one did. */
export interface Received {
  readonly events: readonly MessageStreamEvent[];
  readonly error: unknown;
}

/** Asks, and reads the stream to its end. */
export async function receive({ server, client }: ServerFixture, reply: Scripted): Promise<Received> {
  server.script = () => reply;
  const events: MessageStreamEvent[] = [];
  try {
    const stream = await client.messages.create({ ...question, stream: true });
    for await (const event of stream) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

/** The raw text of a stream, as it came over the wire. */
export async function rawStream({ server }: ServerFixture, reply: Scripted): Promise<string> {
  server.script = () => reply;
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': server.apiKey, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, stream: true }),
  });
  return response.text();
}
