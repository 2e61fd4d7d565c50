// The tool that reads a text file, or a range of its lines. Pictures and other binary files are named, not dumped.
import { betaReadTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { lstat, open } from 'node:fs/promises';
import { z } from 'zod';
import { grouped } from '../core/words.ts';
import type { Tool, ToolContext } from '../runner/ports.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { readPlan, rerun } from './readPlan.ts';
import { resultText } from './resultText.ts';
import { confine, definitionOf, runSdkTool } from './sdkTools.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

const inputSchema = z.object({
  file_path: nonEmptyText,
  view_range: z.array(z.number().int()).max(2).optional(),
});

export function createReadTool(): Tool {
  return {
    definition: definitionOf(betaReadTool),
    effect: 'read',
    plan(input, context) {
      const parsed = parseToolInput('read', inputSchema, input);
      return Promise.resolve(readPlan(parsed.file_path, context, () => readText(parsed, context)));
    },
    recover: rerun,
  };
}

async function readText(input: z.infer<typeof inputSchema>, context: ToolContext): Promise<string> {
  const { real, relative } = await confine(context.folder, input.file_path);
  const binary = await describeBinary(real);
  if (binary !== undefined) return `(${relative} is ${binary}; its content is not shown)`;
  const text = await runSdkTool(betaReadTool({ workdir: context.folder }), input, context);
  const isRange = (input.view_range?.length ?? 0) > 0;
  return resultText(text, isRange ? '(no text in these lines)' : '(empty file)', 'use view_range to read it');
}

const pictures: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['PNG', [0x89, 0x50, 0x4e, 0x47]],
  ['JPEG', [0xff, 0xd8, 0xff]],
  ['GIF', [0x47, 0x49, 0x46, 0x38]],
  ['WebP', [0x52, 0x49, 0x46, 0x46]],
];

/** "a PNG picture, 8,123 bytes" or "a binary file, …" where it is one, judged by its first 8 KB. */
async function describeBinary(real: string): Promise<string | undefined> {
  try {
    // A FIFO is not opened: that would wait for ever. The SDK's tool refuses it with its own words.
    if (!(await lstat(real)).isFile()) return undefined;
    const file = await open(real, 'r');
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(8192), 0, 8192, 0);
      const start = buffer.subarray(0, bytesRead);
      if (!start.includes(0)) return undefined;
      const picture = pictures.find(([, mark]) => mark.every((byte, index) => start[index] === byte));
      return `a ${picture ? `${picture[0]} picture` : 'binary file'}, ${grouped(size)} bytes`;
    } finally {
      await file.close();
    }
  } catch (error) {
    // The SDK's tool says it better: no such file, permission denied.
    if (systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}
