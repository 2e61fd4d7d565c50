// A rough count of tokens that is the same each time: four bytes of JSON are one token, a picture has a fixed price.
// It must never be taken for the real tokenizer.

const bytesPerToken = 4;
const imageTokens = 1_600;

function isPicture(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'image';
}

/** Tokens that any JSON value counts for. */
export function estimateTokens(value: unknown): number {
  if (value === undefined) return 0;
  let pictures = 0;
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (!isPicture(part)) return part;
    pictures += 1;
    return 0;
  });
  return Math.ceil(Buffer.byteLength(json) / bytesPerToken) + pictures * imageTokens;
}

/** Tokens of a whole prompt: tools, system and messages. */
export function estimatePrompt(body: {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: unknown;
}): number {
  return estimateTokens(body.system) + estimateTokens(body.tools) + estimateTokens(body.messages);
}
