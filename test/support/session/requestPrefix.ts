// Compares the bytes of requests: whether one goes on exactly where another one ended. Knows nothing of sessions.
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { RecordedRequest } from '../messagesServer/requestLog.ts';
import { isSummaryRequest } from './summaryRequests.ts';

const bodySchema = z.object({ messages: z.array(z.unknown()).min(1) });

/** Everything of a request's bytes from the beginning to the end of its last message. */
export function bytesToLastMessage(request: RecordedRequest): string {
  return bytesTo(request, bodySchema.parse(request.body).messages);
}

/** The same without the words that ask for a summary, which no later request has. */
export function bytesOfConversation(request: RecordedRequest): string {
  const { messages } = bodySchema.parse(request.body);
  return bytesTo(request, isSummaryRequest({ messages }) ? messages.slice(0, -1) : messages);
}

function bytesTo(request: RecordedRequest, part: readonly unknown[]): string {
  const messages = JSON.stringify(part).slice(0, -1);
  const at = request.raw.indexOf(messages);
  assert.ok(at > 0, 'the messages were not found in the bytes of the request');
  return request.raw.slice(0, at + messages.length);
}

/** Fails unless `resumed` begins with the bytes of `cut` (system, tools and messages) and has more messages. */
export function assertContinues(resumed: RecordedRequest, cut: RecordedRequest): void {
  const prefix = bytesToLastMessage(cut);
  assert.ok(prefix.includes('"system":') && prefix.includes('"tools":'), 'system and tools come before the messages');
  assert.equal(resumed.raw.slice(0, prefix.length), prefix);
  assert.ok(resumed.raw.length > cut.raw.length, 'nothing was added');
}
