import { assistant, bodyOf, call, hello, mark, picture, result, textBlock, tool, user, type Body } from './bodies.ts';
import { itRefuses, type Refusal } from './refusals.ts';
import { onePixelPng, png } from '../../support/imageBytes.ts';

const pictureOf = (media_type: string, data: string): unknown => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});

const without = (key: string): Body => {
  return Object.fromEntries(Object.entries(bodyOf([hello])).filter(([name]) => name !== key));
};

const refused: readonly Refusal[] = [
  ['an unknown field', bodyOf([hello], { resume: true }), 'resume: Extra inputs are not permitted'],
  [
    'a field in a block that is not there',
    bodyOf([user([{ ...textBlock('x'), id: 1 }])]),
    'messages.0.content.0.text.id: Extra inputs are not permitted',
  ],
  ['no model', without('model'), 'model: Field required'],
  ['no max_tokens', without('max_tokens'), 'max_tokens: Field required'],
  ['no messages', without('messages'), 'messages: Field required'],
  ['a body that is no object', 'null', 'Input should be a valid dictionary'],
  ['a body that is not JSON', '{"model":', 'The request body is not valid JSON: Unexpected end of JSON input'],
  ['max_tokens that is a text', bodyOf([hello], { max_tokens: '5' }), 'max_tokens: Input should be a valid integer'],
  [
    'a lone surrogate',
    bodyOf([user('cut \ud83d')]),
    'The request body is not valid JSON: no low surrogate in string: line 1 column 90 (char 89)',
  ],
  [
    'a lone surrogate deep in an input',
    bodyOf([hello, assistant([call('a', { b: ['\udc00'] })]), user([result('a')])]),
    'no low surrogate in string',
  ],
  [
    'a lone surrogate in a key',
    bodyOf([hello, assistant([call('a', { '\ud83d': 1 })]), user([result('a')])]),
    'no low surrogate in string',
  ],
  [
    'a tool name with a dot',
    bodyOf([hello], { tools: [{ ...tool, name: 'run.it' }] }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  ['a tool name used twice', bodyOf([hello], { tools: [tool, tool] }), 'tools: Tool names must be unique.'],
  [
    'a tool schema that is no object',
    bodyOf([hello], { tools: [{ ...tool, input_schema: { type: 'string' } }] }),
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    'a tool without schema',
    bodyOf([hello], { tools: [{ name: 'run' }] }),
    'tools.0.custom.input_schema: Field required',
  ],
  [
    'a tool schema with a union',
    bodyOf([hello], { tools: [{ ...tool, input_schema: { type: 'object', anyOf: [] } }] }),
    'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
  ],
  [
    'a property with a space',
    bodyOf([hello], { tools: [{ ...tool, input_schema: { type: 'object', properties: { 'a b': {} } } }] }),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
  ],
  [
    'the choice of an unknown tool',
    bodyOf([hello], { tool_choice: { type: 'tool', name: 'x' } }),
    "Tool 'x' not found in provided tools",
  ],
  [
    'a forced tool while thinking',
    bodyOf([hello], { tool_choice: { type: 'any' }, thinking: { type: 'adaptive' } }),
    'Thinking may not be enabled when tool_choice forces tool use.',
  ],
  [
    'a choice without tools',
    bodyOf([hello], { tools: [], tool_choice: { type: 'auto' } }),
    'tool_choice: tool_choice may only be specified while providing tools',
  ],
  [
    'a picture over 5 MB',
    bodyOf([user([picture(5 * 1024 * 1024 + 4)])]),
    'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes',
  ],
  [
    'a picture over 5 MB in a tool result',
    bodyOf([hello, assistant([call('a')]), user([result('a', [picture(5 * 1024 * 1024 + 4)])])]),
    'messages.2.content.0.tool_result.content.0.image.source.base64: image exceeds 5 MB maximum',
  ],
  [
    'a picture that is not base64',
    bodyOf([user([picture(5)])]),
    'messages.0.content.0.image.source.base64.data: Invalid base64 data',
  ],
  [
    'a picture that is no picture',
    bodyOf([user([picture(40)])]),
    'messages.0.content.0.image.source.base64: Could not process image',
  ],
  [
    'a picture of another kind than it says',
    bodyOf([user([pictureOf('image/jpeg', onePixelPng)])]),
    'messages.0.content.0.image.source.base64: The image was specified using the image/jpeg media type, but the image appears to be a image/png image',
  ],
  [
    'a picture of too many pixels',
    bodyOf([user([pictureOf('image/png', png(8_001, 2))])]),
    'messages.0.content.0.image.source.base64: At least one of the image dimensions exceed max allowed size for 8000 pixels',
  ],
  [
    'a large picture among many',
    bodyOf([user(Array.from({ length: 21 }, () => pictureOf('image/png', png(2_001, 2))))]),
    'messages.0.content.0.image.source.base64: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
  ],
  [
    'a picture of an unknown kind',
    bodyOf([user([{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'AAAA' } }])]),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  [
    'unknown thinking',
    bodyOf([hello], { thinking: { type: 'auto' } }),
    "thinking: Input tag 'auto' found using 'type' does not match any of the expected tags",
  ],
  [
    'a small thinking budget',
    bodyOf([hello], { thinking: { type: 'enabled', budget_tokens: 1000 } }),
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  ],
  [
    'a thinking budget over max_tokens',
    bodyOf([hello], { thinking: { type: 'enabled', budget_tokens: 4096 } }),
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ],
  [
    'thinking that the model does not have',
    bodyOf([hello], { model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } }),
    '"thinking.type.adaptive" is not supported for this model.',
  ],
  [
    'five cache marks',
    bodyOf([user([1, 2, 3, 4].map((n) => ({ ...textBlock(`${n}`), ...mark })))], mark),
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  [
    'an unknown cache mark',
    bodyOf([hello], { cache_control: { type: 'forever' } }),
    "cache_control.type: Input should be 'ephemeral'",
  ],
  [
    'a long cache mark after a short one',
    bodyOf([user([{ ...textBlock('x'), cache_control: { type: 'ephemeral', ttl: '1h' } }])], {
      system: [{ ...textBlock('s'), ...mark }],
    }),
    "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
  ],
  [
    'a blank stop sequence',
    bodyOf([hello], { stop_sequences: ['\n'] }),
    'stop_sequences: each stop sequence must contain non-whitespace',
  ],
  [
    'max_tokens over the limit of the model',
    bodyOf([hello], { max_tokens: 128_001 }),
    'max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-5-5',
  ],
  ['max_tokens of 0', bodyOf([hello], { max_tokens: 0 }), 'max_tokens: Input should be greater than or equal to 1'],
];

describe('validateRequest, of fields and blocks', () => {
  itRefuses(refused);
});
