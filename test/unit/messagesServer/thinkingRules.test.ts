import assert from 'node:assert/strict';
import { redactThinking, signThinking } from '../../support/messagesServer/signatures.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';
import { assistant, bodyOf, call, hello, result, textBlock, user, type Body } from './bodies.ts';

const key = 'k';
const model = 'claude-sonnet-5-5';
const thought = (thinking: string, signature = signThinking(key, model, thinking)): Body => ({
  type: 'thinking',
  thinking,
  signature,
});
const redacted = (data = redactThinking(key, model, 'secret')): Body => ({ type: 'redacted_thinking', data });
const afterCall = (...blocks: readonly Body[]): Body =>
  bodyOf([hello, assistant([...blocks, call('a')]), user([result('a')])], { thinking: { type: 'adaptive' } });
const check = (body: Body, signingKey = key) => validateRequest(body, { signingKey })?.message;

const invalidSignature = 'messages.1.content.0: Invalid `signature` in `thinking` block';
const modified =
  'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
  'These blocks must remain as they were in the original response.';

describe('thinkingRules', () => {
  it('accepts its own thinking, byte for byte', () => {
    assert.equal(check(afterCall(thought('é 😀'), redacted(), thought(''))), undefined);
  });

  it('accepts thinking that was left out', () => {
    assert.equal(check(afterCall()), undefined);
  });

  it('refuses thinking with one letter changed', () => {
    assert.equal(check(afterCall(thought('x', signThinking(key, model, 'y')))), modified);
  });

  it('refuses changed thinking in an earlier message as a bad signature', () => {
    const old = assistant([thought('x', signThinking(key, model, 'y')), textBlock('old')]);
    assert.equal(check(bodyOf([hello, old, user('more'), assistant('new'), user('x')])), invalidSignature);
  });

  it('refuses a signature that was cut, is empty, or is another one', () => {
    const whole = signThinking(key, model, 'x');
    assert.equal(check(afterCall(thought('x', whole.slice(0, -1)))), modified);
    assert.equal(check(afterCall(thought('x', ''))), invalidSignature);
    assert.equal(check(afterCall(thought('x', 'c2lnbmF0dXJl'))), invalidSignature);
  });

  it('refuses thinking without a signature', () => {
    const error = check(afterCall({ type: 'thinking', thinking: 'x' }));
    assert.equal(error, 'messages.1.content.0.thinking.signature: Field required');
  });

  it('refuses thinking of another model and of another server', () => {
    assert.equal(check(afterCall(thought('x', signThinking(key, 'claude-opus-4-8', 'x')))), invalidSignature);
    assert.equal(check(afterCall(thought('x')), 'another key'), invalidSignature);
  });

  it('refuses redacted thinking that was changed', () => {
    const data = redactThinking(key, model, 'secret');
    const other = redactThinking(key, model, 'other');
    const mixed = data.slice(0, data.indexOf('.')) + other.slice(other.indexOf('.'));
    assert.equal(check(afterCall(redacted(mixed))), modified);
    assert.equal(
      check(afterCall(redacted('opaque'))),
      'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    );
  });

  it('refuses a message that ends in thinking', () => {
    const body = bodyOf([hello, assistant([textBlock('x'), thought('y')]), user('z')]);
    assert.equal(check(body), 'messages.1: The final block in an assistant message cannot be `thinking`.');
  });

  it('refuses thinking behind the text of a turn with tools, if there is a budget', () => {
    const blocks = [textBlock('text'), thought('late')];
    const budget = { thinking: { type: 'enabled', budget_tokens: 2000 } };
    assert.match(
      check({ ...afterCall(...blocks), ...budget }) ?? '',
      /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`\./,
    );
    assert.equal(check(afterCall(...blocks)), undefined);
    assert.equal(check({ ...afterCall(), ...budget }), undefined);
  });
});
