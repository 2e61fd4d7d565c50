// Checks that the messages make a conversation: roles in order, nothing empty, each tool call answered once and at once.
// It must know nothing of thinking, tools' schemas or sizes.
import type { CountTokensBody, RequestBlock, RequestMessage } from './requestSchema.ts';
import { blocksOf, turnsOf, type PlacedBlock, type Turn } from './turns.ts';
import { invalid, type ValidationError, type ValidationRules } from './validationRules.ts';

type Messages = readonly RequestMessage[];

const assistantOnly: ReadonlySet<RequestBlock['type']> = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
]);
const userOnly: ReadonlySet<RequestBlock['type']> = new Set(['tool_result', 'image', 'document']);

function startsWithAny(id: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => id.startsWith(prefix));
}

function checkRoles(messages: Messages, takesSystem: boolean): ValidationError | undefined {
  for (const { role } of messages) {
    if (role === 'system' && !takesSystem) return invalid("role 'system' is not supported on this model");
    if (role === 'user' || role === 'assistant' || role === 'system') continue;
    return invalid(`messages: Unexpected role "${role}". Allowed roles are "user" or "assistant".`);
  }
  if (messages[0]?.role !== 'user') return invalid('messages: first message must use the "user" role');
  return undefined;
}

function checkSystemMessage(messages: Messages, at: number): ValidationError | undefined {
  const before = messages[at - 1]?.role;
  if (before === 'system') return invalid(`messages.${at}: consecutive 'system' messages are not allowed`);
  if (before !== 'user') return invalid(`messages.${at}: a 'system' message must directly follow a 'user' message`);
  const after = messages[at + 1]?.role;
  if (after === 'user') {
    return invalid(`messages.${at}: a 'system' message must be last or be followed by an 'assistant' message`);
  }
  const message = messages[at];
  if (message !== undefined && blocksOf(message).some((block) => block.type !== 'text')) {
    return invalid(`messages.${at}: 'system' messages may only contain text blocks`);
  }
  return undefined;
}

function checkPlaces(messages: Messages): ValidationError | undefined {
  for (const [at, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const mayBeEmpty = at === messages.length - 1 && message.role === 'assistant';
    if (blocks.length === 0 && !mayBeEmpty) {
      return invalid(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    if (message.role === 'system') {
      const error = checkSystemMessage(messages, at);
      if (error !== undefined) return error;
      continue;
    }
    const foreign = message.role === 'user' ? assistantOnly : userOnly;
    const index = blocks.findIndex((block) => foreign.has(block.type));
    const block = blocks[index];
    if (block === undefined) continue;
    const home = message.role === 'user' ? 'assistant' : 'user';
    return invalid(`messages.${at}.content.${index}: \`${block.type}\` blocks can only be in \`${home}\` messages`);
  }
  return undefined;
}

function toolUses(turn: Turn | undefined): readonly (PlacedBlock & { readonly id: string })[] {
  if (turn?.role !== 'assistant') return [];
  return turn.blocks.flatMap((placed) =>
    placed.block.type === 'tool_use' ? [{ ...placed, id: placed.block.id }] : [],
  );
}

function toolResults(turn: Turn | undefined): readonly (PlacedBlock & { readonly id: string })[] {
  if (turn?.role !== 'user') return [];
  return turn.blocks.flatMap((placed) =>
    placed.block.type === 'tool_result' ? [{ ...placed, id: placed.block.tool_use_id }] : [],
  );
}

// Only results in front of everything else in the turn answer a call.
function leadingResultIds(turn: Turn | undefined): ReadonlySet<string> {
  if (turn?.role !== 'user') return new Set();
  const end = turn.blocks.findIndex(({ block }) => block.type !== 'tool_result');
  const leading = end < 0 ? turn.blocks : turn.blocks.slice(0, end);
  return new Set(toolResults({ ...turn, blocks: leading }).map(({ id }) => id));
}

function checkAnswered(turn: Turn, next: Turn | undefined): ValidationError | undefined {
  const answered = leadingResultIds(next);
  const missing = toolUses(turn).filter(({ id }) => !answered.has(id));
  const first = missing[0];
  if (first === undefined) return undefined;
  return invalid(
    `messages.${first.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${missing.map(({ id }) => id).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` ` +
      'block in the next message.',
  );
}

function checkAsked(turn: Turn, previous: Turn | undefined): ValidationError | undefined {
  const asked = new Set(toolUses(previous).map(({ id }) => id));
  const seen = new Set<string>();
  for (const { id, message, index } of toolResults(turn)) {
    const path = `messages.${message}.content.${index}`;
    if (!asked.has(id)) {
      return invalid(
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must ` +
          'have a corresponding `tool_use` block in the previous message.',
      );
    }
    if (seen.has(id)) {
      return invalid(
        `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    seen.add(id);
  }
  return undefined;
}

function checkToolPairs(turns: readonly Turn[]): ValidationError | undefined {
  const ids = new Set<string>();
  for (const { id, message, index } of turns.flatMap(toolUses)) {
    if (ids.has(id)) return invalid(`messages.${message}.content.${index}: \`tool_use\` ids must be unique`);
    ids.add(id);
  }
  for (const [at, turn] of turns.entries()) {
    const error = turn.role === 'assistant' ? checkAnswered(turn, turns[at + 1]) : checkAsked(turn, turns[at - 1]);
    if (error !== undefined) return error;
  }
  return undefined;
}

function checkEnd(body: CountTokensBody, rules: ValidationRules): ValidationError | undefined {
  const last = body.messages.at(-1);
  if (last?.role !== 'assistant') return undefined;
  const block = blocksOf(last).at(-1);
  // A paused turn is sent back as it is, to be continued by the server.
  if (block?.type === 'server_tool_use') return undefined;
  if (block?.type === 'text' && block.text !== block.text.trimEnd()) {
    return invalid('messages: final assistant content cannot end with trailing whitespace');
  }
  const isThinking = body.thinking !== undefined && body.thinking.type !== 'disabled';
  if (isThinking) {
    return invalid(
      'Prefilling assistant responses is not supported when thinking is enabled. The conversation must end with a ' +
        'user message.',
    );
  }
  if (startsWithAny(body.model, rules.prefillModels)) return undefined;
  return invalid(
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
}

/** The first rule of a conversation that `body` breaks. */
export function checkConversation(body: CountTokensBody, rules: ValidationRules): ValidationError | undefined {
  if (body.messages.length === 0) return invalid('messages: at least one message is required');
  return (
    checkRoles(body.messages, startsWithAny(body.model, rules.systemRoleModels)) ??
    checkPlaces(body.messages) ??
    checkToolPairs(turnsOf(body.messages)) ??
    checkEnd(body, rules)
  );
}
