// Builds the body of a Messages API request from the conversation of a session. The result is one that the API
// accepts, whatever the trace looks like, and deterministic: the same conversation always gives the same bytes, and
// a longer one starts with the bytes of the shorter. The trace itself is never changed.
import type { CutReason, EventOf } from './events.ts';
import type {
  AssistantBlock,
  Effort,
  ModelRequest,
  RequestMessage,
  TextBlock,
  ThinkingMode,
  ToolUseBlock,
  UserBlock,
} from './messages.ts';
import { healedText, historyEdits, isTrimmed, trimmedResult, type HistoryEdits } from './historyEdits.ts';
import type { ConversationEvent, Prompt } from './sessionState.ts';
import { userParts } from './userParts.ts';
import { wellFormed } from './wellFormed.ts';

export interface RequestSettings {
  readonly model: string;
  readonly thinking: ThinkingMode;
  /** Only for a model that takes it; absent leaves it to the model. */
  readonly effort?: Effort;
  readonly maxTokens: number;
  /** Whether the model takes `role: "system"` inside `messages`. */
  readonly takesSystemMessages: boolean;
  /** Tokens of input and output together; undefined where nothing is known, and nothing is done about it. */
  readonly contextWindow?: number;
}

/** The answer to a call whose end was never recorded, when nothing better is known. */
export const unknownOutcome = 'Interrupted. The outcome of this call is unknown: check before you do it again.';
export const lostBeginning = '(The beginning of this conversation could not be read.)';
/** Stands where an answer never came: after a system message the API takes nothing but the assistant's turn. */
export const unansweredTurn = '(No answer: the run was cut here.)';
/** Stands behind an answer that was cut, as the user's words: in the answer itself it would be the model's. */
function cutNote(why: CutReason, isOfAgent: boolean): string {
  const seen = isOfAgent ? '' : ' The user has seen it up to this point.';
  return `(Your answer above was cut off here: ${cutWords[why]}.${seen})`;
}
const cutWords: Readonly<Record<CutReason, string>> = {
  stopped: 'the user stopped the run',
  time_limit: 'the run reached its time limit',
  closed: 'the editor was closed',
  failed: 'the connection to the model failed',
};
const goOn = 'Continue.';
const noOutput = '(no output)';

/** The request that the conversation leads to. Pure; throws nothing. */
export function buildRequest(
  conversation: readonly ConversationEvent[],
  prompt: Prompt,
  settings: RequestSettings,
): ModelRequest {
  return {
    model: settings.model,
    max_tokens: settings.maxTokens,
    ...(settings.thinking === 'adaptive' && { thinking: { type: 'adaptive' as const } }),
    ...(settings.effort && { output_config: { effort: settings.effort } }),
    cache_control: { type: 'ephemeral' },
    system: [{ type: 'text', text: prompt.system.toWellFormed() }],
    tools: prompt.tools.map((tool) => ({
      name: tool.name,
      description: tool.description.toWellFormed(),
      input_schema: wellFormed(tool.input_schema),
    })),
    messages: buildMessages(conversation, settings),
  };
}

export function buildMessages(
  conversation: readonly ConversationEvent[],
  settings: Pick<RequestSettings, 'model' | 'takesSystemMessages'>,
): RequestMessage[] {
  return buildWithSources(conversation, settings).messages;
}

/** A block of a record, by its place among the blocks that the record is sent as. */
export interface PartSource {
  readonly seq: number;
  readonly block: number;
  /** Of a tool result: the call that it answers. */
  readonly call?: Omit<PartSource, 'call'>;
}

export interface BuiltMessages {
  readonly messages: RequestMessage[];
  /** Where each block of each message comes from; undefined for words that no record has. */
  readonly sources: readonly (readonly (PartSource | undefined)[])[];
}

interface Sourced<B> {
  readonly block: B;
  readonly source?: PartSource;
}
/** A block of an answer; `leftOut` is the call that a text stands for. */
type SentBlock = Sourced<AssistantBlock> & { readonly leftOut?: ToolUseBlock };

/** The messages with a map back to the records, so that a part which is refused can be told. */
export function buildWithSources(
  conversation: readonly ConversationEvent[],
  settings: Pick<RequestSettings, 'model' | 'takesSystemMessages'>,
): BuiltMessages {
  const edits = historyEdits(conversation);
  const results = firstResults(edits.entries);
  const usedIds = new Set<string>();
  const messages: RequestMessage[] = [];
  const sources: (readonly (PartSource | undefined)[])[] = [];
  const put = (message: RequestMessage, from: readonly { readonly source?: PartSource }[]): void => {
    messages.push(message);
    sources.push(from.map(({ source }) => source));
  };
  const say = (...blocks: Sourced<UserBlock>[]): void => {
    if (messages.at(-1)?.role === 'system') put({ role: 'assistant', content: [textBlock(unansweredTurn)] }, [{}]);
    put({ role: 'user', content: blocks.map(({ block }) => block) }, blocks);
  };
  /** The text of a record, or why it is left out. */
  const told = (seq: number, index: number, text: string): Sourced<TextBlock> => {
    const reason = edits.healed(seq, index);
    return { block: textBlock(reason === undefined ? text : healedText(reason)), source: { seq, block: index } };
  };
  if (edits.compaction) say(told(edits.compaction.seq, 0, edits.compaction.text));
  for (const entry of edits.entries) {
    switch (entry.type) {
      case 'user_message_added': {
        const parts = userParts(entry).map((part, index) => {
          const image = part.kind === 'image' && edits.healed(entry.seq, index) === undefined ? part.block : undefined;
          return image ? { block: image, source: { seq: entry.seq, block: index } } : told(entry.seq, index, part.text);
        });
        if (parts.length > 0) say(...parts);
        break;
      }
      case 'assistant_message_completed': {
        const thinkingFor = entry.seq > edits.thinkingDroppedAt ? settings.model : undefined;
        const content = sendableBlocks(entry, thinkingFor, usedIds, edits);
        if (content.length === 0) break;
        // What was said between two answers is not there (any more); the second was asked for with these words.
        if (messages.at(-1)?.role === 'assistant') say({ block: textBlock(goOn) });
        put({ role: 'assistant', content: content.map(({ block }) => block) }, content);
        const answers = answersTo(content, results, edits);
        if (answers.length > 0) put({ role: 'user', content: answers.map(({ block }) => block) }, answers);
        // Only a turn that waits for a tool of the server itself may stand last, and none of those is offered.
        else if (entry.stopReason === 'pause_turn') say({ block: textBlock(goOn) });
        break;
      }
      case 'assistant_message_cut': {
        // The API takes no blank text, and no white space at the end of a last answer.
        const text = entry.text.trimEnd();
        if (entry.why === undefined || isBlank(text)) break;
        if (messages.at(-1)?.role === 'assistant') say({ block: textBlock(goOn) });
        const { block, source } = told(entry.seq, 0, text);
        put({ role: 'assistant', content: [block] }, [{ ...(source && { source }) }]);
        say({ block: textBlock(cutNote(entry.why, entry.agentId !== undefined)) });
        break;
      }
      case 'relaunch_prepared': {
        const prompt = told(entry.seq, 0, entry.prompt);
        const context = edits.contextOf(entry);
        const inSystem = entry.placement === 'system' && settings.takesSystemMessages;
        // A system message that was refused may have been refused for its place.
        if (inSystem && edits.healed(entry.seq, 1) === undefined) {
          say(prompt);
          put({ role: 'system', content: [textBlock(context)] }, [{ source: { seq: entry.seq, block: 1 } }]);
        } else {
          say(prompt, told(entry.seq, 1, `<resume_context>\n${context}\n</resume_context>`));
        }
        break;
      }
      case 'step_finished':
      case 'thinking_dropped':
      case 'history_healed':
      case 'results_trimmed':
      case 'compaction_started':
      case 'compaction_failed':
      case 'history_compacted':
        break;
    }
  }
  if (messages[0]?.role !== 'user') {
    messages.unshift({ role: 'user', content: [textBlock(lostBeginning)] });
    sources.unshift([undefined]);
  }
  // Anything else would be a prefill, which is refused.
  if (messages.at(-1)?.role === 'assistant') say({ block: textBlock(goOn) });
  return { messages, sources };
}

function firstResults(conversation: readonly ConversationEvent[]): Map<string, EventOf<'step_finished'>> {
  const results = new Map<string, EventOf<'step_finished'>>();
  for (const entry of conversation) {
    if (entry.type === 'step_finished' && !results.has(entry.stepId)) results.set(entry.stepId, entry);
  }
  return results;
}

/** The answers to the calls of a message. Results stand in front: only there do they answer their calls. */
function answersTo(
  content: readonly SentBlock[],
  results: ReadonlyMap<string, EventOf<'step_finished'>>,
  edits: HistoryEdits,
): readonly Sourced<UserBlock>[] {
  const answers: Sourced<UserBlock>[] = [];
  const texts: Sourced<UserBlock>[] = [];
  for (const { block, source, leftOut } of content) {
    const call = block.type === 'tool_use' ? block : leftOut;
    if (call && source) (leftOut ? texts : answers).push(answer(call, source, leftOut !== undefined, results, edits));
  }
  return texts.length === 0 ? answers : [...answers, ...texts];
}

/**
 * The answer to a call, as the records have it: shortened or left out where they say so.
 * @param calledAt the place of the call
 * @param isText the call itself is left out: its result is told as text, which answers nothing
 */
function answer(
  call: ToolUseBlock,
  calledAt: PartSource,
  isText: boolean,
  results: ReadonlyMap<string, EventOf<'step_finished'>>,
  edits: HistoryEdits,
): Sourced<UserBlock> {
  const result = results.get(call.id);
  const source: PartSource = result ? { seq: result.seq, block: 0, call: calledAt } : { ...calledAt, call: calledAt };
  const content = result ? resultContent(result, call, edits) : unknownOutcome;
  if (isText) return { block: textBlock(`Result of the call of ${call.name} that is left out:\n${content}`), source };
  return {
    block: {
      type: 'tool_result',
      tool_use_id: call.id,
      content,
      ...((result?.isError ?? true) && { is_error: true as const }),
    },
    source,
  };
}

function resultContent(result: EventOf<'step_finished'>, call: ToolUseBlock, edits: HistoryEdits): string {
  const reason = edits.healed(result.seq, 0);
  if (reason !== undefined) return healedText(reason).toWellFormed();
  const keep = edits.keepOf(result.seq);
  const content = isTrimmed(result.content.length, keep) ? trimmedResult(result.content, keep, call) : result.content;
  return isBlank(content) ? noOutput : content.toWellFormed();
}

/**
 * The blocks of an answer that may be sent again: thinking byte for byte and only to the model that made it,
 * no blank text, no call id twice. A refused answer is left out whole: the API wants it gone. A part that was refused
 * is a text that says so.
 * @param thinkingFor the model that may see its thinking; undefined when it refused it
 */
function sendableBlocks(
  message: EventOf<'assistant_message_completed'>,
  thinkingFor: string | undefined,
  usedIds: Set<string>,
  edits: HistoryEdits,
): readonly SentBlock[] {
  if (message.stopReason === 'refusal') return [];
  const blocks: SentBlock[] = [];
  let index = -1;
  for (const block of message.content) {
    index += 1;
    const source = { seq: message.seq, block: index };
    const reason = edits.healed(message.seq, index);
    switch (block.type) {
      case 'text':
        if (!isBlank(block.text))
          blocks.push({ block: textBlock(reason === undefined ? block.text : healedText(reason)), source });
        break;
      case 'thinking':
        if (reason !== undefined || message.model !== thinkingFor) break;
        if (block.signature !== '' && block.thinking.isWellFormed())
          blocks.push({ block: { type: 'thinking', thinking: block.thinking, signature: block.signature }, source });
        break;
      case 'redacted_thinking':
        if (reason === undefined && message.model === thinkingFor)
          blocks.push({ block: { type: 'redacted_thinking', data: block.data }, source });
        break;
      case 'tool_use':
        if (usedIds.has(block.id)) break;
        usedIds.add(block.id);
        if (reason === undefined)
          blocks.push({
            block: { type: 'tool_use', id: block.id, name: block.name, input: wellFormed(block.input) },
            source,
          });
        else blocks.push({ block: textBlock(healedText(reason)), source, leftOut: block });
        break;
    }
  }
  // Thinking that leads to nothing is no turn: the API refuses a message that ends with it or has nothing else.
  const last = blocks.findLastIndex(({ block }) => block.type === 'text' || block.type === 'tool_use');
  return last === blocks.length - 1 ? blocks : blocks.slice(0, last + 1);
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text: text.toWellFormed() };
}

function isBlank(text: string): boolean {
  // Looks no further than to the first sign; a trim would go through all the white space at the end too.
  return !/\S/.test(text);
}
