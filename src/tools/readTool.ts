// The tool that reads a text file, or a range of its lines. Pictures and other binary files are named, not dumped.
import { betaReadTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { lstat, open } from 'node:fs/promises';
import { z } from 'zod';
import { grouped } from '../core/words.ts';
import type { Tool, ToolContext } from '../runner/ports.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { noEditorFiles, type EditorFiles } from './editorFiles.ts';
import { hashBytes, hashFile } from './fileHash.ts';
import { readPlan, rerun, type LookResult } from './readPlan.ts';
import { resultText } from './resultText.ts';
import { confine, definitionOf, runSdkTool } from './sdkTools.ts';
import { withCopy } from './stagedChange.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

const inputSchema = z.object({
  file_path: nonEmptyText,
  view_range: z.array(z.number().int()).max(2).optional(),
});

export function createReadTool(editor = noEditorFiles): Tool {
  return {
    definition: definitionOf(betaReadTool),
    effect: 'read',
    plan(input, context) {
      const parsed = parseToolInput('read', inputSchema, input);
      return Promise.resolve(readPlan(parsed.file_path, context, () => look(parsed, context, editor)));
    },
    recover: rerun,
  };
}

type Input = z.infer<typeof inputSchema>;

async function look(input: Input, context: ToolContext, editor: EditorFiles): Promise<LookResult> {
  const { real, relative } = await confine(context.folder, input.file_path);
  const unsaved = await editor.unsaved(real);
  if (unsaved?.kind === 'text') return readUnsaved(input, relative, unsaved.bytes, context);
  const before = await hashFile(real);
  const text = await readText(input, real, relative, context);
  const content = unsaved ? `(${relative} has unsaved changes in an editor; this is what is on disk)\n${text}` : text;
  // Written to while it was read: which content was shown is not known.
  const isKnown = before !== undefined && (await hashFile(real))?.sha256 === before.sha256;
  return { content, ...(isKnown && { seen: [{ path: relative, sha256: before.sha256 }] }) };
}

/** What the user sees is what counts: the editor's text, not what is on disk. */
async function readUnsaved(input: Input, path: string, bytes: Uint8Array, context: ToolContext): Promise<LookResult> {
  const text = await withCopy(context.storage, path, bytes, (workdir) =>
    runSdkTool(betaReadTool({ workdir }), { ...input, file_path: path }, context),
  );
  return {
    content: `(${path} has unsaved changes in the editor; this is the text in the editor)\n${shownText(text, input)}`,
    seen: [{ path, sha256: hashBytes(bytes) }],
  };
}

async function readText(input: Input, real: string, relative: string, context: ToolContext): Promise<string> {
  const binary = await describeBinary(real);
  if (binary !== undefined) return `(${relative} is ${binary}; its content is not shown)`;
  return shownText(await runSdkTool(betaReadTool({ workdir: context.folder }), input, context), input);
}

function shownText(text: string, { view_range }: Input): string {
  const isRange = (view_range?.length ?? 0) > 0;
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
