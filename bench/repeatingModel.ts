// A model in the same process that asks for the same step again and again, and then says that it is done.
import type { ModelPort } from '../src/runner/ports.ts';

const usage = { inputTokens: 12, outputTokens: 80, cacheReadTokens: 40_000, cacheWriteTokens: 700 };

export function createRepeatingModel(steps: number, tool: string, input: Readonly<Record<string, unknown>>): ModelPort {
  let asked = 0;
  return {
    stream: (request) => {
      asked += 1;
      const { model } = request;
      if (asked > steps)
        return Promise.resolve({ content: [{ type: 'text', text: 'Done.' }], stopReason: 'end_turn', usage, model });
      const id = `toolu_bench${String(asked).padStart(8, '0')}`;
      const content = [
        { type: 'text', text: `Step ${asked} is next.` },
        { type: 'tool_use', id, name: tool, input: { ...input } },
      ] as const;
      return Promise.resolve({ content, stopReason: 'tool_use', usage, model });
    },
  };
}
