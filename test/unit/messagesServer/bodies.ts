// Request bodies that the tests of the local server start from. All of them are accepted as they are.

/** Any JSON object; the tests put wrong things in on purpose. */
export type Body = Readonly<Record<string, unknown>>;

export const user = (content: unknown): Body => ({ role: 'user', content });
export const assistant = (content: unknown): Body => ({ role: 'assistant', content });
export const system = (content: unknown): Body => ({ role: 'system', content });
export const textBlock = (text: string): Body => ({ type: 'text', text });
export const call = (id: string, input: unknown = {}): Body => ({ type: 'tool_use', id, name: 'run', input });
export const result = (id: string, content: unknown = 'ok'): Body => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

export const tool: Body = {
  name: 'run',
  description: 'Runs a command',
  input_schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};

/** What marks a block for the cache. */
export const mark = { cache_control: { type: 'ephemeral' } };

/** A picture of so many bytes of base64. */
export const picture = (bytes: number): Body => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(bytes) },
});

/** A body with these messages, and with other fields put in or replaced. */
export function bodyOf(messages: readonly unknown[], fields: Body = {}): Body {
  return { model: 'claude-sonnet-5-5', max_tokens: 4096, messages, tools: [tool], ...fields };
}

export const hello = user('Hello');
