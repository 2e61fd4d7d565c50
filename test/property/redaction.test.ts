import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NewEvent } from '../../src/core/events.ts';
import { createRedactor } from '../../src/core/redact.ts';

/** Few letters, so that secrets overlap, hold and continue each other. */
const secret = fc
  .array(fc.constantFrom('x', 'y', '1', '$&', '🎉'), { minLength: 8, maxLength: 12 })
  .map((parts) => parts.join(''));
const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });

/** Text with secrets in it, whole, cut and joined. */
function textWith(known: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...known).chain((each) => fc.nat(each.length).map((n) => each.slice(n).toWellFormed())),
    fc.constantFrom('x', 'xy', '\n', ' ', '"', '🎉'),
  );
  return fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
}

describe('redaction: fuzzed', () => {
  it('leaves no secret anywhere in an event, and all that touches none', () => {
    const cases = secrets.chain((known) => {
      const { node } = fc.letrec((tie) => ({
        node: fc.oneof(
          { maxDepth: 3 },
          textWith(known),
          fc.integer(),
          fc.constant(null),
          fc.array(tie('node'), { maxLength: 3 }),
          fc.dictionary(textWith(known), tie('node'), { maxKeys: 3, noNullPrototype: true }),
        ),
      }));
      return fc.record({ known: fc.constant(known), value: node });
    });
    fc.assert(
      fc.property(cases, ({ known, value }) => {
        const event: NewEvent = { type: 'step_started', stepId: 's', runId: 'r', tool: 't', input: { value } };
        const before = JSON.stringify(event);
        const after = createRedactor(() => known)(event);
        const strings = JSON.stringify(after);
        for (const each of known) assert.ok(!strings.includes(JSON.stringify(each).slice(1, -1)), each);
        assert.equal(JSON.stringify(event), before, 'the original is left alone');
        if (!known.some((each) => before.includes(each))) assert.equal(after, event);
        assert.deepEqual(createRedactor(() => known)(after), after, 'twice is as good as once');
      }),
      { numRuns: 1_500 },
    );
  });

  it('takes out exactly what the secrets cover, also over line ends', () => {
    fc.assert(
      fc.property(
        secrets.chain((known) => fc.record({ known: fc.constant(known), text: textWith(known) })),
        ({ known, text }) => {
          const covered = new Array<boolean>(text.length).fill(false);
          // Each place in the text without its line ends stands for one in the text itself.
          const places = [...covered.keys()].filter((at) => text[at] !== '\n');
          const joined = text.replaceAll('\n', '');
          for (let at = 0; at < joined.length; at++) {
            for (const each of known) {
              if (!joined.startsWith(each, at)) continue;
              covered.fill(true, places[at], (places[at + each.length - 1] ?? 0) + 1);
            }
          }
          const kept = [...covered.keys()].filter((at) => !covered[at]).map((at) => text[at]);
          const after = createRedactor(() => known)({ type: 'note_added', level: 'info', text });
          assert.equal(after.type === 'note_added' && after.text.replaceAll('[redacted]', ''), kept.join(''));
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
