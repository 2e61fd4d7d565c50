// The Messages API content that a session records and sends, as plain data.
// Blocks this file does not know travel through untouched; it must never know how they are stored or sent.
import { z } from 'zod';
import type { ImageBlock } from './images.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Passed through by reference, so that the key order of what the model wrote is kept. */
export const jsonObjectSchema = z.custom<Record<string, unknown>>(isRecord);

const textBlockSchema = z.object({ type: z.literal('text'), text: z.string() });
const thinkingBlockSchema = z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redactedThinkingBlockSchema = z.object({ type: z.literal('redacted_thinking'), data: z.string() });
const toolUseBlockSchema = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: jsonObjectSchema,
});

/** What the model may answer with. Server-side tools are not offered, so no other block is expected. */
export const assistantBlockSchema = z.discriminatedUnion('type', [
  textBlockSchema,
  thinkingBlockSchema,
  redactedThinkingBlockSchema,
  toolUseBlockSchema,
]);

export type TextBlock = Readonly<z.infer<typeof textBlockSchema>>;
export type ThinkingBlock = Readonly<z.infer<typeof thinkingBlockSchema>>;
export type RedactedThinkingBlock = Readonly<z.infer<typeof redactedThinkingBlockSchema>>;
export type ToolUseBlock = Readonly<z.infer<typeof toolUseBlockSchema>>;
export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}
export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;

/** `system` inside `messages` is taken by Claude Opus 4.8 and later, directly after a user turn. */
export type RequestMessage =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] }
  | { readonly role: 'system'; readonly content: readonly TextBlock[] };

export const toolDefinitionSchema = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: jsonObjectSchema,
});
export type ToolDefinition = Readonly<z.infer<typeof toolDefinitionSchema>>;

export const thinkingModes = ['adaptive', 'off'] as const;
export type ThinkingMode = (typeof thinkingModes)[number];

/** How much a model puts into an answer, the least first. */
export const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof effortLevels)[number];

/** The body of a request, without `stream`. Key order is fixed by the builder: bodies are compared byte for byte. */
export interface ModelRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly thinking?: { readonly type: 'adaptive' };
  readonly output_config?: { readonly effort: Effort };
  readonly cache_control?: { readonly type: 'ephemeral' };
  readonly system: readonly TextBlock[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly RequestMessage[];
}

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});
export type Usage = Readonly<z.infer<typeof usageSchema>>;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
