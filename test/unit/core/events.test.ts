import assert from 'node:assert/strict';
import { parseEvent, type EventType, type NewEvent } from '../../../src/core/events.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';

describe('events: the records of a journal', () => {
  for (const event of Object.values<NewEvent>(oneOfEach)) {
    it(`${event.type} is the same after it was written and read`, () => {
      const written = { seq: 7, at: 1_700_000_000_000, ...event };
      assert.deepEqual(parseEvent(JSON.parse(JSON.stringify(written))), { kind: 'event', event: written });
    });

    it(`${event.type} is refused without its fields`, () => {
      const fields = Object.keys(event).filter((key) => key !== 'type');
      assert.ok(fields.length > 0);
      const bare = parseEvent({ seq: 7, at: 1, type: event.type });
      assert.equal(bare.kind, 'invalid');
      const [first = ''] = fields;
      assert.equal(parseEvent({ seq: 7, at: 1, ...event, [first]: Symbol('no JSON') }).kind, 'invalid');
    });
  }

  it('keeps the order of the keys that the model wrote in an input', () => {
    const line = JSON.stringify({ seq: 1, at: 1, ...oneOfEach.step_started, input: { z: 1, a: { y: 1, b: 2 } } });
    const parsed = parseEvent(JSON.parse(line));
    assert.ok(parsed.kind === 'event' && parsed.event.type === 'step_started');
    assert.equal(JSON.stringify(parsed.event.input), '{"z":1,"a":{"y":1,"b":2}}');
  });

  it('names a type of a later version', () => {
    assert.deepEqual(parseEvent({ seq: 3, at: 1, type: 'picture_drawn', more: 1 }), {
      kind: 'unknown_type',
      seq: 3,
      type: 'picture_drawn',
    });
    assert.equal(parseEvent({ seq: 3, at: 1, type: 'constructor' }).kind, 'unknown_type');
  });

  for (const [what, value] of [
    ['no object', 'text'],
    ['null', null],
    ['a list', []],
    ['no number', { at: 1, type: 'note_added' }],
    ['number 0', { seq: 0, at: 1, type: 'note_added' }],
    ['a broken number', { seq: 1.5, at: 1, type: 'note_added' }],
    ['no time', { seq: 1, type: 'note_added' }],
    ['no type', { seq: 1, at: 1 }],
  ] as const) {
    it(`calls a line invalid that is or has ${what}`, () => {
      assert.equal(parseEvent(value).kind, 'invalid');
    });
  }

  it('has an example of every type', () => {
    const types: readonly EventType[] = Object.values<NewEvent>(oneOfEach).map(({ type }) => type);
    assert.deepEqual(types, Object.keys(oneOfEach));
  });
});
