// Counts what a prompt cache would have read and written, by the rules of the real one: an entry stands at the mark of an
// earlier request, and is found from a mark that is at most twenty blocks behind it. It must keep hashes only.
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
function withoutMark(block: unknown): string {
  if (typeof block !== 'object' || block === null || !('cache_control' in block)) return JSON.stringify(block ?? null);
  const { cache_control: _mark, ...rest } = block;
  return JSON.stringify(rest);
}

function isMarked(body: MessagesBody): boolean {
  return JSON.stringify(body).includes('"cache_control":{');
}

/** An entry is looked for at the mark and at so many blocks before it. */
const lookback = 20;

function blocksOf(content: MessagesBody['messages'][number]['content']): readonly unknown[] {
  return typeof content === 'string' ? [content] : content;
}

/**
 * A cache without expiry and without a least size. An entry is written where a request is marked: at its last block, since
 * the product marks the whole request.
 */
export function createPromptCache(): PromptCache {
  const written = new Set<string>();
  return {
    use: (body) => {
      const head = [body.model, body.tools, body.system, body.thinking, body.output_config];
      let prefix = createHash('sha256')
        .update(head.map((part) => (Array.isArray(part) ? part.map(withoutMark).join() : withoutMark(part))).join('|'))
        .digest('base64');
      let size = estimateTokens(body.tools) + estimateTokens(body.system);
      const places: { readonly prefix: string; readonly size: number }[] = [];
      for (const { role, content } of body.messages) {
        for (const block of blocksOf(content)) {
          prefix = createHash('sha256').update(prefix).update(role).update(withoutMark(block)).digest('base64');
          size += estimateTokens(block);
          places.push({ prefix, size });
        }
      }
      if (!isMarked(body)) {
        return { input_tokens: size, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
      }
      const hit = places.slice(-1 - lookback).findLast((place) => written.has(place.prefix));
      written.add(prefix);
      const read = hit?.size ?? 0;
      return { input_tokens: 0, cache_creation_input_tokens: size - read, cache_read_input_tokens: read };
    },
  };
}
