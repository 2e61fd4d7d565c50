// The two ways in which the agent changes a file by itself, as what its tools do to one content. Plain facts about the
// SDK's tools; it must never know when, or whether, a change is made.
import { betaEditTool, betaWriteTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { z } from 'zod';
import { ToolInputError } from '../runner/ports.ts';
import type { MakeSdkTool } from './sdkTools.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

/** A checked input; the fields besides the path are the SDK tool's own. */
export type ChangeInput = Readonly<Record<string, unknown>> & { readonly file_path: string };

export interface ChangeKind {
  readonly make: MakeSdkTool;
  /** Whether the tool needs the file's present content. */
  readonly readsCurrent: boolean;
  /** @throws ToolInputError */
  parse(input: Readonly<Record<string, unknown>>): ChangeInput;
  /** The file's whole new content, where the input has it. */
  wholeContent(input: ChangeInput): string | undefined;
}

const editSchema = z.object({
  file_path: nonEmptyText,
  old_string: z.string().min(1, 'must not be empty; use write to make a file'),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
const writeSchema = z.object({ file_path: nonEmptyText, content: z.string() });

export const editKind: ChangeKind = {
  make: betaEditTool,
  readsCurrent: true,
  parse(input) {
    const parsed = parseToolInput('edit', editSchema, input);
    if (parsed.old_string === parsed.new_string) {
      throw new ToolInputError('edit: old_string and new_string are the same; there is nothing to change.');
    }
    return parsed;
  },
  wholeContent: () => undefined,
};

export const writeKind: ChangeKind = {
  make: betaWriteTool,
  readsCurrent: false,
  parse: (input) => parseToolInput('write', writeSchema, input),
  wholeContent: ({ content }) => (typeof content === 'string' ? content : undefined),
};

/** The kind of a recorded step's tool. */
export function changeKindOf(tool: string): ChangeKind | undefined {
  return tool === 'edit' ? editKind : tool === 'write' ? writeKind : undefined;
}
