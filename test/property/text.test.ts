import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ellipsis, headOf, tailOf, wellFormed } from '../../src/core/wellFormed.ts';

const units = fc
  .array(fc.integer({ min: 0xd7fe, max: 0xe001 }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes));
const anyText = fc.oneof(units, fc.string({ unit: 'binary' }), fc.constantFrom('🎉🎉🎉', 'a🎉', '🎉a'));
const text = anyText.map((value) => value.toWellFormed());
const length = fc.nat(14);

describe('text: cut and mended', () => {
  it('a head is a beginning of at most that length that ends in no half pair, and as long as can be', () => {
    fc.assert(
      fc.property(text, length, (value, limit) => {
        const head = headOf(value, limit);
        assert.ok(value.startsWith(head) && head.length <= limit && head.isWellFormed());
        assert.ok(head === value || head.length >= limit - 1);
      }),
      { numRuns: 400 },
    );
  });

  it('a tail is an end of at most that length that begins with no half pair, and as long as can be', () => {
    fc.assert(
      fc.property(text, length, (value, limit) => {
        const tail = tailOf(value, limit);
        assert.ok(value.endsWith(tail) && tail.length <= limit && tail.isWellFormed());
        assert.ok(tail === value || tail.length >= limit - 1);
      }),
      { numRuns: 400 },
    );
  });

  it('an ellipsis stands where something was cut, within the length', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 14 }), (value, limit) => {
        const cut = ellipsis(value, limit);
        assert.ok(cut.length <= limit && cut.isWellFormed());
        assert.equal(cut === value, value.length <= limit);
      }),
      { numRuns: 200 },
    );
  });

  it('made well-formed, data has no half pair in any string or key, and is otherwise the same', () => {
    const data = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        anyText,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(anyText, tie('node'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    fc.assert(
      fc.property(data, (value) => {
        const json = JSON.stringify(value);
        const mended = wellFormed(value);
        assert.ok(!/\\ud[89a-f]/i.test(JSON.stringify(mended)));
        assert.equal(JSON.stringify(value), json, 'the original is left alone');
        assert.deepEqual(wellFormed(mended), mended);
        if (!/\\ud[89a-f]/i.test(json)) assert.equal(mended, value, 'nothing to mend, nothing copied');
      }),
      { numRuns: 400 },
    );
  });
});
