import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/core/events.ts';
import { createRedactor } from '../../../src/core/redact.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';

const key = 'sk-ant-api03-0123456789';
const note = (text: string): NewEvent => ({ type: 'note_added', level: 'info', text });

function redacted(text: string, ...secrets: string[]): string {
  const event = createRedactor(() => secrets)(note(text));
  assert.ok(event.type === 'note_added');
  return event.text;
}

describe('redaction: what of a text stays', () => {
  const table: readonly (readonly [what: string, text: string, secrets: readonly string[], result: string])[] = [
    ['nothing to take out', 'plain', [key], 'plain'],
    ['a key alone', key, [key], '[redacted]'],
    ['a key in a sentence', `The key is ${key}.`, [key], 'The key is [redacted].'],
    ['a key twice', `${key},${key}`, [key], '[redacted],[redacted]'],
    ['two keys side by side', `${key}${key}`, [key], '[redacted][redacted]'],
    ['a key inside a word', `x${key}y`, [key], 'x[redacted]y'],
    ['a key in a shell command', `curl -H 'x-api-key: ${key}'`, [key], "curl -H 'x-api-key: [redacted]'"],
    ['a key over several lines', `a\n${key}\nb`, [key], 'a\n[redacted]\nb'],
    ['part of a key', key.slice(0, -1), [key], key.slice(0, -1)],
    ['a key in other capitals', key.toUpperCase(), [key], key.toUpperCase()],
    ['a longer key that begins like a shorter one', 'abcdefgh-longer', ['abcdefgh', 'abcdefgh-longer'], '[redacted]'],
    ['the same in the other order', 'abcdefgh-longer', ['abcdefgh-longer', 'abcdefgh'], '[redacted]'],
    ['keys that overlap', 'x abcdefghijkl y', ['abcdefgh', 'efghijkl'], 'x [redacted] y'],
    ['a key that overlaps itself', 'ababababab!', ['abababab'], '[redacted]!'],
    ['characters that mean something to a pattern', 'a$1.*+?^${}()|[]\\b', ['$1.*+?^${}()|[]\\'], 'a[redacted]b'],
    ['a key with a dollar, which a replacement would read', 'k$&$`$1$$xyz!', ['k$&$`$1$$xyz'], '[redacted]!'],
    ['letters of two units', '🎉🎉🎉🎉!', ['🎉🎉🎉🎉'], '[redacted]!'],
    ['what is too short to be a secret', 'a short one', ['short'], 'a short one'],
    ['an empty secret', 'text', [''], 'text'],
    ['the mark as a secret', 'see [redacted] there', ['redacted'], 'see [[redacted]] there'],
  ];
  for (const [what, text, secrets, result] of table) {
    it(what, () => {
      assert.equal(redacted(text, ...secrets), result);
    });
  }

  it('of every kind of event, whatever the field, nothing of a key is left', () => {
    const planted = (value: unknown): unknown => {
      if (typeof value === 'string') return `a ${key} b`;
      if (Array.isArray(value)) return value.map(planted);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, name === 'type' ? each : planted(each)]),
      );
    };
    for (const event of Object.values(oneOfEach)) {
      const after = JSON.stringify(createRedactor(() => [key])(planted(event) as NewEvent));
      assert.ok(!after.includes(key), event.type);
    }
  });

  it('also in the names of an input', () => {
    const event = createRedactor(() => [key])({ ...oneOfEach.step_started, input: { [key]: { deep: [key] } } });
    assert.deepEqual(event.type === 'step_started' && event.input, { '[redacted]': { deep: ['[redacted]'] } });
  });

  it('an event without a secret is the same object', () => {
    const event = note('plain');
    assert.equal(createRedactor(() => [key])(event), event);
    assert.equal(createRedactor(() => [])(event), event);
  });

  it('thinking that is changed loses its signature, other thinking keeps it', () => {
    const message = (thinking: string): NewEvent => ({
      ...oneOfEach.assistant_message_completed,
      content: [
        { type: 'thinking', thinking, signature: 'c2ln' },
        { type: 'text', text: key },
      ],
    });
    const signatureOf = (event: NewEvent): string | undefined => {
      const [block] = event.type === 'assistant_message_completed' ? event.content : [];
      return block?.type === 'thinking' ? block.signature : undefined;
    };
    const redact = createRedactor(() => [key]);
    assert.equal(signatureOf(redact(message(`It is ${key}.`))), '');
    assert.equal(signatureOf(redact(message('Hm.'))), 'c2ln');
  });

  it('knows a key from the moment it is known', () => {
    const secrets: string[] = [];
    const redact = createRedactor(() => secrets);
    assert.deepEqual(redact(note(key)), note(key));
    secrets.push(key);
    assert.deepEqual(redact(note(key)), note('[redacted]'));
  });
});
