import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
import { parseEvent, type NewEvent } from '../../../src/core/events.ts';
import { quickCheckOf } from '../../../src/core/quickCheck.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';

const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('count'), n: z.number() }),
]);
const schema = z.object({
  seq: z.number().int().positive(),
  left: z.number().int().nonnegative().optional(),
  name: z.string().min(1).nullable(),
  level: z.enum(['low', 'high']).optional(),
  flag: z.literal(true).optional(),
  isError: z.boolean(),
  list: z.array(z.object({ path: z.string(), size: z.number().optional() })),
  block,
  input: z.custom<object>((value) => typeof value === 'object' && value !== null),
});

const leaf = fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 2 ** 53, '', 'low', 'text', 'count', [], {});
const sometimes = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: leaf });
const listed = fc.record({ path: sometimes(fc.string()), size: sometimes(fc.nat()) }, { requiredKeys: ['path'] });
const nearly = fc.record(
  {
    seq: sometimes(fc.integer({ min: 0, max: 9 })),
    left: sometimes(fc.integer({ min: -1, max: 9 })),
    name: sometimes(fc.option(fc.string())),
    level: sometimes(fc.constantFrom('low', 'high')),
    flag: sometimes(fc.constant(true)),
    isError: sometimes(fc.boolean()),
    list: sometimes(fc.array(sometimes(listed), { maxLength: 3 })),
    block: sometimes(
      fc.oneof(
        fc.record({ kind: fc.constant('text'), text: sometimes(fc.string()) }),
        fc.record({ kind: fc.constant('count'), n: sometimes(fc.nat()) }),
      ),
    ),
    input: sometimes(fc.dictionary(fc.string(), fc.nat(), { noNullPrototype: true })),
  },
  { requiredKeys: ['seq', 'name', 'isError', 'list', 'block', 'input'] },
);

/** As JSON, now and then with a field that the schema does not name. */
const nearlyJson = fc
  .tuple(nearly, fc.constantFrom('', '', '', '', '"extra":1,', '"__proto__":{},'))
  .map(([made, extra]) => `{${extra}${JSON.stringify(made).slice(1)}`);

describe('quickCheck: records that are whole', () => {
  it('takes exactly what a parse would leave as it is', () => {
    const check = quickCheckOf(schema);
    const seen = { taken: 0, left: 0 };
    fc.assert(
      fc.property(nearlyJson, (json) => {
        const value: unknown = JSON.parse(json);
        const parsed = schema.safeParse(value);
        const isSame = parsed.success && JSON.stringify(parsed.data) === JSON.stringify(inOrder(value));
        assert.equal(check(value), isSame);
        seen[isSame ? 'taken' : 'left'] += 1;
      }),
      { numRuns: 2_000, seed: 1 },
    );
    assert.ok(seen.taken > 100 && seen.left > 100, JSON.stringify(seen));
  });

  for (const [what, unsure] of [
    ['a refinement', z.object({ a: z.string().regex(/b/) })],
    ['a number with a limit that need not be whole', z.object({ a: z.number().positive() })],
    ['a transform', z.object({ a: z.string().transform((text) => text.length) })],
    ['a default', z.object({ a: z.string().default('b') })],
    ['an object that keeps what it does not know', z.looseObject({ a: z.string() })],
    ['a union without a tag', z.object({ a: z.union([z.string(), z.number()]) })],
  ] as const) {
    it(`leaves ${what} to the schema`, () => {
      assert.equal(quickCheckOf(unsure)({ a: 'b' }), false);
      assert.equal(quickCheckOf(unsure)({ a: 1 }), false);
    });
  }

  for (const event of Object.values<NewEvent>(oneOfEach)) {
    it(`takes ${event.type} without a copy`, () => {
      const record: unknown = JSON.parse(JSON.stringify({ seq: 7, at: 1, ...event }));
      const parsed = parseEvent(record);
      assert.ok(parsed.kind === 'event');
      assert.equal(parsed.event, record);
    });
  }

  it('does not take what a later version added, which is left out', () => {
    const record = { seq: 7, at: 1, ...oneOfEach.step_finished, colour: 'red' };
    const parsed = parseEvent(record);
    assert.deepEqual(parsed, { kind: 'event', event: { seq: 7, at: 1, ...oneOfEach.step_finished } });
  });
});

/** With the keys of the schema in the order in which a parse puts them. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const known = Object.keys(schema.shape);
  return Object.fromEntries(entries.sort(([a], [b]) => known.indexOf(a) - known.indexOf(b)));
}
