import assert from 'node:assert/strict';
import fc from 'fast-check';
import { threadOf } from '../../src/core/agents.ts';
import type { EventOf, SessionEvent } from '../../src/core/events.ts';
import { historyEdits } from '../../src/core/historyEdits.ts';
import { buildRequest } from '../../src/core/requestBuilder.ts';
import { asAbove, shorterContext, standingContext } from '../../src/core/resumeChanges.ts';
import { oneLine, resumeSections, sectionsText, type ResumeContextInput } from '../../src/core/resumeContext.ts';
import { foldEvents } from '../../src/core/sessionFold.ts';
import { wellFormed } from '../../src/core/wellFormed.ts';
import { validateRequest } from '../support/messagesServer/validateRequest.ts';
import { editPlans, withEdits } from './editedHistories.ts';
import { header, steadyHistory } from './histories.ts';

const model = 'claude-opus-4-8';

/** The history as resumes write it: each context but the first of its conversation is told from the one before. */
function withShorter(events: readonly Parameters<typeof wellFormed>[0][]): SessionEvent[] {
  const last = new Map<string | undefined, number>();
  return (events as readonly SessionEvent[]).map((event, index) => {
    const stamped = wellFormed({ ...event, seq: index + 1, at: header.createdAt + index });
    if (stamped.type !== 'relaunch_prepared') return stamped;
    const since = last.get(stamped.agentId);
    last.set(stamped.agentId, stamped.seq);
    const context = `whole ${String(stamped.seq)}.`;
    const text = `changes ${String(stamped.seq)} since ${String(since)}.`;
    return { ...stamped, context, ...(since !== undefined && { shorter: { since, text } }) };
  });
}

describe('contexts of many resumes', () => {
  it('are whole, or name one that is in the same request, whatever was compacted, healed or lost', function () {
    this.timeout(30_000);
    let short = 0;
    let whole = 0;
    fc.assert(
      fc.property(steadyHistory(model), editPlans, fc.array(fc.nat(60), { maxLength: 4 }), (events, edits, lost) => {
        const all = withShorter(withEdits(events, edits)).filter((_event, index) => !lost.includes(index + 5));
        const state = foldEvents(header, all);
        for (const thread of [state, ...state.agents.values()]) {
          const settings = { model, thinking: 'adaptive', maxTokens: 9, takesSystemMessages: true } as const;
          const request = buildRequest(thread.conversation, thread.prompt ?? { system: 'x', tools: [] }, settings);
          assert.equal(validateRequest(request), undefined);
          const sent = JSON.stringify(request.messages);
          whole += sent.split(/whole \d+\./).length - 1;
          for (const [, own, since] of sent.matchAll(/changes (\d+) since (\d+)\./g)) {
            short += 1;
            const at = sent.indexOf(`changes ${String(own)} since`);
            assert.match(sent.slice(0, at), new RegExp(`(whole|changes) ${String(since)}\\b`));
          }
        }
      }),
      { numRuns: 600 },
    );
    assert.ok(short > 100 && whole > 100, `${String(short)} short, ${String(whole)} whole`);
  });

  it('stand where they stood when the conversation grows', function () {
    this.timeout(30_000);
    fc.assert(
      fc.property(steadyHistory(model), (events) => {
        const all = withShorter(events);
        let before: readonly string[] = [];
        for (let end = 1; end <= all.length; end++) {
          if (all[end - 1]?.type !== 'relaunch_prepared') continue;
          const { conversation } = threadOf(foldEvents(header, all.slice(0, end)), {});
          const edits = historyEdits(conversation);
          const now = conversation.flatMap((entry) =>
            entry.type === 'relaunch_prepared' ? [edits.contextOf(entry)] : [],
          );
          assert.deepEqual(now.slice(0, before.length), before);
          before = now;
        }
      }),
      { numRuns: 200 },
    );
  });

  const odd = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('a\n\n## Rules\nobey', '## Task list', 'x: y', '\n\n## Open editors\n', 'b'),
  );
  const looks = fc.record({
    tasks: fc.array(fc.record({ id: fc.constant('t'), title: odd, status: fc.constant('pending' as const) }), {
      maxLength: 2,
    }),
    files: fc.uniqueArray(fc.record({ path: odd, size: fc.nat(3), mtimeMs: fc.nat(3) }), {
      maxLength: 6,
      selector: ({ path }) => path,
    }),
    more: fc.nat(1),
    editors: fc.array(fc.record({ path: odd, active: fc.boolean(), unsaved: fc.boolean() }), { maxLength: 2 }),
    artifacts: fc.array(odd, { maxLength: 3 }),
    verdict: fc.constantFrom('intact' as const, 'changed' as const),
  });

  it('say "as above" of what is the same and of nothing else, whatever stands in names and titles', () => {
    const inputOf = (look: typeof looks extends fc.Arbitrary<infer T> ? T : never): ResumeContextInput => ({
      now: 10,
      mode: 'resume',
      priorState: 'failed',
      conversation: [],
      tasks: look.tasks,
      listing: { ok: true, value: { files: look.files, total: look.files.length + look.more } },
      artifacts: {
        ok: true,
        value: look.artifacts.map((path) => ({
          artifact: { path, change: 'created', size: 1, sha256: 'a' },
          verdict: look.verdict,
        })),
      },
      editors: { ok: true, value: look.editors },
      inFlight: [],
    });
    let compared = 0;
    fc.assert(
      fc.property(looks, looks, fc.boolean(), (first, other, isSame) => {
        const second = isSame ? first : other;
        const base = {
          seq: 5,
          at: 0,
          type: 'relaunch_prepared',
          runId: 'r',
          prompt: 'p',
          context: sectionsText(resumeSections(inputOf(first))),
          placement: 'user',
          listed: [...first.files],
        } satisfies EventOf<'relaunch_prepared'>;
        assert.equal(standingContext([base]), base);
        const sections = resumeSections(inputOf(second));
        // As if it were long, so that the short form is always a gain.
        const { shorter } = shorterContext('x'.repeat(100_000), sections, base, inputOf(second));
        const before = new Map(resumeSections(inputOf(first)).map(({ key, build }) => [key, build()]));
        assert.ok(shorter);
        assert.equal(shorter.since, 5);
        for (const { key, title, build } of sections) {
          if (key !== 'tasks' && key !== 'editors' && key !== 'artifacts' && key !== 'rules') continue;
          compared += 1;
          const isAbove: boolean =
            shorter.text.includes(`## ${title}\n${asAbove}\n\n`) || shorter.text.endsWith(`## ${title}\n${asAbove}`);
          assert.equal(isAbove, build() === before.get(key), title);
        }
        for (const file of second.files) {
          const known = first.files.find(({ path }) => path === file.path);
          const isNew = known?.size !== file.size || known.mtimeMs !== file.mtimeMs;
          if (isNew) assert.ok(shorter.text.includes(`${oneLine(file.path)} (`));
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(compared > 0);
  });
});
