// The events of a streamed answer, as far as they are read here: schemas and types. A server may add fields and event
// types at any time; those pass.
import { z } from 'zod';

const tokens = z.number().nullish();
const usage = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
});
export type WireUsage = z.infer<typeof usage>;

const index = z.number().int().nonnegative();

const knownEvent = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message_start'),
    message: z.looseObject({ model: z.string().nullish(), usage: usage.nullish() }),
  }),
  z.looseObject({ type: z.literal('content_block_start'), index, content_block: z.looseObject({ type: z.string() }) }),
  z.looseObject({ type: z.literal('content_block_delta'), index, delta: z.looseObject({ type: z.string() }) }),
  z.looseObject({ type: z.literal('content_block_stop'), index }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: usage.nullish(),
  }),
  z.looseObject({ type: z.literal('message_stop') }),
  z.looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string().nullish(), message: z.string().nullish() }),
  }),
]);
export type StreamEvent = z.infer<typeof knownEvent>;

const anyEvent = z.looseObject({ type: z.string() });
const knownTypes = new Set<string>(knownEvent.options.map((option) => option.shape.type.value));

export type ReadEvent =
  | { readonly kind: 'event'; readonly event: StreamEvent }
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Checks one event. Never throws; an event type that is not known is named, not refused. */
export function readEvent(value: unknown): ReadEvent {
  const parsed = knownEvent.safeParse(value);
  if (parsed.success) return { kind: 'event', event: parsed.data };
  const named = anyEvent.safeParse(value);
  if (named.success && !knownTypes.has(named.data.type)) return { kind: 'unknown', type: named.data.type };
  return { kind: 'invalid', reason: z.prettifyError(parsed.error) };
}

const startBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string().default('') }),
  z.looseObject({
    type: z.literal('thinking'),
    thinking: z.string().default(''),
    signature: z.string().default(''),
  }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    /** Some servers give none: whoever records the call gives it one. */
    id: z
      .string()
      .nullish()
      .transform((id) => id ?? ''),
    name: z.string().min(1),
    input: z.unknown().optional(),
  }),
]);
export type StartBlock = z.infer<typeof startBlock>;
const blockTypes = new Set<string>(startBlock.options.map((option) => option.shape.type.value));

const blockDelta = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
  z.looseObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.looseObject({ type: z.literal('signature_delta'), signature: z.string() }),
  z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
]);
export type BlockDelta = z.infer<typeof blockDelta>;
const deltaTypes = new Set<string>(blockDelta.options.map((option) => option.shape.type.value));

/** A block of a type that is read here; undefined for other types. @throws ZodError when a known type is malformed */
export function readStartBlock(block: { readonly type: string }): StartBlock | undefined {
  return blockTypes.has(block.type) ? startBlock.parse(block) : undefined;
}

/** The same for a delta. @throws ZodError when a known type is malformed */
export function readDelta(delta: { readonly type: string }): BlockDelta | undefined {
  return deltaTypes.has(delta.type) ? blockDelta.parse(delta) : undefined;
}
