import assert from 'node:assert/strict';
import { modelInfo } from '../../support/messagesServer/models.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';
import { assistant, bodyOf, call, hello, mark, result, system, textBlock, tool, user } from './bodies.ts';
import { png } from '../../support/imageBytes.ts';

const opus = { model: 'claude-opus-4-8' };
const accepted: readonly (readonly [string, unknown])[] = [
  ['a plain question', bodyOf([hello])],
  [
    'a raw body with an escaped emoji',
    '{"model":"claude-haiku-4-5","max_tokens":1,"messages":[{"role":"user","content":"\\ud83d\\ude00"}]}',
  ],
  ['text that speaks of escapes', bodyOf([user('\\ud83d is half of an emoji')])],
  ['a call and its answer', bodyOf([hello, assistant([textBlock('I look'), call('a')]), user([result('a')])])],
  [
    'answers in one user message, text in the next',
    bodyOf([hello, assistant([call('a'), call('b')]), user([result('b'), result('a')]), user('and go on')]),
  ],
  [
    'answers in two user messages in a row',
    bodyOf([hello, assistant([call('a'), call('b')]), user([result('a')]), user([result('b'), textBlock('go on')])]),
  ],
  [
    'calls in two assistant messages in a row',
    bodyOf([hello, assistant([call('a')]), assistant([call('b')]), user([result('a'), result('b')])]),
  ],
  ['a call of a tool that is gone', bodyOf([hello, assistant([call('a')]), user([result('a')])], { tools: [] })],
  ['an empty tool result', bodyOf([hello, assistant([call('a')]), user([result('a', '')])])],
  ['a system message after a user message', bodyOf([hello, system('Go on.')], opus)],
  [
    'a system message after tool results',
    bodyOf([hello, assistant([call('a')]), user([result('a')]), system([textBlock('x')])], {
      model: 'claude-opus-5-5',
    }),
  ],
  ['a system message before an answer', bodyOf([hello, system('Go on.'), assistant('Yes.'), user('And?')], opus)],
  ['a prefill where the model takes one', bodyOf([hello, assistant('It is')], { model: 'claude-haiku-4-5' })],
  ['an empty final prefill', bodyOf([hello, assistant([])], { model: 'claude-haiku-4-5' })],
  ['adaptive thinking', bodyOf([hello], { thinking: { type: 'adaptive', display: 'summarized' } })],
  ['a thinking budget', bodyOf([hello], { thinking: { type: 'enabled', budget_tokens: 1024 } })],
  ['thinking switched off', bodyOf([hello], { thinking: { type: 'disabled' } })],
  [
    'four cache marks',
    bodyOf([user([{ ...textBlock('x'), ...mark }])], {
      tools: [{ ...tool, ...mark }],
      system: [{ ...textBlock('s'), ...mark }],
      ...mark,
    }),
  ],
  [
    'a picture of exactly 5 MB',
    bodyOf([
      user([
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: png(1, 1, (5 * 1024 * 1024 * 3) / 4) },
        },
      ]),
    ]),
  ],
  [
    'a block as the server answered it',
    bodyOf([
      hello,
      assistant([
        { ...textBlock('I look'), citations: null },
        { ...call('a'), caller: { type: 'direct' } },
      ]),
      user([result('a')]),
    ]),
  ],
  [
    'a paused turn sent back',
    bodyOf([hello, assistant([{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }])]),
  ],
];

describe('validateRequest', () => {
  for (const [name, body] of accepted) {
    it(`accepts ${name}`, () => {
      assert.equal(validateRequest(body), undefined);
    });
  }

  it('does not know other models', () => {
    const error = validateRequest(bodyOf([hello], { model: 'claude-2' }));
    assert.deepEqual(error, { status: 404, type: 'not_found_error', message: 'model: claude-2' });
  });

  it('refuses a body that is too large with 413', () => {
    const error = validateRequest(bodyOf([user('x'.repeat(1000))]), { maxBodyBytes: 1000 });
    assert.deepEqual([error?.status, error?.type], [413, 'request_too_large']);
  });

  it('refuses a prompt over the window of the model', () => {
    const small = modelInfo({
      id: 'small',
      displayName: 'Small',
      line: 'haiku',
      createdAt: '2025-01-01T00:00:00Z',
      maxInputTokens: 100,
      maxTokens: 8192,
      thinking: { adaptive: false, enabled: false },
    });
    const ask = (size: number) =>
      validateRequest(bodyOf([user('x'.repeat(size))], { model: 'small', tools: [] }), { models: [small] });
    assert.equal(ask(300), undefined);
    assert.match(ask(600)?.message ?? '', /^prompt is too long: \d+ tokens > 100 maximum$/);
  });

  it('takes system messages from the models that it is told', () => {
    const body = bodyOf([hello, system('x')]);
    assert.equal(validateRequest(body, { systemRoleModels: ['claude-sonnet-5'] }), undefined);
  });
});
