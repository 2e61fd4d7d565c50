// Counts what a prompt cache would have read and written: the longest beginning that an earlier request of the same model
// had, in whole messages. It must keep hashes only, never the prompts.
import { createHash } from 'node:crypto';
import type { Usage } from '@anthropic-ai/sdk/resources/messages';
import type { MessagesBody } from './requestSchema.ts';
import { estimateTokens } from './tokens.ts';

export type InputUsage = Pick<Usage, 'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens'>;

export interface PromptCache {
  /** Usage of this request, which is remembered if it is marked for the cache. */
  readonly use: (body: MessagesBody) => InputUsage;
}

// A cache mark may move from request to request without changing what is cached.
function withoutMarks(value: unknown): string {
  return JSON.stringify(value ?? null, (key, part: unknown) => (key === 'cache_control' ? undefined : part));
}

function isMarked(body: MessagesBody): boolean {
  return JSON.stringify(body).includes('"cache_control":{');
}

/** A cache without expiry. */
export function createPromptCache(): PromptCache {
  const known = new Set<string>();
  return {
    use: (body) => {
      const parts = [[body.model, body.tools, body.system, body.thinking, body.output_config], ...body.messages];
      const sizes = [
        estimateTokens(body.tools) + estimateTokens(body.system),
        ...body.messages.map((message) => estimateTokens(message)),
      ];
      const total = sizes.reduce((sum, size) => sum + size, 0);
      if (!isMarked(body)) {
        return { input_tokens: total, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
      }
      let prefix = '';
      let read = 0;
      let isBroken = false;
      for (const [at, part] of parts.entries()) {
        prefix = createHash('sha256').update(prefix).update(withoutMarks(part)).digest('base64');
        isBroken ||= !known.has(prefix);
        if (!isBroken) read += sizes[at] ?? 0;
        known.add(prefix);
      }
      return { input_tokens: 0, cache_creation_input_tokens: total - read, cache_read_input_tokens: read };
    },
  };
}
