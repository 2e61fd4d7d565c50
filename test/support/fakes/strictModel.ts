// A model in this process that takes and refuses what the strict server would, without the way over HTTP: for sessions of
// thousands of turns. It remembers what it was asked, and must never know about sessions.
import { ModelError, type ModelPort } from '../../../src/runner/ports.ts';
import { silentLog } from '../../../src/model/log.ts';
import { createMessageAssembly } from '../../../src/model/messageAssembly.ts';
import { refusalError } from '../../../src/model/modelFailure.ts';
import { eventsOf } from '../messagesServer/messageEvents.ts';
import { createPromptCache } from '../messagesServer/promptCache.ts';
import { toReply, type Scripted } from '../messagesServer/reply.ts';
import type { MessagesBody } from '../messagesServer/requestSchema.ts';
import { estimatePrompt } from '../messagesServer/tokens.ts';
import { readCountTokensRequest, readMessagesRequest } from '../messagesServer/validateRequest.ts';
import { defaultRules, type ValidationRules } from '../messagesServer/validationRules.ts';

export interface StrictModelOptions {
  readonly rules?: Partial<ValidationRules>;
  /** Decides the answer from the request alone, as the script of the server does. */
  readonly script: (body: MessagesBody) => Scripted;
  /** Whether tokens are counted when that is asked. */
  readonly counts?: boolean;
}

export interface StrictModel extends ModelPort {
  /** What validation refused: must be empty, since a script refuses by an error of its own. */
  readonly refused: readonly string[];
  readonly usage: { readonly read: number; readonly written: number };
  /** How often tokens were counted. */
  readonly counted: number;
}

export function createStrictModel({ rules, script, counts = true }: StrictModelOptions): StrictModel {
  const all: ValidationRules = { ...defaultRules, ...rules };
  const cache = createPromptCache();
  const refused: string[] = [];
  const usage = { read: 0, written: 0 };
  let number = 0;
  let counted = 0;
  const refusal = (status: number, type: string, message: string, model: string): ModelError =>
    refusalError(
      { status, type, message, errorCode: null, retryAfterMs: undefined, cause: new Error(message) },
      { baseURL: 'http://localhost', model, now: 0 },
    );
  return {
    refused,
    usage,
    get counted() {
      return counted;
    },
    countTokens: async (request) => {
      if (!counts) return undefined;
      counted += 1;
      const { max_tokens: _max, cache_control: _mark, ...body } = request;
      const read = readCountTokensRequest(JSON.stringify(body), all);
      if (!read.ok) refused.push(read.error.message);
      return read.ok ? estimatePrompt(read.body) : undefined;
    },
    stream: async (request, { onDelta, signal }) => {
      signal.throwIfAborted();
      const read = readMessagesRequest(JSON.stringify({ ...request, stream: true }), all);
      if (!read.ok) {
        refused.push(read.error.message);
        throw refusal(read.error.status, read.error.type, read.error.message, request.model);
      }
      const { body } = read;
      const reply = toReply(script(body));
      if (reply.kind === 'httpError') throw refusal(reply.status, reply.error.type, reply.error.message, request.model);
      number += 1;
      const inputUsage = cache.use(body);
      usage.read += inputUsage.cache_read_input_tokens ?? 0;
      usage.written += inputUsage.cache_creation_input_tokens ?? 0;
      const assembly = createMessageAssembly({
        model: request.model,
        onDelta,
        log: silentLog,
        onError: ({ message }) => refusal(500, 'api_error', message ?? '', request.model),
      });
      const context = { id: `msg_${String(number)}`, body, signingKey: all.signingKey, inputUsage };
      for (const event of eventsOf(reply, context)) assembly.accept(event);
      // Later, as an answer over a wire is.
      await Promise.resolve();
      signal.throwIfAborted();
      return assembly.finish();
    },
  };
}
