import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/core/events.ts';
import { namedParts } from '../../../src/core/heal.ts';
import { buildWithSources } from '../../../src/core/requestBuilder.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';
import { header, stamp } from './events.ts';

const settings = { model: 'claude-opus-4-8', takesSystemMessages: true };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const answered = (...ids: readonly string[]): NewEvent => ({
  type: 'assistant_message_completed',
  messageId: 'm',
  requestId: 'q',
  model: settings.model,
  content: [
    { type: 'text', text: 'I look.' },
    ...ids.map((id) => ({ type: 'tool_use' as const, id, name: 'read', input: {} })),
  ],
  stopReason: 'tool_use',
  usage,
});
const result = (stepId: string): NewEvent => ({
  type: 'step_finished',
  stepId,
  outcome: 'succeeded',
  content: `content of ${stepId}`,
  isError: false,
});
/** seq: 1 user, 2 answer, 3 and 4 results, 5 relaunch. */
const events: readonly NewEvent[] = [
  { type: 'user_message_added', messageId: 'u', text: 'Go.', origin: 'user' },
  answered('c1', 'c2'),
  result('c1'),
  result('c2'),
  { type: 'relaunch_prepared', runId: 'r', prompt: 'Go on.', context: '## State', placement: 'system' },
];
const built = (more: readonly NewEvent[] = []): ReturnType<typeof buildWithSources> =>
  buildWithSources(foldEvents(header, stamp([...events, ...more])).conversation, settings);

describe('heal: the part that a refusal names', () => {
  const rows: readonly (readonly [
    said: string,
    parts: readonly (readonly [number, number])[] | undefined,
    reason?: string,
  ])[] = [
    ['messages.2.content.1: image exceeds 5 MB maximum', [[4, 0]], 'image exceeds 5 MB maximum'],
    [
      'messages.2.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 5649924 bytes > 5242880 bytes',
      [[3, 0]],
      'image exceeds 5 MB maximum: 5649924 bytes > 5242880 bytes',
    ],
    ['messages.1.content.0.text: Input should be a valid string', [[2, 0]], 'Input should be a valid string'],
    ['messages.1.content.1.tool_use.id: String should match pattern', [[2, 1]]],
    ['messages.0: text is refused', [[1, 0]]],
    ['messages[0].content[0].text: no', [[1, 0]], 'no'],
    ['messages.4.content.0: not here', [[5, 1]]],
    // About the pairs of calls and results: the call is what goes, whichever of the two is named.
    ['messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: c2.', [[2, 2]]],
    ['messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: c2. Each', [[2, 2]]],
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after',
      [
        [2, 1],
        [2, 2],
      ],
    ],
    ['messages.9.content.0: nothing is there', undefined],
    ['messages.2.content.7: nothing is there', undefined],
    ['messages: at least one message is required', undefined],
    ['max_tokens: 9 > 8', undefined],
  ];
  for (const [said, parts, reason] of rows) {
    it(said, () => {
      const named = namedParts(said, built());
      assert.deepEqual(
        named?.parts.map(({ seq, block }) => [seq, block]),
        parts,
      );
      if (reason !== undefined) assert.equal(named?.reason, reason);
    });
  }

  it('has no record when it is words of the builder itself', () => {
    const noAnswer = buildWithSources(foldEvents(header, stamp([answered()])).conversation, settings);
    assert.equal(namedParts('messages.0.content.0: no', noAnswer), undefined);
  });
});

describe('heal: what is sent then', () => {
  const healed = (partSeq: number, partBlock: number): NewEvent => ({
    type: 'history_healed',
    requestId: 'q',
    partSeq,
    partBlock,
    reason: 'too large',
  });
  const sent = (...heals: readonly NewEvent[]): string[][] => {
    const { messages } = built(heals);
    const body = { model: settings.model, max_tokens: 9, messages };
    assert.deepEqual(validateRequest(body), undefined);
    return messages.map(({ role, content }) => [
      role,
      ...content.map((block) => {
        if (block.type === 'tool_use') return `call ${block.id}`;
        return block.type === 'tool_result'
          ? `result ${block.tool_use_id}: ${block.content}`
          : 'text' in block
            ? block.text
            : '';
      }),
    ]);
  };
  const left = '(This part is left out: the server refused it and said: too large)';

  it('has a placeholder for a text', () => {
    assert.deepEqual(sent(healed(1, 0))[0], ['user', left]);
    assert.deepEqual(sent(healed(2, 0))[1], ['assistant', left, 'call c1', 'call c2']);
  });

  it('has a placeholder in a result, which still answers its call', () => {
    assert.deepEqual(sent(healed(4, 0))[2], ['user', 'result c1: content of c1', `result c2: ${left}`]);
  });

  it('has a call and its result as text, behind the results that answer others', () => {
    const [, answer, results] = sent(healed(2, 1));
    assert.deepEqual(answer, ['assistant', 'I look.', left, 'call c2']);
    assert.deepEqual(results, [
      'user',
      'result c2: content of c2',
      'Result of the call of read that is left out:\ncontent of c1',
    ]);
    assert.equal(sent(healed(2, 1), healed(2, 2))[2]?.length, 3);
  });

  it('has no system message when that was refused: it may be its place', () => {
    assert.deepEqual(sent(healed(5, 1)).at(-1), ['user', 'Go on.', left]);
  });
});
