// The shape of the bodies of POST /v1/messages and /v1/messages/count_tokens: fields, types, ranges. It must know nothing
// of rules that look at more than one value; those are in the ...Rules files.
import { z } from 'zod';

const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();

const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const dictionary = z.record(z.string(), z.unknown());

const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: cacheControl,
  citations: z.array(z.unknown()).nullish(),
});

const imageSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.string().min(1),
  }),
  z.strictObject({ type: z.literal('url'), url: z.string().min(1) }),
]);

const imageBlock = z.strictObject({ type: z.literal('image'), source: imageSource, cache_control: cacheControl });

const documentBlock = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: z.string().min(1) }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string().min(1) }),
    z.strictObject({ type: z.literal('url'), url: z.string().min(1) }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean().optional() }).nullish(),
  cache_control: cacheControl,
});

const thinkingBlock = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redactedThinkingBlock = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });

const caller = z.strictObject({ type: z.literal('direct') });

const toolUseBlock = z.strictObject({
  type: z.literal('tool_use'),
  id,
  name: z.string().min(1).max(200),
  input: dictionary,
  caller: caller.optional(),
  cache_control: cacheControl,
});

const serverToolUseBlock = z.strictObject({
  type: z.literal('server_tool_use'),
  id: z.string().regex(/^srvtoolu_[a-zA-Z0-9_]+$/),
  name: z.string().min(1).max(200),
  input: dictionary,
  caller: caller.optional(),
  cache_control: cacheControl,
});

const toolResultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock]))])
    .optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
});

const contentBlock = z.discriminatedUnion('type', [
  textBlock,
  imageBlock,
  documentBlock,
  thinkingBlock,
  redactedThinkingBlock,
  toolUseBlock,
  serverToolUseBlock,
  toolResultBlock,
]);

// Any string is taken as a role here: an unknown one has a message of its own.
const message = z.strictObject({ role: z.string(), content: z.union([z.string(), z.array(contentBlock)]) });

const tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object'), properties: dictionary.nullish() }),
  input_examples: z.array(dictionary).optional(),
  cache_control: cacheControl,
  strict: z.boolean().optional(),
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  allowed_callers: z.array(z.string()).optional(),
});

const disableParallel = z.boolean().optional();
const toolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), disable_parallel_tool_use: disableParallel }),
  z.strictObject({ type: z.literal('any'), disable_parallel_tool_use: disableParallel }),
  z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: disableParallel }),
  z.strictObject({ type: z.literal('none') }),
]);

const display = z.enum(['summarized', 'omitted']).nullish();
const thinking = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('adaptive'), display }),
  z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024), display }),
  z.strictObject({ type: z.literal('disabled') }),
]);

const counted = {
  model: z.string().min(1),
  messages: z.array(message),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  thinking: thinking.optional(),
  cache_control: cacheControl,
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: dictionary }).nullish(),
    })
    .optional(),
  speed: z.enum(['standard', 'fast']).nullish(),
};

/** The body of POST /v1/messages/count_tokens. */
export const countTokensSchema = z.strictObject(counted);

/** The body of POST /v1/messages. `max_tokens: 0` (cache warming) is refused: here it can only be a mistake. */
export const messagesSchema = z.strictObject({
  ...counted,
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  inference_geo: z.string().nullish(),
  diagnostics: z.strictObject({ previous_message_id: z.string().nullish() }).nullish(),
});

export type CountTokensBody = z.infer<typeof countTokensSchema>;
export type MessagesBody = z.infer<typeof messagesSchema>;
export type RequestMessage = MessagesBody['messages'][number];
export type RequestBlock = z.infer<typeof contentBlock>;
export type ToolResultBlock = z.infer<typeof toolResultBlock>;
