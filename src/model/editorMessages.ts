// A request of the Messages API as the editor's language models take it: the one border between the two. Pure. What
// the editor has no form for (thinking, cache, effort, the length of an answer) is left out here and nowhere else.
import type { ModelRequest, RequestMessage, ToolDefinition, ToolResultBlock } from '../core/messages.ts';

export type EditorPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | { readonly kind: 'result'; readonly callId: string; readonly text: string };

/** The editor knows no other role. */
export interface EditorMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly EditorPart[];
}

export interface EditorRequest {
  readonly messages: readonly EditorMessage[];
  readonly tools: readonly ToolDefinition[];
}

export const imageLeftOut = '(An image was sent here. This model does not take images.)';

/** The system prompt comes first, as the user's words. A longer conversation begins with the messages of the shorter. */
export function editorRequest(request: ModelRequest, takesImages: boolean): EditorRequest {
  const system = request.system.map(({ text }) => textPart(text));
  return {
    messages: [
      ...(system.length > 0 ? [{ role: 'user' as const, parts: system }] : []),
      ...request.messages.flatMap((message) => messagesOf(message, takesImages)),
    ],
    tools: request.tools,
  };
}

function messagesOf(message: RequestMessage, takesImages: boolean): readonly EditorMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'user', parts: message.content.map(({ text }) => textPart(text)) }];
    case 'assistant': {
      const parts = message.content.flatMap((block): readonly EditorPart[] => {
        switch (block.type) {
          case 'text':
            return [textPart(block.text)];
          case 'tool_use':
            return [{ kind: 'call', id: block.id, name: block.name, input: block.input }];
          case 'thinking':
          case 'redacted_thinking':
            return [];
        }
      });
      return parts.length === 0 ? [] : [{ role: 'assistant', parts }];
    }
    case 'user': {
      // Results in a message of their own, directly after the calls: some providers make other roles of them.
      const results: EditorPart[] = [];
      const others: EditorPart[] = [];
      for (const block of message.content) {
        if (block.type === 'tool_result') results.push(resultPart(block));
        else if (block.type === 'text') others.push(textPart(block.text));
        else if (takesImages)
          others.push({ kind: 'image', mediaType: block.source.media_type, data: block.source.data });
        else others.push(textPart(imageLeftOut));
      }
      return [results, others].filter((parts) => parts.length > 0).map((parts) => ({ role: 'user', parts }));
    }
  }
}

function textPart(text: string): EditorPart {
  return { kind: 'text', text };
}

/** The editor has no mark for a result that is an error, so the text begins with one. */
function resultPart({ tool_use_id: callId, content, is_error: isError }: ToolResultBlock): EditorPart {
  return { kind: 'result', callId, text: isError ? `ERROR\n${content}` : content };
}

/** All that is sent as one text, to count its tokens. */
export function requestText({ messages, tools }: EditorRequest): string {
  const parts = messages.flatMap((message) => message.parts.map(partText));
  return [...parts, ...tools.map((tool) => JSON.stringify(tool))].join('\n');
}

function partText(part: EditorPart): string {
  switch (part.kind) {
    case 'text':
    case 'result':
      return part.text;
    case 'call':
      return `${part.name} ${JSON.stringify(part.input)}`;
    case 'image':
      return '';
  }
}
