// The tool that lists files by a pattern.
import { betaGlobTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import type { Tool, ToolContext } from '../runner/ports.ts';
import { searchByPattern } from './globSearch.ts';
import { readPlan, rerun } from './readPlan.ts';
import { resultText } from './resultText.ts';
import { definitionOf, realFolder, relativeLines } from './sdkTools.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

const inputSchema = z.object({ pattern: nonEmptyText, path: nonEmptyText.optional() });

/** The SDK's tool gives this many files at most and does not say when there were more. */
const sdkLimit = 200;

export function createGlobTool(): Tool {
  return {
    definition: definitionOf(betaGlobTool),
    effect: 'read',
    plan(input, context) {
      const parsed = parseToolInput('glob', inputSchema, input);
      return Promise.resolve(readPlan(parsed.pattern, context, () => listFiles(parsed, context)));
    },
    recover: rerun,
  };
}

async function listFiles(input: z.infer<typeof inputSchema>, context: ToolContext): Promise<string> {
  const root = await realFolder(context.folder);
  const text = await searchByPattern({ root, stepId: context.stepId, input }, context.signal);
  if (text === 'no matches') return '(no matches)';
  const lines = relativeLines(text, root);
  if (lines.length === sdkLimit) lines.push(`[the newest ${String(sdkLimit)}; there may be more: narrow the pattern]`);
  return resultText(lines.join('\n'), '(no matches)', 'narrow the pattern');
}
