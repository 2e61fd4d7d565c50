// The tool that reads a text file, or a range of its lines. Pictures and other binary files are named, not dumped.
import { betaReadTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { grouped } from '../core/words.ts';
import { PathMovedError } from '../platform/heldFolder.ts';
import { readStart, withRegularFile, type OpenFile } from '../platform/regularFile.ts';
import { systemErrorCode, systemErrorWords } from '../platform/systemError.ts';
import { ToolInputError, type Tool, type ToolContext } from '../runner/ports.ts';
import { noEditorFiles, type EditorFiles } from './editorFiles.ts';
import { hashBytes, hashFile } from './fileHash.ts';
import { linesOf } from './linesOf.ts';
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
  const { content, sha256 } = await readFromDisk(input, real, relative, context);
  return {
    content: unsaved ? `(${relative} has unsaved changes in an editor; this is what is on disk)\n${content}` : content,
    ...(sha256 !== undefined && { seen: [{ path: relative, sha256 }] }),
  };
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

interface Shown {
  readonly content: string;
  /** Absent when what was shown is not the content of one moment. */
  readonly sha256: string | undefined;
}

/** Reads the file whose path was looked at: the SDK's tool, which takes a path, gets a copy of it. */
async function readFromDisk(input: Input, real: string, path: string, context: ToolContext): Promise<Shown> {
  try {
    const shown = await withRegularFile(real, async (file): Promise<Shown> => {
      const { size } = file.stats;
      const start = await readStart(file, Math.max(wholeLimit, binaryStart) + 1);
      const binary = binaryName(start.subarray(0, binaryStart));
      if (binary !== undefined || start.length > wholeLimit) {
        const before = await hashFile(real);
        const content =
          binary === undefined
            ? await largeText(input, file, path, start)
            : `(${path} is a ${binary}, ${grouped(size)} bytes; its content is not shown)`;
        // Written to while it was read: which content was shown is not known.
        return { content, sha256: (await hashFile(real))?.sha256 === before?.sha256 ? before?.sha256 : undefined };
      }
      const text = await withCopy(context.storage, path, start, (workdir) =>
        runSdkTool(betaReadTool({ workdir }), { ...input, file_path: path }, context),
      );
      return { content: shownText(text, input), sha256: hashBytes(start) };
    });
    if (!shown) throw new ToolInputError(`read: ${input.file_path} is not a regular file`);
    return shown;
  } catch (error) {
    if (error instanceof PathMovedError)
      throw new ToolInputError(`${path} leads somewhere else since it was looked at. Look again.`, { cause: error });
    const code = systemErrorCode(error);
    if (code === undefined || error instanceof ToolInputError) throw error;
    const words = code === 'ENOENT' || code === 'ENOTDIR' ? 'no such file or directory' : systemErrorWords(error);
    throw new ToolInputError(`read: ${input.file_path}: ${words}`, { cause: error });
  }
}

/** Bytes up to which a file is read whole. */
const wholeLimit = 256 * 1024;

async function largeText(input: Input, file: OpenFile, path: string, start: Buffer): Promise<string> {
  const [first, last] = input.view_range ?? [];
  if (first === undefined)
    throw new ToolInputError(
      `read: ${path} has ${grouped(file.stats.size)} bytes, too many to be read whole. Use view_range to read some of its lines, such as [1, 500].`,
    );
  if (last === undefined) throw new ToolInputError('read: view_range must be [start_line, end_line]');
  const text = await linesOf(file, start, Math.max(1, first), last > 0 ? last : Infinity, wholeLimit);
  if (text === undefined)
    throw new ToolInputError(
      `read: these lines of ${path} have more than ${grouped(wholeLimit)} bytes. Use a smaller view_range.`,
    );
  return shownText(text, input);
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

const binaryStart = 8_192;

/** "PNG picture" or "binary file" where it is one, judged by its beginning. */
function binaryName(start: Buffer): string | undefined {
  if (!start.includes(0)) return undefined;
  const picture = pictures.find(([, mark]) => mark.every((byte, index) => start[index] === byte));
  return picture ? `${picture[0]} picture` : 'binary file';
}
