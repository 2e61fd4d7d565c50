// Puts messages together to turns as the API does: neighbours of the same role are one turn. It must judge nothing.
import type { RequestBlock, RequestMessage } from './requestSchema.ts';

export interface PlacedBlock {
  readonly block: RequestBlock;
  /** Index of its message in `messages`. */
  readonly message: number;
  /** Index of the block in that message. */
  readonly index: number;
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly PlacedBlock[];
}

/** The content of a message as blocks: a string is one text block, an empty string is none. */
export function blocksOf(message: RequestMessage): readonly RequestBlock[] {
  if (typeof message.content !== 'string') return message.content;
  return message.content === '' ? [] : [{ type: 'text', text: message.content }];
}

/** The user and assistant turns of a conversation. System messages belong to no turn. */
export function turnsOf(messages: readonly RequestMessage[]): readonly Turn[] {
  const turns: { readonly role: 'user' | 'assistant'; readonly blocks: PlacedBlock[] }[] = [];
  messages.forEach((message, at) => {
    const { role } = message;
    if (role !== 'user' && role !== 'assistant') return;
    const placed = blocksOf(message).map((block, index) => ({ block, message: at, index }));
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...placed);
    else turns.push({ role, blocks: placed });
  });
  return turns;
}
