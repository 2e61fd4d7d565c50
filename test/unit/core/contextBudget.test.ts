import assert from 'node:assert/strict';
import {
  compactionThreshold,
  contextSize,
  estimateTokens,
  inputLimit,
  planContext,
  type ContextPlan,
} from '../../../src/core/contextBudget.ts';
import type { CompactionTrigger, NewEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import type { ConversationEvent } from '../../../src/core/sessionState.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from './events.ts';

const limits = { window: 100_000, maxTokens: 10_000 };
const prompt = { system: 'You work.', tools: [] };
const user = (text = 'Go.'): NewEvent => ({ ...oneOfEach.user_message_added, text });
const result = (id: string, length: number): NewEvent => ({
  type: 'step_finished',
  stepId: id,
  outcome: 'succeeded',
  content: 'x'.repeat(length),
  isError: false,
});
/** A turn whose answer counted so many tokens of input, and whose result has so many characters. */
const turn = (id: string, length: number, inputTokens = 0): NewEvent[] => [
  {
    ...oneOfEach.assistant_message_completed,
    content: [{ type: 'tool_use', id, name: 'read', input: {} }],
    usage: { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  },
  result(id, length),
];
const conversation = (...events: readonly NewEvent[]): readonly ConversationEvent[] =>
  foldEvents(header, stamp(events)).conversation;
const plan = (
  events: readonly ConversationEvent[],
  size = contextSize(events, prompt).tokens,
  wanted?: CompactionTrigger,
): ContextPlan => planContext(events, prompt, size, limits, wanted);

describe('context budget: the size of a conversation', () => {
  it('is what the last answer counted and an estimate of what came after it', () => {
    const size = contextSize(conversation(user(), ...turn('c1', 300, 5_000), user('abc'.repeat(100))), prompt);
    assert.equal(size.counted, 5_000);
    assert.ok(size.tokens >= 5_200 && size.tokens < 5_300, String(size.tokens));
  });

  it('is estimated whole before the first answer', () => {
    const size = contextSize(conversation(user('abc'.repeat(1_000))), prompt);
    assert.equal(size.counted, 0);
    assert.ok(size.tokens >= 1_000);
  });

  it('is what a compaction or a trim left, until an answer counts again', () => {
    const compacted = { ...oneOfEach.history_compacted, uptoSeq: 2, tokensAfter: 9_000 };
    assert.equal(contextSize(conversation(user(), ...turn('c1', 3, 80_000), compacted), prompt).tokens, 9_000);
    const trimmed = { ...oneOfEach.results_trimmed, tokensAfter: 40_000 };
    assert.equal(contextSize(conversation(user(), ...turn('c1', 3, 80_000), trimmed), prompt).tokens, 40_000);
  });

  it('is never believed to be less than any text has, when a server counts nothing or only a part', () => {
    const size = contextSize(conversation(user(), ...turn('c1', 300_000), ...turn('c2', 0, 7)), prompt);
    assert.ok(size.tokens >= 60_000);
  });

  it('counts every character outside of ASCII as a token: rather too many than too few', () => {
    assert.equal(estimateTokens('abcdef'), 2);
    assert.equal(estimateTokens('日本語'), 3);
  });
});

describe('context budget: what has to be done', () => {
  const many = (count: number, length: number): NewEvent[] =>
    Array.from({ length: count }, (_, index) => turn(`c${String(index)}`, length)).flat();

  it('is nothing while there is room', () => {
    assert.deepEqual(plan(conversation(user(), ...many(10, 1_000))), { kind: 'send' });
    assert.ok(compactionThreshold(limits) < inputLimit(limits) && inputLimit(limits) < limits.window - 10_000);
  });

  it('is to shorten old results from half of the window on, when that makes room worth it, and not the last ones', () => {
    const events = conversation(user(), ...many(60, 4_000));
    assert.deepEqual(plan(events, 49_000), { kind: 'send' });
    const trim = plan(events, 51_000);
    assert.ok(trim.kind === 'trim');
    assert.ok(trim.tokensBefore - trim.tokensAfter >= 20_000);
    const kept = events.filter(({ type, seq }) => type === 'step_finished' && seq > trim.uptoSeq).length;
    assert.ok(kept >= 8 && kept < 20, String(kept));
    // Once it was done it is not done again for little.
    const { kind: _kind, ...record } = trim;
    const after = conversation(user(), ...many(60, 4_000), { type: 'results_trimmed', ...record }, ...many(1, 4_000));
    assert.deepEqual(plan(after, 51_000), { kind: 'send' });
  });

  it('is to compact above the threshold, at the beginning of a turn, with the last turns kept whole', () => {
    const events = conversation(user(), ...many(80, 900));
    const compact = plan(events, compactionThreshold(limits) + 1);
    assert.ok(compact.kind === 'compact');
    const first = events.find(({ seq }) => seq > compact.uptoSeq);
    assert.equal(first?.type, 'assistant_message_completed');
    assert.ok(events.filter(({ seq }) => seq > compact.uptoSeq).length > 10);
    assert.deepEqual(plan(events, compactionThreshold(limits)), { kind: 'send' });
  });

  it('is to shorten even the last result when that alone is too long, and nothing when it is no use', () => {
    const events = conversation(user(), ...turn('c1', 400_000));
    const trim = plan(events, 130_000);
    assert.ok(trim.kind === 'trim' && trim.keep === 4_000 && trim.uptoSeq === 3, JSON.stringify(trim));
    assert.deepEqual(plan(conversation(user('x'.repeat(400_000))), 130_000), { kind: 'full', tokens: 130_000 });
  });

  it('is what is wanted: the user has it at any size, a server that refused gets room in any case', () => {
    const events = conversation(user(), ...many(80, 900));
    assert.equal(plan(events, 10, 'user').kind, 'compact');
    assert.equal(plan(events, 10, 'window_full').kind, 'compact');
    const short = conversation(user(), ...turn('c1', 9_000));
    assert.equal(plan(short, 4_000, 'user').kind, 'send');
    assert.equal(plan(short, 4_000, 'window_full').kind, 'trim');
  });

  it('never summarises the last answer, which may have calls that are still open', () => {
    const events = conversation(user(), ...many(5, 90_000));
    const compact = plan(events, 95_000, 'user');
    assert.ok(compact.kind === 'compact');
    assert.equal(
      events.filter(({ seq, type }) => seq > compact.uptoSeq && type === 'assistant_message_completed').length,
      1,
    );
  });
});
