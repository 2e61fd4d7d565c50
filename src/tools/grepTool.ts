// The tool that searches file contents.
import { betaGrepTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import type { Tool, ToolContext } from '../runner/ports.ts';
import { readPlan, rerun } from './readPlan.ts';
import { resultText } from './resultText.ts';
import { definitionOf, realFolder, relativeLines, runSdkTool } from './sdkTools.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

const inputSchema = z.object({ pattern: nonEmptyText, path: nonEmptyText.optional() });

export function createGrepTool(): Tool {
  return {
    definition: definitionOf(betaGrepTool),
    effect: 'read',
    plan(input, context) {
      const parsed = parseToolInput('grep', inputSchema, input);
      return Promise.resolve(readPlan(parsed.pattern, context, () => search(parsed, context)));
    },
    recover: rerun,
  };
}

async function search(input: z.infer<typeof inputSchema>, context: ToolContext): Promise<string> {
  const root = await realFolder(context.folder);
  const text = await runSdkTool(betaGrepTool({ workdir: root }), input, context);
  if (text === 'no matches') return '(no matches)';
  return resultText(relativeLines(text, root).join('\n'), '(no matches)', 'narrow the pattern or the path');
}
