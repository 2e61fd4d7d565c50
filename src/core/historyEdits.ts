// What the records say about how the conversation is sent: what a summary stands for, which results are shortened,
// which parts are left out. The trace itself is never changed. It must never decide that something is to be edited.
import type { EventOf } from './events.ts';
import type { ToolUseBlock } from './messages.ts';
import type { ConversationEvent } from './sessionState.ts';
import { headOf } from './wellFormed.ts';
import { grouped } from './words.ts';

export interface HistoryEdits {
  readonly compaction: EventOf<'history_compacted'> | undefined;
  /** What is sent after the compaction, in order; the whole conversation when there was none. */
  readonly entries: readonly ConversationEvent[];
  /** Thinking in records up to this one is not sent. */
  readonly thinkingDroppedAt: number;
  /** Why the part is left out; undefined when it is sent. */
  healed(seq: number, block: number): string | undefined;
  /** What of a resume's context is sent: what has changed since an earlier one, while that one is sent too; else the whole. */
  contextOf(relaunch: EventOf<'relaunch_prepared'>): string;
  /** Characters of a result that are sent at most; undefined when it is sent whole. */
  keepOf(seq: number): number | undefined;
}

/** Below this a result is not worth shortening: the words that say so take as much. In characters. */
const trimSlack = 400;

export function historyEdits(conversation: readonly ConversationEvent[]): HistoryEdits {
  const compaction = conversation.findLast((entry) => entry.type === 'history_compacted');
  // A session of thousands of steps has but its last ones in what is sent: no more than those are looked at.
  const uptoSeq = compaction?.uptoSeq ?? 0;
  const entries = compaction
    ? conversation.slice(conversation.findLastIndex(({ seq }) => seq <= uptoSeq) + 1)
    : conversation;
  let thinkingDroppedAt = 0;
  const healed = new Map<string, string>();
  const trims: EventOf<'results_trimmed'>[] = [];
  const contexts = new Set<number>();
  for (const entry of entries) {
    if (entry.type === 'thinking_dropped') thinkingDroppedAt = entry.seq;
    else if (entry.type === 'results_trimmed') trims.push(entry);
    else if (entry.type === 'relaunch_prepared') contexts.add(entry.seq);
    else if (entry.type === 'history_healed') healed.set(partKey(entry.partSeq, entry.partBlock), entry.reason);
  }
  return {
    compaction,
    entries,
    thinkingDroppedAt,
    contextOf: ({ seq, context, shorter }) => {
      // A trace from elsewhere may name any record: only an earlier one has been read by then.
      const isSent = shorter && shorter.since < seq && contexts.has(shorter.since);
      return isSent && !healed.has(partKey(shorter.since, 1)) ? shorter.text : context;
    },
    healed: (seq, block) => (healed.size === 0 ? undefined : healed.get(partKey(seq, block))),
    keepOf: (seq) => {
      let keep: number | undefined;
      for (const trim of trims) if (seq <= trim.uptoSeq) keep = Math.min(keep ?? trim.keep, trim.keep);
      return keep;
    },
  };
}

/** Whether a result of this many characters is shortened to `keep`. */
export function isTrimmed(length: number, keep: number | undefined): keep is number {
  return keep !== undefined && length > keep + trimSlack;
}

/** What of a result is sent, with what was left out and how to get it again. */
export function trimmedResult(content: string, keep: number, call: Pick<ToolUseBlock, 'id' | 'name'>): string {
  const head = headOf(content, keep);
  const left = `${grouped(content.length - head.length)} of ${grouped(content.length)} characters`;
  const note = `[Left out to save room: ${left} of the result of step ${call.id}. ${howToGet(call.name)}]`;
  return head.trim() === '' ? note : `${head}\n${note}`;
}

/** The text that stands where a refused part was. */
export function healedText(reason: string): string {
  return `(This part is left out: the server refused it and said: ${reason})`;
}

function howToGet(tool: string): string {
  switch (tool) {
    case 'read':
      return 'Read the file again if you need it.';
    case 'grep':
    case 'glob':
      return 'Search again if you need it.';
    case 'run_command':
      return 'Run the command again only if you need its output and it is safe to repeat.';
    default:
      return 'Ask again if you need it.';
  }
}

function partKey(seq: number, block: number): string {
  return `${String(seq)}:${String(block)}`;
}
