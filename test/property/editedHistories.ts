// Puts into a history what changes how it is sent: summaries, shortened results, parts left out. Each stands where a run
// writes it, before a request, and points at any earlier record, sensible or not.
import fc from 'fast-check';
import type { EventType, NewEvent } from '../../src/core/events.ts';

interface EditPlan {
  readonly kind: 'compact' | 'cut' | 'fail' | 'trim' | 'heal';
  /** Where in the history, and what of what stands before it: 0 to 1. */
  readonly where: number;
  readonly upto: number;
  readonly block: number;
  readonly keep: number;
  readonly text: string;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

export const editPlans: fc.Arbitrary<readonly EditPlan[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('compact', 'cut', 'fail', 'trim', 'heal', 'heal'),
    where: share,
    upto: share,
    block: fc.nat(4),
    keep: fc.constantFrom(0, 5, 300),
    text: fc.constantFrom('Done so far.', 'a\ud83d', '🎉'),
  }),
  { maxLength: 6 },
);

/** Types after which other bytes are sent than before. */
export const editTypes: ReadonlySet<EventType> = new Set(['history_healed', 'results_trimmed', 'history_compacted']);

/** The history with the edits in it; a place without a request after it takes none. */
export function withEdits(events: readonly NewEvent[], plans: readonly EditPlan[]): readonly NewEvent[] {
  return plans.reduce<readonly NewEvent[]>((all, plan, index) => {
    const at = all.findIndex(({ type }, place) => place >= plan.where * all.length && type === 'request_started');
    if (at === -1) return all;
    // Records behind it get other numbers: what was edited before may point elsewhere then, which is as good.
    return [...all.slice(0, at), ...edit(plan, at, `k${String(index)}`), ...all.slice(at)];
  }, events);
}

function edit({ kind, upto, block, keep, text }: EditPlan, at: number, compactionId: string): readonly NewEvent[] {
  const seq = 1 + Math.floor(upto * Math.max(0, at - 1));
  const started: NewEvent = { type: 'compaction_started', compactionId, trigger: 'threshold', tokensBefore: 9 };
  switch (kind) {
    case 'heal':
      return [{ type: 'history_healed', requestId: 'q', partSeq: seq, partBlock: block, reason: text }];
    case 'trim':
      return [{ type: 'results_trimmed', uptoSeq: seq, keep, tokensBefore: 9, tokensAfter: 5 }];
    case 'cut':
      return [started];
    case 'fail':
      return [started, { type: 'compaction_failed', compactionId, error: { code: 'no_summary', message: text } }];
    case 'compact':
      return [
        started,
        {
          type: 'history_compacted',
          compactionId,
          by: 'model',
          uptoSeq: seq,
          summary: text,
          text,
          steps: 1,
          tokensBefore: 9,
          tokensAfter: 5,
        },
      ];
  }
}
