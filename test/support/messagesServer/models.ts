// The models that the local server knows, in the shape of GET /v1/models. It must never be read by the product:
// there the list comes over the wire.
import type { CapabilitySupport, ModelInfo, ModelLine } from '@anthropic-ai/sdk/resources/models';

/** What differs between the models of this server; the rest of `ModelInfo` is the same for all. */
export interface ModelTraits {
  readonly id: string;
  readonly displayName: string;
  readonly line: ModelLine;
  readonly createdAt: string;
  /** Context window, in tokens. */
  readonly maxInputTokens: number;
  /** Largest `max_tokens` that is accepted. */
  readonly maxTokens: number;
  readonly thinking: { readonly adaptive: boolean; readonly enabled: boolean };
}

const yes: CapabilitySupport = { supported: true };
const no: CapabilitySupport = { supported: false };

function support(supported: boolean): CapabilitySupport {
  return supported ? yes : no;
}

/** Builds the complete `ModelInfo` of one model; use it to give a server a model with a small window. */
export function modelInfo(traits: ModelTraits): ModelInfo {
  const { adaptive, enabled } = traits.thinking;
  return {
    id: traits.id,
    type: 'model',
    display_name: traits.displayName,
    line: traits.line,
    created_at: traits.createdAt,
    deprecated_at: null,
    retires_at: null,
    lifecycle: 'active',
    max_input_tokens: traits.maxInputTokens,
    max_tokens: traits.maxTokens,
    capabilities: {
      batch: yes,
      citations: yes,
      code_execution: no,
      context_management: {
        supported: false,
        clear_thinking_20251015: no,
        clear_tool_uses_20250919: no,
        compact_20260112: no,
      },
      effort: {
        supported: adaptive,
        low: support(adaptive),
        medium: support(adaptive),
        high: support(adaptive),
        xhigh: support(adaptive),
        max: support(adaptive),
      },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: false, code_execution: no, web_search: no },
      structured_outputs: yes,
      thinking: {
        supported: adaptive || enabled,
        types: { adaptive: support(adaptive), enabled: support(enabled), disabled: yes, between_tools: no },
      },
    },
  };
}

/** Newest first, as the API lists them. */
export const defaultModels: readonly ModelInfo[] = [
  modelInfo({
    id: 'claude-sonnet-5-5',
    displayName: 'Claude Sonnet 5.5',
    line: 'sonnet',
    createdAt: '2026-10-01T00:00:00Z',
    maxInputTokens: 1_000_000,
    maxTokens: 128_000,
    thinking: { adaptive: true, enabled: true },
  }),
  modelInfo({
    id: 'claude-opus-5-5',
    displayName: 'Claude Opus 5.5',
    line: 'opus',
    createdAt: '2026-09-01T00:00:00Z',
    maxInputTokens: 1_000_000,
    maxTokens: 128_000,
    thinking: { adaptive: true, enabled: true },
  }),
  modelInfo({
    id: 'claude-opus-4-8',
    displayName: 'Claude Opus 4.8',
    line: 'opus',
    createdAt: '2026-05-28T00:00:00Z',
    maxInputTokens: 1_000_000,
    maxTokens: 128_000,
    thinking: { adaptive: true, enabled: true },
  }),
  modelInfo({
    id: 'claude-haiku-4-5',
    displayName: 'Claude Haiku 4.5',
    line: 'haiku',
    createdAt: '2025-10-15T00:00:00Z',
    maxInputTokens: 200_000,
    maxTokens: 64_000,
    thinking: { adaptive: false, enabled: true },
  }),
];
