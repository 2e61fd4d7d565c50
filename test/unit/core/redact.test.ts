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

  const coded = (...bytes: readonly (string | Uint8Array)[]): Buffer =>
    Buffer.concat(bytes.map((part) => Buffer.from(part)));
  const special = 'pa"ss\\wo/rd+ü&1%';
  const spellings: readonly (readonly [what: string, text: string, secret: string])[] = [
    ['in base64', coded(key).toString('base64'), key],
    ['in base64 after one byte', coded('a', key, 'z').toString('base64'), key],
    ['in base64 after two bytes, as of a login', coded('me:', 'x', key, 'zz').toString('base64'), key],
    ['in base64 for addresses', coded('>>', special, '??').toString('base64url'), special],
    ['in hex', coded(key).toString('hex'), key],
    ['in hex with capitals', coded(key).toString('hex').toUpperCase(), key],
    ['escaped for an address', encodeURIComponent(special), special],
    ['escaped for an address in small letters', encodeURIComponent(special).toLowerCase(), special],
    ['escaped for JSON', JSON.stringify({ special }), special],
    ['broken over a line end', `${key.slice(0, 9)}\n${key.slice(9)}`, key],
    ['broken over line ends of Windows', `${key.slice(0, 5)}\r\n${key.slice(5, 12)}\r\n${key.slice(12)}`, key],
    ['broken and indented', `${key.slice(0, 9)}\n    ${key.slice(9)}`, key],
    ['broken with a backslash, as in a shell', `${key.slice(0, 9)}\\\n${key.slice(9)}`, key],
    ['broken where the line end is escaped', JSON.stringify(`${key.slice(0, 9)}\r\n${key.slice(9)}`), key],
    ['in base64 that is wrapped', coded('x'.repeat(50), key).toString('base64').replace(/.{76}/g, '$&\n'), key],
  ];
  for (const [what, text, secret] of spellings) {
    it(`a key ${what} is taken out`, () => {
      const after = redacted(`before ${text} after`, secret);
      assert.match(after, /\[redacted\]/);
      assert.match(after, /^before .* after$/s);
      const bare = after.replace(/\\?\r?\n[ \t]*|\\r\\n|\\n/g, '');
      for (const form of [secret, coded(secret).toString('hex'), encodeURIComponent(secret)])
        assert.ok(!bare.toLowerCase().includes(form.toLowerCase()), after);
      for (const part of bare.match(/[\w+/=-]{8,}/g) ?? []) {
        for (let skip = 0; skip < 4; skip++) {
          const decoded = Buffer.from(part.slice(skip), 'base64').toString('latin1');
          // Of the characters beside it a few bits are left.
          assert.ok(!decoded.includes(secret.slice(1, -1)), after);
        }
      }
    });
  }

  it('what only looks as if it were broken over lines stays', () => {
    const text = `${key.slice(0, 9)}\nand\n${key.slice(9)}`;
    assert.equal(redacted(text, key), text);
  });

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
