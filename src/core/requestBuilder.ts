// Builds the body of a Messages API request from the conversation of a session. The result is one that the API
// accepts, whatever the trace looks like, and deterministic: the same conversation always gives the same bytes, and
// a longer one starts with the bytes of the shorter. The trace itself is never changed.
import type { EventOf } from './events.ts';
import type {
  AssistantBlock,
  ModelRequest,
  RequestMessage,
  TextBlock,
  ThinkingMode,
  ToolResultBlock,
  ToolUseBlock,
} from './messages.ts';
import type { ConversationEvent, Prompt } from './sessionState.ts';
import { wellFormed } from './wellFormed.ts';

export interface RequestSettings {
  readonly model: string;
  readonly thinking: ThinkingMode;
  readonly maxTokens: number;
  /** Whether the model takes `role: "system"` inside `messages`. */
  readonly takesSystemMessages: boolean;
}

/** The answer to a call whose end was never recorded, when nothing better is known. */
export const unknownOutcome = 'Interrupted. The outcome of this call is unknown: check before you do it again.';
export const lostBeginning = '(The beginning of this conversation could not be read.)';
/** Stands where an answer never came: after a system message the API takes nothing but the assistant's turn. */
export const unansweredTurn = '(No answer: the run was cut here.)';
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
  const results = firstResults(conversation);
  const usedIds = new Set<string>();
  const messages: RequestMessage[] = [];
  const say = (...blocks: TextBlock[]): void => {
    if (messages.at(-1)?.role === 'system') messages.push({ role: 'assistant', content: [textBlock(unansweredTurn)] });
    messages.push({ role: 'user', content: blocks });
  };
  const droppedUntil = conversation.findLastIndex((entry) => entry.type === 'thinking_dropped');
  for (const [index, entry] of conversation.entries()) {
    switch (entry.type) {
      case 'user_message_added':
        if (!isBlank(entry.text)) say(textBlock(entry.text), ...surroundingsOf(entry));
        break;
      case 'assistant_message_completed': {
        const content = sendableBlocks(entry, index > droppedUntil ? settings.model : undefined, usedIds);
        if (content.length === 0) break;
        // What was said between two answers is not there (any more); the second was asked for with these words.
        if (messages.at(-1)?.role === 'assistant') say(textBlock(goOn));
        messages.push({ role: 'assistant', content });
        const calls = content.filter((block) => block.type === 'tool_use');
        if (calls.length > 0) messages.push({ role: 'user', content: calls.map((call) => answer(call, results)) });
        // Only a turn that waits for a tool of the server itself may stand last, and none of those is offered.
        else if (entry.stopReason === 'pause_turn') say(textBlock(goOn));
        break;
      }
      case 'relaunch_prepared':
        if (entry.placement === 'system' && settings.takesSystemMessages) {
          say(textBlock(entry.prompt));
          messages.push({ role: 'system', content: [textBlock(entry.context)] });
        } else {
          say(textBlock(entry.prompt), textBlock(`<resume_context>\n${entry.context}\n</resume_context>`));
        }
        break;
      case 'step_finished':
      case 'thinking_dropped':
        break;
    }
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [textBlock(lostBeginning)] });
  // Anything else would be a prefill, which is refused.
  if (messages.at(-1)?.role === 'assistant') say(textBlock(goOn));
  return messages;
}

function surroundingsOf({ surroundings }: EventOf<'user_message_added'>): TextBlock[] {
  return surroundings === undefined ? [] : [textBlock(`<surroundings>\n${surroundings}\n</surroundings>`)];
}

function firstResults(conversation: readonly ConversationEvent[]): Map<string, EventOf<'step_finished'>> {
  const results = new Map<string, EventOf<'step_finished'>>();
  for (const entry of conversation) {
    if (entry.type === 'step_finished' && !results.has(entry.stepId)) results.set(entry.stepId, entry);
  }
  return results;
}

function answer(call: ToolUseBlock, results: ReadonlyMap<string, EventOf<'step_finished'>>): ToolResultBlock {
  const result = results.get(call.id);
  if (!result) return { type: 'tool_result', tool_use_id: call.id, content: unknownOutcome, is_error: true };
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: isBlank(result.content) ? noOutput : result.content.toWellFormed(),
    ...(result.isError && { is_error: true as const }),
  };
}

/**
 * The blocks of an answer that may be sent again: thinking byte for byte and only to the model that made it,
 * no blank text, no call id twice. A refused answer is left out whole: the API wants it gone.
 * @param thinkingFor the model that may see its thinking; undefined when it refused it
 */
function sendableBlocks(
  message: EventOf<'assistant_message_completed'>,
  thinkingFor: string | undefined,
  usedIds: Set<string>,
): AssistantBlock[] {
  if (message.stopReason === 'refusal') return [];
  const blocks: AssistantBlock[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        if (!isBlank(block.text)) blocks.push(textBlock(block.text));
        break;
      case 'thinking':
        if (message.model === thinkingFor && block.signature !== '' && block.thinking.isWellFormed())
          blocks.push({ type: 'thinking', thinking: block.thinking, signature: block.signature });
        break;
      case 'redacted_thinking':
        if (message.model === thinkingFor) blocks.push({ type: 'redacted_thinking', data: block.data });
        break;
      case 'tool_use':
        if (usedIds.has(block.id)) break;
        usedIds.add(block.id);
        blocks.push({ type: 'tool_use', id: block.id, name: block.name, input: wellFormed(block.input) });
        break;
    }
  }
  // Thinking that leads to nothing is no turn: the API refuses a message that ends with it or has nothing else.
  return blocks.slice(0, blocks.findLastIndex((block) => block.type === 'text' || block.type === 'tool_use') + 1);
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text: text.toWellFormed() };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
