import assert from 'node:assert/strict';
import type { AssistantBlock, RequestMessage } from '../../../src/core/messages.ts';
import type { NewEvent } from '../../../src/core/events.ts';
import {
  buildMessages,
  buildRequest,
  lostBeginning,
  unansweredTurn,
  unknownOutcome,
} from '../../../src/core/requestBuilder.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from './events.ts';

const e = oneOfEach;
const model = e.assistant_message_completed.model;
const user = (text: string): NewEvent => ({ type: 'user_message_added', messageId: 'm1', text, origin: 'user' });
const assistant = (content: readonly AssistantBlock[], stopReason = 'end_turn'): NewEvent => ({
  ...e.assistant_message_completed,
  content: [...content],
  stopReason,
});
const text = (value: string): AssistantBlock => ({ type: 'text', text: value });
const call = (id: string): AssistantBlock => ({ type: 'tool_use', id, name: 'read', input: {} });
const thinking: AssistantBlock = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
const result = (stepId: string, content = 'ok', isError = false): NewEvent => ({
  type: 'step_finished',
  stepId,
  outcome: isError ? 'failed' : 'succeeded',
  content,
  isError,
});

function messages(events: readonly NewEvent[], settings = { model, takesSystemMessages: true }): RequestMessage[] {
  return buildMessages(foldEvents(header, stamp(events)).conversation, settings);
}
/** "user: text | tool_result c1", one line a message. */
function outline(
  events: readonly NewEvent[],
  settings?: { readonly model: string; readonly takesSystemMessages: boolean },
): string[] {
  return messages(events, settings).map(({ role, content }) => {
    const parts = content.map((block) => {
      if (block.type === 'text') return block.text.split('\n', 1)[0];
      if (block.type === 'tool_use') return `call ${block.id}`;
      return block.type === 'tool_result' ? `${block.is_error ? 'error' : 'result'} ${block.tool_use_id}` : block.type;
    });
    return `${role}: ${parts.join(' | ')}`;
  });
}

describe('request: the body', () => {
  it('has its keys in a fixed order, and thinking only when it is on', () => {
    const prompt = { system: 'You work.', tools: e.prompt_set.tools };
    const settings = { model, thinking: 'adaptive', maxTokens: 9, takesSystemMessages: true } as const;
    assert.equal(
      JSON.stringify(buildRequest(foldEvents(header, stamp([user('Go.')])).conversation, prompt, settings)),
      '{"model":"claude-opus-4-8","max_tokens":9,"thinking":{"type":"adaptive"},"cache_control":{"type":"ephemeral"},' +
        '"system":[{"type":"text","text":"You work."}],"tools":[{"name":"read","description":"Reads.","input_schema":{"type":"object"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"Go."}]}]}',
    );
    assert.ok(!('thinking' in buildRequest([], prompt, { ...settings, thinking: 'off' })));
  });
});

describe('request: the repair of a conversation', () => {
  it('answers every call in the next message, with the result wherever it stands, also in the middle', () => {
    const events = [
      user('Go.'),
      assistant([call('c1'), call('c2')], 'tool_use'),
      user('Never mind.'),
      result('c2', 'two', true),
      result('c1'),
      assistant([text('Fine.')]),
      user('More.'),
    ];
    assert.deepEqual(outline(events), [
      'user: Go.',
      'assistant: call c1 | call c2',
      'user: result c1 | error c2',
      'user: Never mind.',
      'assistant: Fine.',
      'user: More.',
    ]);
  });

  it('answers a call whose end was never recorded honestly', () => {
    const [, , answer] = messages([user('Go.'), assistant([call('c1')], 'tool_use')]);
    assert.deepEqual(answer?.content, [
      { type: 'tool_result', tool_use_id: 'c1', content: unknownOutcome, is_error: true },
    ]);
  });

  it('takes the first of two results, and sends none that nobody asked for', () => {
    const built = messages([
      user('Go.'),
      assistant([call('c1')], 'tool_use'),
      result('c1', 'first'),
      result('c1', 'second'),
      result('stray'),
    ]);
    assert.equal(built.length, 3);
    assert.match(JSON.stringify(built[2]), /first/);
  });

  it('never sends a call id twice', () => {
    const events = [
      user('Go.'),
      assistant([call('c1')], 'tool_use'),
      result('c1'),
      assistant([text('Again.'), call('c1')], 'tool_use'),
      result('c1'),
    ];
    assert.deepEqual(outline(events), [
      'user: Go.',
      'assistant: call c1',
      'user: result c1',
      'assistant: Again.',
      'user: Continue.',
    ]);
  });

  it('says something for a result that says nothing', () => {
    assert.match(
      JSON.stringify(messages([user('Go.'), assistant([call('c1')], 'tool_use'), result('c1', ' \n')])),
      /\(no output\)/,
    );
  });

  it('keeps thinking byte for byte for the model that made it and leaves it out for any other', () => {
    const events = [
      user('Go.'),
      assistant([thinking, { type: 'redacted_thinking', data: 'x' }, text('So.')]),
      user('More.'),
    ];
    assert.deepEqual(outline(events)[1], 'assistant: thinking | redacted_thinking | So.');
    assert.deepEqual(messages(events)[1]?.content[0], thinking);
    assert.deepEqual(outline(events, { model: 'claude-opus-5-5', takesSystemMessages: true })[1], 'assistant: So.');
  });

  it('leaves out thinking without a signature, and thinking that leads to nothing', () => {
    const unsigned: AssistantBlock = { ...thinking, signature: '' };
    assert.equal(outline([user('Go.'), assistant([unsigned, text('So.')]), user('x')])[1], 'assistant: So.');
    assert.equal(
      outline([user('Go.'), assistant([thinking, text('So.'), thinking, text(' ')]), user('x')])[1],
      'assistant: thinking | So.',
    );
    assert.deepEqual(outline([user('Go.'), assistant([thinking]), user('x')]), ['user: Go.', 'user: x']);
  });

  it('leaves out blank text and refused answers', () => {
    assert.deepEqual(outline([user('Go.'), assistant([text(' ')]), assistant([text('No.')], 'refusal'), user('x')]), [
      'user: Go.',
      'user: x',
    ]);
  });

  it('ends with the user, and keeps the words it put in when the conversation goes on', () => {
    const paused = [user('Go.'), assistant([text('Wait.')], 'pause_turn')];
    assert.deepEqual(outline(paused), ['user: Go.', 'assistant: Wait.', 'user: Continue.']);
    assert.deepEqual(outline([...paused, assistant([text('Here.')]), user('x')]), [
      'user: Go.',
      'assistant: Wait.',
      'user: Continue.',
      'assistant: Here.',
      'user: x',
    ]);
    assert.deepEqual(outline([user('Go.'), assistant([text('Done.')])]).at(-1), 'user: Continue.');
  });

  it('begins with the user when the beginning was lost', () => {
    assert.deepEqual(outline([assistant([text('Here.')]), user('x')]), [
      `user: ${lostBeginning}`,
      'assistant: Here.',
      'user: x',
    ]);
    assert.deepEqual(outline([]), [`user: ${lostBeginning}`]);
  });

  it('puts a resume after the conversation, and an answer that never came before the next one', () => {
    const relaunch = e.relaunch_prepared;
    assert.deepEqual(outline([user('Go.'), relaunch]), ['user: Go.', 'user: Go on.', 'system: ## State']);
    assert.deepEqual(outline([user('Go.'), relaunch, relaunch, user('x')]), [
      'user: Go.',
      'user: Go on.',
      'system: ## State',
      `assistant: ${unansweredTurn}`,
      'user: Go on.',
      'system: ## State',
      `assistant: ${unansweredTurn}`,
      'user: x',
    ]);
    assert.deepEqual(outline([user('Go.'), relaunch], { model, takesSystemMessages: false }), [
      'user: Go.',
      'user: Go on. | <resume_context>',
    ]);
    assert.deepEqual(outline([user('Go.'), { ...relaunch, placement: 'user' }]), [
      'user: Go.',
      'user: Go on. | <resume_context>',
    ]);
  });

  it('sends no half surrogate pair, though one is in the trace', () => {
    const half = 'x\ud83d';
    const events = [
      user(half),
      assistant(
        [
          text(half),
          { type: 'tool_use', id: 'c1', name: 'read', input: { [half]: half } },
          { ...thinking, thinking: half },
        ],
        'tool_use',
      ),
      result('c1', half),
    ];
    assert.ok(!/\\ud83d/i.test(JSON.stringify(messages(events))));
  });
});
