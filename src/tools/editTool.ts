// The tool that replaces text in a file.
import { betaEditTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { ToolInputError, type Tool } from '../runner/ports.ts';
import { changePlan, recoverChange } from './fileChange.ts';
import { definitionOf } from './sdkTools.ts';
import { stageChange } from './stagedChange.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

const inputSchema = z.object({
  file_path: nonEmptyText,
  old_string: z.string().min(1, 'must not be empty; use write to make a file'),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

export function createEditTool(): Tool {
  return {
    definition: definitionOf(betaEditTool),
    effect: 'edit',
    async plan(input, context) {
      const parsed = parseToolInput('edit', inputSchema, input);
      if (parsed.old_string === parsed.new_string) {
        throw new ToolInputError('edit: old_string and new_string are the same; there is nothing to change.');
      }
      return changePlan(await stageChange(betaEditTool, parsed, true, context), context);
    },
    recover: recoverChange,
  };
}
