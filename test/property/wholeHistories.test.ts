import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseEvent, type NewEvent, type SessionEvent } from '../../src/core/events.ts';
import { buildRequest } from '../../src/core/requestBuilder.ts';
import { foldEvents } from '../../src/core/sessionFold.ts';
import { wellFormed } from '../../src/core/wellFormed.ts';
import { Transcript } from '../../src/projection/transcript.ts';
import { oneOfEach } from '../support/fakes/oneOfEach.ts';
import { validateRequest } from '../support/messagesServer/validateRequest.ts';
import { header, models } from './histories.ts';
import { wholeHistory } from './wholeHistories.ts';

const settings = { model: models[0], thinking: 'adaptive', maxTokens: 1_000, takesSystemMessages: true } as const;

function stamped(events: readonly NewEvent[]): readonly SessionEvent[] {
  return events.map((event, index) => wellFormed({ seq: index + 1, at: header.createdAt + index, ...event }));
}

describe('histories with everything that can be recorded', () => {
  it('have each type of record: a new type must be made up here too', () => {
    const types = new Set(
      fc.sample(wholeHistory, { numRuns: 400, seed: 1 }).flatMap((all) => all.map(({ type }) => type)),
    );
    assert.deepEqual(
      Object.keys(oneOfEach).filter((type) => !types.has(type as keyof typeof oneOfEach)),
      [],
    );
  });

  it('are read as they were written, shown, and lead to requests that are accepted', () => {
    fc.assert(
      fc.property(wholeHistory, (plan) => {
        const events = stamped(plan);
        for (const event of events) {
          const read = parseEvent(JSON.parse(JSON.stringify(event)));
          assert.deepEqual(read, { kind: 'event', event: JSON.parse(JSON.stringify(event)) as SessionEvent });
        }
        const state = foldEvents(header, events);
        const prompt = { system: 'You work.', tools: [] };
        for (const thread of [{ ...state, prompt: state.prompt ?? prompt }, ...state.agents.values()])
          assert.deepEqual(
            validateRequest(buildRequest(thread.conversation, thread.prompt ?? prompt, settings)),
            undefined,
          );
        const transcript = new Transcript();
        for (const event of events) transcript.apply(event);
      }),
      { numRuns: 150 },
    );
  });
});
