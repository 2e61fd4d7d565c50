// Makes the ids of tool calls from the place in the conversation: the same request gets the same ids, and no id is used
// twice in a conversation. It must keep no state.
import { createHash } from 'node:crypto';
import type { RequestMessage } from './requestSchema.ts';
import type { ReplyBlock } from './reply.ts';
import { blocksOf } from './turns.ts';

function usedIds(messages: readonly RequestMessage[]): Set<string> {
  const ids = messages.flatMap(blocksOf).flatMap((block) => ('id' in block ? [block.id] : []));
  return new Set(ids);
}

/** One id per block that needs one, at the same index; undefined for the others. */
export function assignIds(
  messages: readonly RequestMessage[],
  blocks: readonly ReplyBlock[],
): readonly (string | undefined)[] {
  const used = usedIds(messages);
  // The first message tells a sub-agent's conversation from the one that started it.
  const conversation = JSON.stringify(messages[0] ?? null);
  return blocks.map((block, index) => {
    if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return undefined;
    if (block.type === 'tool_use' && block.id !== undefined) return block.id;
    const prefix = block.type === 'tool_use' ? 'toolu_' : 'srvtoolu_';
    for (let attempt = 0; ; attempt += 1) {
      const place = `${conversation}\n${messages.length}:${index}:${attempt}`;
      const id = prefix + createHash('sha256').update(place).digest('hex').slice(0, 24);
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  });
}
