import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { foldEvents } from '../../src/core/sessionFold.ts';
import { header, history } from './histories.ts';

const stamped = (events: readonly NewEvent[]): SessionEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: index, ...event }));

describe('queued messages: in any history, cut anywhere', () => {
  it('wait or were delivered, in order, with the last words that they were given; none twice', function () {
    this.timeout(30_000);
    let delivered = 0;
    fc.assert(
      fc.property(history, fc.double({ min: 0, max: 1, noNaN: true }), (events, at) => {
        const kept = stamped(events.slice(0, 1 + Math.floor(at * events.length)));
        const waiting = new Map<string, string>();
        const removed = new Set<string>();
        const sent: string[] = [];
        for (const event of kept) {
          if (event.type === 'message_queued') waiting.set(event.messageId, event.text);
          if (event.type === 'queued_message_edited' && waiting.has(event.messageId))
            waiting.set(event.messageId, event.text);
          if (event.type === 'queued_message_removed' && waiting.delete(event.messageId)) removed.add(event.messageId);
          if (event.type !== 'user_message_added' || !event.messageId.startsWith('queued')) continue;
          assert.equal([...waiting.keys()][0], event.messageId, 'the oldest one first');
          assert.equal(event.text, waiting.get(event.messageId));
          waiting.delete(event.messageId);
          sent.push(event.messageId);
        }
        const { queue, conversation } = foldEvents(header, kept);
        assert.deepEqual(new Map(queue.map(({ messageId, text }) => [messageId, text])), waiting);
        assert.equal(new Set(sent).size, sent.length);
        assert.ok(sent.every((id) => !removed.has(id)));
        const said = conversation.flatMap((entry) => (entry.type === 'user_message_added' ? [entry.messageId] : []));
        assert.deepEqual(
          said.filter((id) => id.startsWith('queued')),
          sent,
        );
        delivered += sent.length;
      }),
      { numRuns: 1_000 },
    );
    assert.ok(delivered > 20, 'the histories must have delivered something');
  });
});
