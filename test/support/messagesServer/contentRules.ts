// Checks what stands in a request: empty text, sizes, pictures, cache marks. It must know nothing of the order of
// messages.
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { CountTokensBody, MessagesBody, RequestBlock, ToolResultBlock } from './requestSchema.ts';
import { checkPicture } from './pictureRules.ts';
import { estimatePrompt } from './tokens.ts';
import { blocksOf } from './turns.ts';
import { invalid, type ValidationError, type ValidationRules } from './validationRules.ts';

type InnerBlock = Exclude<ToolResultBlock['content'], string | undefined>[number];
type AnyBlock = RequestBlock | InnerBlock;

interface Found {
  readonly path: string;
  readonly block: AnyBlock;
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const maxCacheMarks = 4;

function innerBlocks(block: RequestBlock): readonly InnerBlock[] {
  return block.type === 'tool_result' && typeof block.content === 'object' ? block.content : [];
}

/** Every block of the messages, those inside of tool results too, each after the block that holds it. */
function allBlocks(body: CountTokensBody): readonly Found[] {
  return body.messages.flatMap((message, at) =>
    blocksOf(message).flatMap((block, index): Found[] => {
      const path = `messages.${at}.content.${index}`;
      const inner = innerBlocks(block).map((part, place) => ({
        path: `${path}.tool_result.content.${place}`,
        block: part,
      }));
      return [{ path, block }, ...inner];
    }),
  );
}

function checkOneText(text: string, where: string): ValidationError | undefined {
  if (text === '') return invalid(`${where}: text content blocks must be non-empty`);
  if (text.trim() === '') return invalid(`${where}: text content blocks must contain non-whitespace text`);
  return undefined;
}

function checkErrorResult(block: ToolResultBlock, path: string): ValidationError | undefined {
  if (block.is_error !== true) return undefined;
  const { content } = block;
  if (content === undefined || content.length === 0) {
    return invalid(`${path}.tool_result: content cannot be empty if \`is_error\` is true`);
  }
  if (typeof content !== 'string' && content.some(({ type }) => type !== 'text')) {
    return invalid(`${path}.tool_result: all content must be type \`text\` if \`is_error\` is true`);
  }
  return undefined;
}

/** Refuses text that says nothing. */
export function checkText(body: CountTokensBody | MessagesBody): ValidationError | undefined {
  for (const { text } of typeof body.system === 'object' ? body.system : []) {
    const error = checkOneText(text, 'system');
    if (error !== undefined) return error;
  }
  for (const { path, block } of allBlocks(body)) {
    const error =
      block.type === 'text'
        ? checkOneText(block.text, 'messages')
        : block.type === 'tool_result'
          ? checkErrorResult(block, path)
          : undefined;
    if (error !== undefined) return error;
  }
  const stops = 'stop_sequences' in body ? (body.stop_sequences ?? []) : [];
  if (stops.some((stop) => stop.trim() === '')) {
    return invalid('stop_sequences: each stop sequence must contain non-whitespace');
  }
  return undefined;
}

/** Checks `max_tokens` and the size of the prompt against the model. */
export function checkSizes(body: CountTokensBody | MessagesBody, model: ModelInfo): ValidationError | undefined {
  if ('max_tokens' in body && model.max_tokens !== null && body.max_tokens > model.max_tokens) {
    return invalid(
      `max_tokens: ${body.max_tokens} > ${model.max_tokens}, which is the maximum allowed number of output tokens for ` +
        model.id,
    );
  }
  const tokens = estimatePrompt(body);
  if (model.max_input_tokens !== null && tokens > model.max_input_tokens) {
    return invalid(`prompt is too long: ${tokens} tokens > ${model.max_input_tokens} maximum`);
  }
  return undefined;
}

/** Refuses pictures that are too large, not base64 or not what they say. */
export function checkImages(body: CountTokensBody, rules: ValidationRules): ValidationError | undefined {
  const blocks = allBlocks(body);
  const count = blocks.filter(({ block }) => block.type === 'image').length;
  for (const { path, block } of blocks) {
    if (block.type !== 'image' || block.source.type !== 'base64') continue;
    const where = `${path}.image.source.base64`;
    const size = block.source.data.length;
    if (size > rules.maxImageBytes) {
      const limit = rules.maxImageBytes / (1024 * 1024);
      return invalid(`${where}: image exceeds ${limit} MB maximum: ${size} bytes > ${rules.maxImageBytes} bytes`);
    }
    if (size % 4 !== 0 || !base64.test(block.source.data)) return invalid(`${where}.data: Invalid base64 data`);
    const error = checkPicture(block.source.data, block.source.media_type, where, count);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Checks the number and the order of cache marks (tools, system, messages; the top-level one is the last). */
export function checkCacheControl(body: CountTokensBody): ValidationError | undefined {
  const holders = [
    ...(body.tools ?? []),
    ...(typeof body.system === 'object' ? body.system : []),
    ...allBlocks(body).map(({ block }) => block),
    body,
  ];
  const marks = holders.flatMap((holder) => ('cache_control' in holder ? (holder.cache_control ?? []) : []));
  if (marks.length > maxCacheMarks) {
    return invalid(`A maximum of ${maxCacheMarks} blocks with cache_control may be provided. Found ${marks.length}.`);
  }
  const firstShort = marks.findIndex(({ ttl }) => ttl !== '1h');
  if (firstShort >= 0 && marks.slice(firstShort).some(({ ttl }) => ttl === '1h')) {
    return invalid("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.");
  }
  return undefined;
}
