import assert from 'node:assert/strict';
import fc from 'fast-check';
import { threadOf } from '../../src/core/agents.ts';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { buildRequest, buildWithSources, type RequestSettings } from '../../src/core/requestBuilder.ts';
import { foldEvents } from '../../src/core/sessionFold.ts';
import { stateName, type SessionState } from '../../src/core/sessionState.ts';
import { buildResumeContext, relaunchPrompt } from '../../src/core/resumeContext.ts';
import { wellFormed } from '../../src/core/wellFormed.ts';
import { bannerOf } from '../../src/projection/sessionView.ts';
import { Transcript } from '../../src/projection/transcript.ts';
import { openCalls } from '../../src/runner/settleCalls.ts';
import { validateRequest } from '../support/messagesServer/validateRequest.ts';
import { editPlans, editTypes, withEdits } from './editedHistories.ts';
import { header, history, models, steadyHistory, type Model } from './histories.ts';

function settingsOf(model: Model): RequestSettings {
  return {
    model,
    thinking: model === 'claude-haiku-4-5' ? 'off' : 'adaptive',
    maxTokens: 1_000,
    takesSystemMessages: model === 'claude-opus-4-8',
  };
}

/** As the writer stamps them. */
function stamped(events: readonly NewEvent[], isWritten = true): SessionEvent[] {
  return events.map((event, index) => {
    const stampedEvent: SessionEvent = { seq: index + 1, at: header.createdAt + index, ...event };
    return isWritten ? wellFormed(stampedEvent) : stampedEvent;
  });
}

/** What a resume appends: an end for each open call when it settles them, then the relaunch. */
function relaunched(events: readonly NewEvent[], settles: boolean, placement: 'system' | 'user'): NewEvent[] {
  const state = foldEvents(header, stamped(events));
  const settled: NewEvent[] = settles
    ? openCalls(state).map(({ id }) => ({
        type: 'step_finished',
        stepId: id,
        outcome: 'cut',
        content: 'Unknown.',
        isError: true,
      }))
    : [];
  return [
    ...events,
    { type: 'run_started', runId: 'last', cause: 'resume', model: models[0], thinking: 'adaptive', maxTokens: 1_000 },
    { type: 'session_resumed', runId: 'last', mode: 'resume', priorState: 'interrupted', stepsKept: 0 },
    ...settled,
    {
      type: 'relaunch_prepared',
      runId: 'last',
      prompt: relaunchPrompt('resume', 'interrupted'),
      context: contextOf(state),
      placement,
    },
  ];
}

function contextOf(state: SessionState): string {
  const nothing = { ok: false, reason: 'not looked at' } as const;
  return buildResumeContext({
    now: 0,
    mode: 'resume',
    priorState: stateName(state, false),
    conversation: state.conversation,
    agents: [...state.agents.values()],
    tasks: state.tasks,
    listing: nothing,
    artifacts: nothing,
    editors: nothing,
    inFlight: [],
  });
}

function assertAccepted(events: readonly SessionEvent[]): void {
  const state = foldEvents(header, events);
  const prompt = state.prompt ?? { system: 'You work.', tools: [] };
  for (const model of models) {
    for (const thread of [{ ...state, prompt }, ...state.agents.values()]) {
      const request = buildRequest(thread.conversation, thread.prompt ?? prompt, settingsOf(model));
      assert.deepEqual(validateRequest(request), undefined, model);
    }
  }
}

const cutAt = fc.double({ min: 0, max: 1, noNaN: true });
const placement = fc.constantFrom('system' as const, 'user' as const);

describe('requests: of any history', () => {
  it('are accepted after a cut at any event and a resume, by every model', function () {
    this.timeout(30_000);
    fc.assert(
      fc.property(history, cutAt, fc.boolean(), placement, (events, at, settles, where) => {
        const kept = events.slice(0, 1 + Math.floor(at * events.length));
        assertAccepted(stamped(relaunched(kept, settles, where)));
      }),
      { numRuns: 700 },
    );
  });

  it('are accepted when any part was summarised, shortened or left out, and then cut and resumed', function () {
    this.timeout(30_000);
    let edited = 0;
    fc.assert(
      fc.property(history, editPlans, cutAt, fc.boolean(), placement, (events, edits, at, settles, where) => {
        const all = withEdits(events, edits);
        edited += all.length - events.length;
        const kept = all.slice(0, 1 + Math.floor(at * all.length));
        assertAccepted(stamped(relaunched(kept, settles, where)));
      }),
      { numRuns: 500 },
    );
    assert.ok(edited > 500, 'the histories must have been edited');
  });

  it('can be told from which record each block is: what is left out is that block and no other', function () {
    this.timeout(30_000);
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (events, m, b) => {
        const before = foldEvents(header, stamped(events));
        const settings = settingsOf('claude-opus-4-8');
        const built = buildWithSources(before.conversation, settings);
        assert.deepEqual(
          built.sources.map((sources) => sources.length),
          built.messages.map(({ content }) => content.length),
        );
        const at = m % built.messages.length;
        const message = built.messages[at]!;
        const index = b % message.content.length;
        const source = built.sources[at]![index];
        // A call takes its answer with it, and thinking leaves a shorter message.
        if (!source || message.role === 'assistant') return;
        const { seq: partSeq, block: partBlock } = source;
        const healed: NewEvent = { type: 'history_healed', requestId: 'q', partSeq, partBlock, reason: 'bad' };
        const after = buildWithSources(foldEvents(header, stamped([...events, healed])).conversation, settings);
        if (message.role === 'system' || source.call?.seq === partSeq) return;
        for (const [i, one] of built.messages.entries())
          for (const [j, block] of one.content.entries())
            assert.equal(
              JSON.stringify(after.messages[i]?.content[j]) === JSON.stringify(block),
              !(i === at && j === index),
            );
      }),
      { numRuns: 300 },
    );
  });

  it('are accepted when records in the middle were lost, or were never made well-formed', function () {
    this.timeout(30_000);
    fc.assert(
      fc.property(history, fc.array(fc.nat(60), { maxLength: 8 }), fc.boolean(), (events, lost, isWritten) => {
        const left = events.filter((_event, index) => !lost.includes(index));
        assertAccepted(stamped(relaunched(left, false, 'system'), isWritten));
      }),
      { numRuns: 400 },
    );
  });

  it('start with the bytes of every request that was sent before', function () {
    this.timeout(30_000);
    const withModel = fc
      .constantFrom(...models)
      .chain((model) =>
        fc
          .tuple(steadyHistory(model), editPlans)
          .map(([events, edits]) => ({ model, events: withEdits(events, edits) })),
      );
    let compared = 0;
    fc.assert(
      fc.property(withModel, ({ model, events }) => {
        const all = stamped(events);
        const conversationAt = (end: number): SessionState => foldEvents(header, all.slice(0, end));
        const sentBy = new Map<string | undefined, string[][]>();
        for (const [index, event] of all.entries()) {
          // What these are for: from here on something else is sent.
          if (editTypes.has(event.type)) sentBy.delete('agentId' in event ? event.agentId : undefined);
          if (event.type !== 'request_started') continue;
          const thread = threadOf(conversationAt(index), event);
          const sent = sentBy.get(event.agentId) ?? [];
          sentBy.set(event.agentId, sent);
          const request = buildRequest(
            thread.conversation,
            thread.prompt ?? { system: 'x', tools: [] },
            settingsOf(model),
          );
          assert.notEqual(request.messages.at(-1)?.role, 'assistant');
          const messages = request.messages.map((message) => JSON.stringify(message));
          for (const before of sent) {
            compared += 1;
            assert.deepEqual(messages.slice(0, before.length), before);
          }
          sent.push(messages);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(compared > 500, 'the histories must have sent something');
  });

  it('are the same each time they are built', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...models), (events, model) => {
        const build = (): string => {
          const state = foldEvents(header, stamped(events));
          return JSON.stringify(
            buildRequest(state.conversation, state.prompt ?? { system: 'x', tools: [] }, settingsOf(model)),
          );
        };
        assert.equal(build(), build());
      }),
      { numRuns: 100 },
    );
  });
});

describe('projections: of any history', () => {
  it('never throw, and show the same whether they followed along or came later', function () {
    this.timeout(30_000);
    fc.assert(
      fc.property(history, (events) => {
        const all = stamped(events);
        const state = foldEvents(header, all);
        for (const name of ['failed', 'cancelled', 'timed_out', 'interrupted'] as const) bannerOf(state, name);
        const transcript = new Transcript();
        const screen = new Map<string, unknown>();
        const inside = new Map<string, Map<string, unknown>>();
        for (const event of all) {
          for (const item of transcript.apply(event)) screen.set(item.id, item);
          for (const { cardId, item } of transcript.takeNested())
            inside.set(cardId, (inside.get(cardId) ?? new Map<string, unknown>()).set(item.id, item));
        }
        assert.deepEqual([...screen.values()], transcript.page(10_000).items);
        for (const [cardId, items] of inside)
          assert.deepEqual([...items.values()], transcript.agentPage(cardId, 10_000).items);
      }),
      { numRuns: 200 },
    );
  });
});
