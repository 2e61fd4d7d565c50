import assert from 'node:assert/strict';
import { findLoneSurrogate, parseRawJson } from '../../support/messagesServer/rawJson.ts';

const lone: readonly (readonly [string, string, number])[] = [
  ['an escaped high one at the end', String.raw`"a\ud83d"`, 2],
  ['an escaped high one before another escape', String.raw`"\ud83d\n"`, 1],
  ['an escaped high one before another high one', String.raw`"\ud83d\ud83d\ude00"`, 1],
  ['an escaped pair with a letter between', String.raw`"\ud83dx\ude00"`, 1],
  ['an escaped low one', String.raw`"\uDE00"`, 1],
  ['a raw high one', '"a\ud83d"', 2],
  ['a raw low one', '"ab\ude00"', 3],
];

const whole: readonly (readonly [string, string])[] = [
  ['an escaped pair', String.raw`"\ud83d\ude00"`],
  ['a raw pair', '"😀"'],
  ['an escaped backslash before what looks like an escape', String.raw`"\\ud83d"`],
  ['pairs that touch', String.raw`"\ud83d\ude00\ud83d\ude00"`],
];

describe('rawJson', () => {
  for (const [name, raw, at] of lone) {
    it(`finds ${name}`, () => {
      assert.equal(findLoneSurrogate(raw), at);
      assert.deepEqual(parseRawJson(`\n ${raw}`), {
        error:
          'The request body is not valid JSON: no low surrogate in string: ' +
          `line 2 column ${at + 2} (char ${at + 2})`,
      });
    });
  }

  for (const [name, raw] of whole) {
    it(`accepts ${name}`, () => {
      assert.deepEqual(parseRawJson(raw), { value: JSON.parse(raw) as unknown });
    });
  }
});
