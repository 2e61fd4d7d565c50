// The tool that writes a whole text file.
import { betaWriteTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import type { Tool } from '../runner/ports.ts';
import { changePlan, recoverChange } from './fileChange.ts';
import { definitionOf } from './sdkTools.ts';
import { stageChange } from './stagedChange.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

const inputSchema = z.object({ file_path: nonEmptyText, content: z.string() });

export function createWriteTool(): Tool {
  return {
    definition: definitionOf(betaWriteTool),
    effect: 'edit',
    async plan(input, context) {
      const parsed = parseToolInput('write', inputSchema, input);
      return changePlan(await stageChange(betaWriteTool, parsed, false, context), context);
    },
    recover: recoverChange,
  };
}
