// How much of the model's window a conversation takes, and what has to be done about it before the next request: nothing,
// shorten old results, or compact. Pure and the same for the same records. It must never do any of it.
import type { CompactionTrigger } from './events.ts';
import { historyEdits, isTrimmed, type HistoryEdits } from './historyEdits.ts';
import type { ConversationEvent, Prompt } from './sessionState.ts';
import { imageTokens, userTexts } from './userParts.ts';

export interface ContextLimits {
  /** Tokens of input and output together. */
  readonly window: number;
  /** Tokens that an answer may take. */
  readonly maxTokens: number;
}

export type ContextPlan =
  | { readonly kind: 'send' }
  | {
      readonly kind: 'trim';
      readonly uptoSeq: number;
      /** Characters of each result that stay. */
      readonly keep: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: 'compact'; readonly uptoSeq: number; readonly tokens: number }
  /** Nothing is left that could be shortened. */
  | { readonly kind: 'full'; readonly tokens: number };

/** Shares of the window. A trim breaks the cached prefix, so it must be worth that, and what is recent stays whole. */
const trimFrom = 0.5;
const worthTrimming = 0.2;
const recentShare = 0.15;
/** What the last turns may take after a compaction. */
const tailShare = 0.1;
const longestTail = 40_000;
/** The same where the window would take more, as a share of the conversation. */
const wantedTailShare = 0.2;
/** Room for what one turn may add, so that there is place for a summary when it is needed. */
const headroomShare = 0.1;
const largestHeadroom = 30_000;
/** The estimate may be wrong by so much. */
const safetyShare = 0.02;
const softKeep = 300;
const hardKeeps = [4_000, 1_000, 200] as const;
/** No text has fewer tokens: what a server counts less than this was not counted whole. Characters per token. */
const mostCharactersPerToken = 5;
const blockTokens = 12;
/** Of the words behind an answer that was cut. */
const cutNoteTokens = 40;

/** Tokens of input that may be sent. */
export function inputLimit({ window, maxTokens }: ContextLimits): number {
  return Math.floor(window - Math.min(maxTokens, window / 2) - window * safetyShare);
}

/** Tokens of input from which on the conversation is compacted. */
export function compactionThreshold(limits: ContextLimits): number {
  return inputLimit(limits) - Math.min(largestHeadroom, Math.floor(limits.window * headroomShare));
}

/** Tokens of a text, rather too many than too few. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) wide += 1;
  return Math.ceil((text.length - wide) / 3 + wide);
}

/** Tokens of the system prompt and the tools. */
export function promptTokens(prompt: Prompt): number {
  return prompt.tools.reduce(
    (sum, tool) =>
      sum + blockTokens + estimateTokens(tool.description) + estimateTokens(JSON.stringify(tool.input_schema)),
    estimateTokens(prompt.system),
  );
}

/** Tokens that an entry of the conversation is sent as. */
function entryTokens(entry: ConversationEvent, edits: HistoryEdits): number {
  switch (entry.type) {
    case 'user_message_added':
      return userTexts(entry).reduce((sum, text) => sum + blockTokens + estimateTokens(text), imageTokens(entry));
    case 'assistant_message_cut':
      return 2 * blockTokens + cutNoteTokens + estimateTokens(entry.text);
    case 'relaunch_prepared':
      return 2 * blockTokens + estimateTokens(entry.prompt) + estimateTokens(edits.contextOf(entry));
    case 'step_finished': {
      const keep = edits.keepOf(entry.seq);
      const content = isTrimmed(entry.content.length, keep) ? entry.content.slice(0, keep + softKeep) : entry.content;
      return blockTokens + estimateTokens(content);
    }
    case 'assistant_message_completed':
      return entry.content.reduce((sum, block) => {
        switch (block.type) {
          case 'text':
            return sum + blockTokens + estimateTokens(block.text);
          case 'thinking':
            return sum + blockTokens + estimateTokens(block.thinking) + estimateTokens(block.signature);
          case 'redacted_thinking':
            return sum + blockTokens + estimateTokens(block.data);
          case 'tool_use':
            return sum + 2 * blockTokens + estimateTokens(JSON.stringify(block.input));
        }
      }, 0);
    case 'thinking_dropped':
    case 'history_healed':
    case 'results_trimmed':
    case 'compaction_started':
    case 'compaction_failed':
    case 'history_compacted':
      return 0;
  }
}

/** Tokens of what is sent of these entries. */
export function tokensOf(entries: readonly ConversationEvent[], edits: HistoryEdits): number {
  return entries.reduce((sum, entry) => sum + entryTokens(entry, edits), 0);
}

export interface ContextSize {
  readonly tokens: number;
  /** What of it a server or an earlier record counted; the rest is estimated. */
  readonly counted: number;
}

/** Tokens that the next request has: what the last answer counted, and an estimate of what was added since. */
export function contextSize(conversation: readonly ConversationEvent[], prompt: Prompt): ContextSize {
  const edits = historyEdits(conversation);
  const anchor = edits.entries.findLastIndex(
    ({ type }) => type === 'assistant_message_completed' || type === 'results_trimmed' || type === 'history_compacted',
  );
  const counted = countedAt(edits.entries[anchor]);
  const added = tokensOf(edits.entries.slice(anchor + 1), edits);
  if (counted === undefined) return { tokens: promptTokens(prompt) + added, counted: 0 };
  return { tokens: Math.max(counted + added, leastTokens(edits, prompt)), counted };
}

function countedAt(entry: ConversationEvent | undefined): number | undefined {
  if (entry?.type === 'results_trimmed' || entry?.type === 'history_compacted') return entry.tokensAfter;
  if (entry?.type !== 'assistant_message_completed') return undefined;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = entry.usage;
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
}

/** Some servers count only what they did not have in a cache of their own, or nothing at all. */
function leastTokens(edits: HistoryEdits, prompt: Prompt): number {
  let characters = prompt.system.length + (edits.compaction?.text.length ?? 0);
  for (const entry of edits.entries) {
    if (entry.type === 'user_message_added') characters += userTexts(entry).join('').length;
    else if (entry.type === 'assistant_message_cut') characters += entry.text.length;
    else if (entry.type === 'step_finished')
      characters += Math.min(entry.content.length, edits.keepOf(entry.seq) ?? entry.content.length);
    else if (entry.type === 'assistant_message_completed')
      for (const block of entry.content) if (block.type === 'text') characters += block.text.length;
  }
  return Math.floor(characters / mostCharactersPerToken);
}

/**
 * What has to be done before the next request.
 * @param size as `contextSize` says, or as a server counted it
 * @param wanted who wants a compaction whatever the size is; the server's `window_full` must make room, the user's may not
 */
export function planContext(
  conversation: readonly ConversationEvent[],
  prompt: Prompt,
  size: number,
  limits: ContextLimits,
  wanted?: CompactionTrigger,
): ContextPlan {
  const edits = historyEdits(conversation);
  const must = wanted === 'window_full';
  const longest = Math.min(longestTail, Math.floor(limits.window * tailShare));
  if (wanted === 'user' || must) {
    const tail = Math.min(longest, Math.floor(tokensOf(edits.entries, edits) * wantedTailShare));
    const boundary = compactionBoundary(edits, tail);
    if (boundary !== undefined) return { kind: 'compact', uptoSeq: boundary, tokens: size };
  }
  if (size >= limits.window * trimFrom) {
    const trim = softTrim(edits, size, limits.window);
    if (trim) return trim;
  }
  const boundary = size > compactionThreshold(limits) ? compactionBoundary(edits, longest) : undefined;
  if (boundary !== undefined) {
    const dropped = edits.entries.filter(({ seq }) => seq <= boundary);
    // A summary of little makes no room: then it is the last turn that is long.
    if (tokensOf(dropped, edits) + textTokens(edits) > limits.window * tailShare)
      return { kind: 'compact', uptoSeq: boundary, tokens: size };
  }
  if (size <= inputLimit(limits) && !must) return { kind: 'send' };
  const target = must ? Math.floor(size * 0.8) : inputLimit(limits);
  return hardTrim(edits, prompt, size, target) ?? { kind: 'full', tokens: size };
}

/**
 * The last `seq` that a summary would stand for: what comes after it are whole turns that take `tail` tokens at most, and
 * the last answer in any case. Undefined when no answer would be summarised.
 */
function compactionBoundary(edits: HistoryEdits, tail: number): number | undefined {
  const { entries } = edits;
  const lastAnswer = entries.findLastIndex(({ type }) => type === 'assistant_message_completed');
  let boundary = -1;
  let tokens = 0;
  for (let i = entries.length - 1; i > 0; i--) {
    const entry = entries[i];
    if (!entry) break;
    tokens += entryTokens(entry, edits);
    if (i <= lastAnswer && tokens > tail && boundary !== -1) break;
    const begins =
      entry.type === 'assistant_message_completed' ||
      entry.type === 'user_message_added' ||
      entry.type === 'relaunch_prepared';
    if (begins && i <= lastAnswer) boundary = i;
  }
  const first = entries[boundary];
  const summarises = entries.slice(0, boundary).some(({ type }) => type === 'assistant_message_completed');
  return first && summarises ? first.seq - 1 : undefined;
}

/** Shortens what is old, when that makes room worth a broken cache. */
function softTrim(edits: HistoryEdits, size: number, window: number): ContextPlan | undefined {
  const { entries } = edits;
  let recent = 0;
  let at = entries.length - 1;
  const lastAnswer = entries.findLastIndex(({ type }) => type === 'assistant_message_completed');
  for (; at >= 0; at--) {
    const entry = entries[at];
    if (entry) recent += entryTokens(entry, edits);
    if (at < lastAnswer && recent > window * recentShare) break;
  }
  const uptoSeq = entries[at]?.seq;
  if (uptoSeq === undefined) return undefined;
  const saved = savedBy(edits, uptoSeq, softKeep);
  if (saved < window * worthTrimming) return undefined;
  return { kind: 'trim', uptoSeq, keep: softKeep, tokensBefore: size, tokensAfter: size - saved };
}

/** Shortens every result, the last ones too, as far as it must be. */
function hardTrim(edits: HistoryEdits, prompt: Prompt, size: number, target: number): ContextPlan | undefined {
  const uptoSeq = edits.entries.at(-1)?.seq ?? 0;
  const tries = hardKeeps.flatMap((keep) => {
    const saved = savedBy(edits, uptoSeq, keep);
    if (saved === 0) return [];
    const keepOf = (seq: number): number => Math.min(edits.keepOf(seq) ?? keep, keep);
    // Both are rather too many: the size without the least that is gone, and an estimate of all that is left.
    const estimated = promptTokens(prompt) + textTokens(edits) + tokensOf(edits.entries, { ...edits, keepOf });
    return [{ keep, tokensAfter: Math.min(estimated, Math.max(0, size - saved)) }];
  });
  const chosen = tries.find(({ tokensAfter }) => tokensAfter <= target) ?? tries.at(-1);
  return chosen && { kind: 'trim', uptoSeq, tokensBefore: size, ...chosen };
}

/** Tokens that are saved for certain when results up to `uptoSeq` keep so many characters. */
function savedBy(edits: HistoryEdits, uptoSeq: number, keep: number): number {
  let characters = 0;
  for (const entry of edits.entries) {
    if (entry.type !== 'step_finished' || entry.seq > uptoSeq) continue;
    const before = edits.keepOf(entry.seq);
    const length = isTrimmed(entry.content.length, before) ? before : entry.content.length;
    if (isTrimmed(length, keep)) characters += length - keep - softKeep;
  }
  return Math.floor(characters / mostCharactersPerToken);
}

function textTokens({ compaction }: HistoryEdits): number {
  return compaction ? blockTokens + estimateTokens(compaction.text) : 0;
}
