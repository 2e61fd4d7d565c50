// What a request tells the model of its tool calls. Knows nothing of sessions.
import { z } from 'zod';
import type { RecordedRequest } from '../messagesServer/requestLog.ts';

const bodySchema = z.object({
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.object({ type: z.string() }).loose())]) })),
});
const textSchema = z.object({ type: z.literal('text'), text: z.string() });
const resultSchema = z.object({
  type: z.literal('tool_result'),
  content: z.union([z.string(), z.array(textSchema)]).default(''),
  is_error: z.boolean().default(false),
});

export interface ToolResultSeen {
  readonly text: string;
  readonly isError: boolean;
}

/** The tool results in a request, oldest first. */
export function toolResults(request: RecordedRequest): readonly ToolResultSeen[] {
  const blocks = bodySchema
    .parse(request.body)
    .messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return blocks.flatMap((block) => {
    const { success, data } = resultSchema.safeParse(block);
    if (!success) return [];
    const text = typeof data.content === 'string' ? data.content : data.content.map((part) => part.text).join('\n');
    return [{ text, isError: data.is_error }];
  });
}
