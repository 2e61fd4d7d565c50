import { assistant, bodyOf, call, hello, picture, result, system, textBlock, user } from './bodies.ts';
import { itRefuses, type Refusal } from './refusals.ts';

const opus = { model: 'claude-opus-4-8' };

const missing = (at: number, ids: string): string =>
  `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` ` +
  'block must have a corresponding `tool_result` block in the next message.';
const orphan = (at: number, index: number, id: string): string =>
  `messages.${at}.content.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each ` +
  '`tool_result` block must have a corresponding `tool_use` block in the previous message.';
const empty = (at: number): string =>
  `messages.${at}: all messages must have non-empty content except for the optional final assistant message`;
const noText = 'messages: text content blocks must contain non-whitespace text';

const refused: readonly Refusal[] = [
  ['empty messages', bodyOf([]), 'messages: at least one message is required'],
  ['an assistant message first', bodyOf([assistant('Hi'), hello]), 'messages: first message must use the "user" role'],
  [
    'an unknown role',
    bodyOf([hello, { role: 'tool', content: 'x' }]),
    'messages: Unexpected role "tool". Allowed roles are "user" or "assistant".',
  ],
  [
    'an unknown block',
    bodyOf([user([{ type: 'video' }])]),
    "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags",
  ],
  ['a block without type', bodyOf([user([{ text: 'x' }])]), 'messages.0.content.0.type: Field required'],
  ['a content that is a number', bodyOf([user(5)]), 'messages.0.content: Input should be a valid string'],
  [
    'an unanswered call',
    bodyOf([hello, assistant([call('toolu_x'), call('toolu_y')]), user('Go on')]),
    missing(1, 'toolu_x, toolu_y'),
  ],
  [
    'one of two calls unanswered',
    bodyOf([hello, assistant([call('a'), call('b')]), user([result('a')])]),
    missing(1, 'b'),
  ],
  ['a call at the end', bodyOf([hello, assistant([call('a')])]), missing(1, 'a')],
  [
    'an unanswered call in the middle of a long conversation',
    bodyOf([
      hello,
      assistant([call('a')]),
      user([result('a')]),
      assistant([call('b')]),
      user('no'),
      assistant('ok'),
      user('x'),
    ]),
    missing(3, 'b'),
  ],
  [
    'text before the answer',
    bodyOf([hello, assistant([call('a')]), user([textBlock('here'), result('a')])]),
    missing(1, 'a'),
  ],
  [
    'text before the answer, in a message of its own',
    bodyOf([hello, assistant([call('a')]), user('here'), user([result('a')])]),
    missing(1, 'a'),
  ],
  [
    'an answer later than in the next turn',
    bodyOf([hello, assistant([call('a')]), user('x'), assistant('y'), user([result('a')])]),
    missing(1, 'a'),
  ],
  ['an answer to nothing', bodyOf([user([result('a')])]), orphan(0, 0, 'a')],
  [
    'an answer to an old call',
    bodyOf([hello, assistant([call('a')]), user([result('a')]), assistant('x'), user([textBlock('y'), result('a')])]),
    orphan(4, 1, 'a'),
  ],
  [
    'two answers to a call',
    bodyOf([hello, assistant([call('a')]), user([result('a')]), user([result('a')])]),
    'messages.3.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
  ],
  [
    'an id used twice',
    bodyOf([hello, assistant([call('a')]), user([result('a')]), assistant([call('a')]), user([result('a')])]),
    'messages.3.content.0: `tool_use` ids must be unique',
  ],
  [
    'a call in a user message',
    bodyOf([user([call('a')])]),
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ],
  [
    'an answer in an assistant message',
    bodyOf([hello, assistant([result('a')]), user('x')]),
    'messages.1.content.0: `tool_result` blocks can only be in `user` messages',
  ],
  [
    'an id with a dot',
    bodyOf([hello, assistant([call('a.b')]), user([result('a.b')])]),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    'an input that is a text',
    bodyOf([hello, assistant([call('a', '{}')]), user([result('a')])]),
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ],
  [
    'an input that is a list',
    bodyOf([hello, assistant([call('a', [])]), user([result('a')])]),
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ],
  ['an empty text block', bodyOf([user([textBlock('')])]), 'messages: text content blocks must be non-empty'],
  ['a blank text block', bodyOf([user([textBlock(' \n')])]), noText],
  ['a blank text', bodyOf([user(' ')]), noText],
  [
    'a blank text inside of a tool result',
    bodyOf([hello, assistant([call('a')]), user([result('a', [textBlock(' ')])])]),
    noText,
  ],
  [
    'an empty text block of the system prompt',
    bodyOf([hello], { system: [textBlock('')] }),
    'system: text content blocks must be non-empty',
  ],
  ['an empty text', bodyOf([user('')]), empty(0)],
  ['an empty content', bodyOf([hello, assistant([]), user('x')]), empty(1)],
  ['an empty final user content', bodyOf([hello, assistant('x'), user([])]), empty(2)],
  [
    'a failed result without content',
    bodyOf([hello, assistant([call('a')]), user([{ ...result('a', ''), is_error: true }])]),
    'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
  ],
  [
    'a failed result with a picture',
    bodyOf([hello, assistant([call('a')]), user([{ ...result('a', [picture(4)]), is_error: true }])]),
    'messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true',
  ],
  [
    'trailing whitespace at the end',
    bodyOf([hello, assistant('It is ')], { model: 'claude-haiku-4-5' }),
    'messages: final assistant content cannot end with trailing whitespace',
  ],
  [
    'a prefill while thinking',
    bodyOf([hello, assistant('It is')], {
      model: 'claude-haiku-4-5',
      thinking: { type: 'enabled', budget_tokens: 2000 },
    }),
    'Prefilling assistant responses is not supported when thinking is enabled. The conversation must end with a user message.',
  ],
  [
    'a prefill where the model takes none',
    bodyOf([hello, assistant('It is')]),
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  ],
  [
    'a system message to a model that takes none',
    bodyOf([hello, system('x')]),
    "role 'system' is not supported on this model",
  ],
  ['a system message first', bodyOf([system('x'), hello], opus), 'messages: first message must use the "user" role'],
  [
    'two system messages in a row',
    bodyOf([hello, system('x'), system('y')], opus),
    "messages.2: consecutive 'system' messages are not allowed",
  ],
  [
    'a system message after an assistant message',
    bodyOf([hello, assistant('x'), system('y')], opus),
    "messages.2: a 'system' message must directly follow a 'user' message",
  ],
  [
    'a system message before a user message',
    bodyOf([hello, system('x'), user('y')], opus),
    "messages.1: a 'system' message must be last or be followed by an 'assistant' message",
  ],
  ['a blank system message', bodyOf([hello, system(' ')], opus), noText],
  ['an empty system message', bodyOf([hello, system('')], opus), empty(1)],
  [
    'a picture in a system message',
    bodyOf([hello, system([picture(4)])], opus),
    "messages.1: 'system' messages may only contain text blocks",
  ],
];

describe('validateRequest, of a conversation', () => {
  itRefuses(refused);
});
