// The thin lines and notices that say what was done to the conversation so that it goes on: summarised, shortened, a part
// left out. All their words are here.
import type { EventOf } from '../core/events.ts';
import { countOf, grouped } from '../core/words.ts';
import type { TranscriptItem } from '../protocol/view.ts';

export type ContextEvent = EventOf<
  'history_healed' | 'results_trimmed' | 'compaction_started' | 'compaction_failed' | 'history_compacted'
>;

const compacting = 'compacting the conversation';
const compactionCut = 'compaction was cut; it is done again when the session goes on';

export function contextItem(event: ContextEvent): TranscriptItem {
  const { at } = event;
  switch (event.type) {
    case 'history_healed':
      return {
        kind: 'notice',
        id: `healed-${String(event.partSeq)}-${String(event.partBlock)}`,
        at,
        level: 'warning',
        text: `The server refused a part of this conversation: ${sentence(event.reason)} That part is left out of what is sent from here on; the trace keeps it.`,
      };
    case 'results_trimmed':
      return {
        kind: 'divider',
        id: `trimmed-${String(event.seq)}`,
        at,
        text: `older results shortened, ${tokens(event.tokensBefore, event.tokensAfter)}`,
        detail: 'The model gets the beginning of each and can look again. The trace keeps them whole.',
      };
    case 'compaction_started':
      return { kind: 'divider', id: compactionItemId(event.compactionId), at, text: compacting };
    case 'compaction_failed':
      return {
        kind: 'divider',
        id: compactionItemId(event.compactionId),
        at,
        text: 'not compacted',
        detail: event.error.message,
      };
    case 'history_compacted': {
      const how = event.by === 'model' ? 'summarised' : 'listed, without a summary';
      return {
        kind: 'divider',
        id: compactionItemId(event.compactionId),
        at,
        text: `compacted: ${countOf(event.steps, 'step')} ${how}, ${tokens(event.tokensBefore, event.tokensAfter)}`,
        detail: event.text,
      };
    }
  }
}

/** The line of a compaction that nobody makes any more; nothing for one that has ended. */
export function cutCompaction(line: TranscriptItem | undefined): readonly TranscriptItem[] {
  return line?.kind === 'divider' && line.text === compacting ? [{ ...line, text: compactionCut }] : [];
}

function compactionItemId(compactionId: string): string {
  return `compaction-${compactionId}`;
}

function tokens(before: number, after: number): string {
  return `${grouped(before)} → ${grouped(after)} tokens`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
