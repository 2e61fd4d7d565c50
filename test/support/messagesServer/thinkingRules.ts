// Checks the thinking of a request: its settings, and that each thinking block comes back as it was handed out.
// It must know nothing of how a signature is made.
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { CountTokensBody, MessagesBody, RequestBlock } from './requestSchema.ts';
import { checkRedacted, checkThinking, type SignatureCheck } from './signatures.ts';
import { turnsOf, type PlacedBlock, type Turn } from './turns.ts';
import { invalid, type ValidationError, type ValidationRules } from './validationRules.ts';

/** Checks `thinking` against the model and `max_tokens`. */
export function checkThinkingSettings(
  body: CountTokensBody | MessagesBody,
  model: ModelInfo,
): ValidationError | undefined {
  const { thinking } = body;
  if (thinking === undefined || thinking.type === 'disabled') return undefined;
  const types = model.capabilities?.thinking.types;
  if (types !== undefined && !types[thinking.type].supported) {
    return invalid(`"thinking.type.${thinking.type}" is not supported for this model.`);
  }
  if (thinking.type === 'enabled' && 'max_tokens' in body && body.max_tokens <= thinking.budget_tokens) {
    return invalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  const choice = body.tool_choice?.type;
  if (choice === 'any' || choice === 'tool') {
    return invalid('Thinking may not be enabled when tool_choice forces tool use.');
  }
  return undefined;
}

/** Checks `output_config.effort` against the model. */
export function checkEffort(
  { output_config }: CountTokensBody | MessagesBody,
  model: ModelInfo,
): ValidationError | undefined {
  const level = output_config?.effort;
  const takes = model.capabilities?.effort;
  if (!level || !takes) return undefined;
  if (!takes.supported) return invalid('This model does not support the effort parameter.');
  if (!takes[level]?.supported) return invalid(`output_config.effort: '${level}' is not supported for this model.`);
  return undefined;
}

function isThinking(block: RequestBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function signatureOf(block: RequestBlock, model: string, key: string): SignatureCheck {
  switch (block.type) {
    case 'thinking':
      return checkThinking(key, model, block.thinking, block.signature);
    case 'redacted_thinking':
      return checkRedacted(key, model, block.data);
    default:
      return 'valid';
  }
}

function checkSignature(placed: PlacedBlock, inLatest: boolean, body: CountTokensBody, rules: ValidationRules) {
  const check = signatureOf(placed.block, body.model, rules.signingKey);
  if (check === 'valid') return undefined;
  const path = `messages.${placed.message}.content.${placed.index}`;
  if (check === 'altered' && inLatest) {
    return invalid(
      `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
        'These blocks must remain as they were in the original response.',
    );
  }
  const field = placed.block.type === 'thinking' ? 'signature' : 'data';
  return invalid(`${path}: Invalid \`${field}\` in \`${placed.block.type}\` block`);
}

function checkLastBlocks(turn: Turn): ValidationError | undefined {
  for (const [at, { block, message }] of turn.blocks.entries()) {
    const endsMessage = turn.blocks[at + 1]?.message !== message;
    if (endsMessage && isThinking(block)) {
      return invalid(`messages.${message}: The final block in an assistant message cannot be \`thinking\`.`);
    }
  }
  return undefined;
}

// With a thinking budget the turn that used tools last must begin with its thinking; it may also have none at all.
function checkFirstBlock(turn: Turn): ValidationError | undefined {
  const first = turn.blocks[0];
  if (first === undefined || isThinking(first.block)) return undefined;
  if (!turn.blocks.some(({ block }) => block.type === 'tool_use')) return undefined;
  if (!turn.blocks.some(({ block }) => isThinking(block))) return undefined;
  return invalid(
    `messages.${first.message}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
      `\`${first.block.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking ` +
      'block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). To avoid this requirement, disable ' +
      '`thinking`.',
  );
}

/** Checks every thinking block of the conversation: its signature and its place. */
export function checkThinkingBlocks(body: CountTokensBody, rules: ValidationRules): ValidationError | undefined {
  const turns = turnsOf(body.messages).filter((turn) => turn.role === 'assistant');
  const latest = turns.at(-1);
  for (const turn of turns) {
    for (const placed of turn.blocks) {
      const error = checkSignature(placed, turn === latest, body, rules);
      if (error !== undefined) return error;
    }
    const error = checkLastBlocks(turn);
    if (error !== undefined) return error;
  }
  return latest !== undefined && body.thinking?.type === 'enabled' ? checkFirstBlock(latest) : undefined;
}
