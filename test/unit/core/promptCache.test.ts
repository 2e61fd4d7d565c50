import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/core/events.ts';
import { buildRequest, type RequestSettings } from '../../../src/core/requestBuilder.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { createPromptCache } from '../../support/messagesServer/promptCache.ts';
import { messagesSchema } from '../../support/messagesServer/requestSchema.ts';
import { header, stamp } from './events.ts';

const settings: RequestSettings = {
  model: 'claude-opus-4-8',
  thinking: 'adaptive',
  effort: 'high',
  maxTokens: 1_000,
  takesSystemMessages: true,
};
const prompt = { system: 'You work.', tools: [] };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

function turn(n: number, calls: number): readonly NewEvent[] {
  const ids = Array.from({ length: calls }, (_, at) => `c${n}-${at}`);
  return [
    {
      type: 'assistant_message_completed',
      messageId: `m${n}`,
      requestId: `q${n}`,
      model: settings.model,
      content: [
        { type: 'text', text: `Turn ${n}.` },
        ...ids.map((id) => ({ type: 'tool_use' as const, id, name: 'look', input: { n } })),
      ],
      stopReason: 'tool_use',
      usage,
    },
    ...ids.map((stepId) => ({
      type: 'step_finished' as const,
      stepId,
      outcome: 'succeeded' as const,
      content: `Result ${stepId}`,
      isError: false,
    })),
  ];
}

const first: NewEvent = { type: 'user_message_added', messageId: 'u', text: 'Go.', origin: 'user' };
const relaunch = (placement: 'system' | 'user'): NewEvent => ({
  type: 'relaunch_prepared',
  runId: 'r2',
  prompt: 'Go on.',
  context: 'What is there.',
  placement,
});

describe('the prompt cache', () => {
  const cache = createPromptCache();
  const ask = (events: readonly NewEvent[]) => {
    const request = buildRequest(foldEvents(header, stamp([...events])).conversation, prompt, settings);
    return cache.use(messagesSchema.parse(request));
  };

  it('is hit by each request of 300 turns, and by each resume among them, with all that was sent before', function () {
    this.timeout(60_000);
    const events: NewEvent[] = [first];
    let sent = ask(events).cache_creation_input_tokens ?? 0;
    for (let n = 1; n <= 300; n++) {
      events.push(...turn(n, 1 + (n % 4)));
      if (n % 50 === 0) events.push(relaunch(n % 100 === 0 ? 'system' : 'user'));
      const used = ask(events);
      assert.equal(used.cache_read_input_tokens, sent, `turn ${n}`);
      sent += used.cache_creation_input_tokens ?? 0;
    }
  });

  it('is missed once by a turn of more than twenty blocks, and hit again by the next', () => {
    const events: NewEvent[] = [first];
    ask(events);
    events.push(...turn(1, 15));
    assert.equal(ask(events).cache_read_input_tokens, 0);
    events.push(...turn(2, 1));
    assert.ok((ask(events).cache_read_input_tokens ?? 0) > 0);
  });
});
