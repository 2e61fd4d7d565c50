import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { forkOf } from '../../src/core/fork.ts';
import { buildRequest, buildMessages, type RequestSettings } from '../../src/core/requestBuilder.ts';
import { cutBefore } from '../../src/core/revertPlan.ts';
import { applyEvent, emptySessionState, foldEvents } from '../../src/core/sessionFold.ts';
import type { SessionState } from '../../src/core/sessionState.ts';
import { Transcript } from '../../src/projection/transcript.ts';
import { validateRequest } from '../support/messagesServer/validateRequest.ts';
import { editPlans, withEdits } from './editedHistories.ts';
import { header, history, models } from './histories.ts';
import { message, revert, revertPlans, write } from './wholeHistories.ts';

const settings: RequestSettings = {
  model: models[0],
  thinking: 'adaptive',
  maxTokens: 1_000,
  takesSystemMessages: true,
};
const prompt = { system: 'You work.', tools: [] };
const at = header.createdAt;

function stamped(events: readonly NewEvent[]): SessionEvent[] {
  return events.map((event, index) => ({ seq: index + 1, at: at + index, ...event }));
}

function compactionUpTo(uptoSeq: number): NewEvent {
  const text = 'Done so far.';
  const numbers = { steps: 1, tokensBefore: 9, tokensAfter: 5 };
  return { type: 'history_compacted', compactionId: 'k', by: 'model', uptoSeq, summary: text, text, ...numbers };
}

const requestOf = ({ conversation, prompt: own }: SessionState) => buildRequest(conversation, own ?? prompt, settings);

describe('histories with reverts', () => {
  it('lead to requests that are accepted, and begin with the bytes from before the message', () => {
    fc.assert(
      fc.property(history, editPlans, revertPlans, (plan, edits, reverts) => {
        const events = stamped(withEdits(plan, edits));
        const state = foldEvents(header, events);
        for (const { which, undo, goesOn } of reverts) {
          const before = JSON.stringify(requestOf(state));
          revert(state, events, which, undo);
          if (undo) assert.equal(JSON.stringify(requestOf(state)), before);
          if (goesOn) message(state, events, 'Another way.');
          assert.deepEqual(validateRequest(requestOf(state)), undefined);
        }
        // Read from the trace, it is the same.
        assert.deepEqual(foldEvents(header, events), state);
        const counts = state.reverts.active.filter(({ type }) => !type.includes('revert'));
        const plain = foldEvents(header, counts);
        assert.equal(
          JSON.stringify(buildMessages(state.conversation, settings)),
          JSON.stringify(buildMessages(plain.conversation, settings)),
        );
        const transcript = new Transcript();
        for (const event of state.reverts.active) transcript.apply(event);
      }),
      { numRuns: 150 },
    );
  });

  it('can be forked at any message: the fork is accepted, ends what went on, and its bytes are those of the original', () => {
    fc.assert(
      fc.property(history, editPlans, revertPlans, (plan, edits, reverts) => {
        const events = stamped(withEdits(plan, edits));
        const state = foldEvents(header, events);
        for (const { which, undo } of reverts) revert(state, events, which, undo);
        message(state, events, 'Before the last.');
        // Behind what reverts cut: the numbers in a fork are others.
        const upto = state.lastSeq;
        message(state, events, 'After the summary.');
        write(state, events, compactionUpTo(upto));
        message(state, events, 'Last.');
        const last = state.reverts.active.findLast((event) => event.type === 'user_message_added');
        const cut = last && cutBefore(state, last.messageId);
        assert.ok(cut);
        const fork = foldEvents(header, forkOf(state, cut.toSeq, at).events);
        assert.equal(fork.openSteps.size, 0);
        assert.deepEqual(fork.queue, []);
        const original = emptySessionState(header);
        for (const event of state.reverts.active) if (event.seq <= cut.toSeq) applyEvent(original, event);
        assert.equal(
          JSON.stringify(buildMessages(fork.conversation, settings)),
          JSON.stringify(buildMessages(original.conversation, settings)),
        );
      }),
      { numRuns: 150 },
    );
  });
});
