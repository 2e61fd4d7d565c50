// The SDK's file tools, run one call at a time: their definitions as plain frozen data, their errors as ours.
// Must never know what a call is for.
import type { betaReadTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { resolvePath } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { messageOf } from '../core/errors.ts';
import { toolDefinitionSchema, type ToolDefinition } from '../core/messages.ts';
import { systemErrorCode, systemErrorWords } from '../platform/systemError.ts';
import { ToolInputError } from '../runner/ports.ts';

export type SdkTool = ReturnType<typeof betaReadTool>;
type SdkContext = Parameters<typeof betaReadTool>[0];
export type MakeSdkTool = (context: SdkContext) => SdkTool;

/** Name, description and input schema, always in the same order of keys: requests are compared byte for byte. */
export function definitionOf(make: MakeSdkTool): ToolDefinition {
  return freeze(toolDefinitionSchema.parse(structuredClone(plainDefinition(make({ workdir: '.' })))));
}

function plainDefinition(tool: SdkTool): unknown {
  return {
    name: 'name' in tool ? tool.name : undefined,
    description: 'description' in tool ? tool.description : undefined,
    input_schema: 'input_schema' in tool ? tool.input_schema : undefined,
  };
}

/** Freezes plain data all the way down. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/**
 * Runs one call of an SDK tool and gives its text.
 * @throws ToolInputError with the tool's own words when it refused or failed as expected
 */
export async function runSdkTool(
  tool: SdkTool,
  input: Readonly<Record<string, unknown>>,
  call: { readonly stepId: string; readonly signal: AbortSignal },
): Promise<string> {
  const toolUse = { type: 'tool_use' as const, id: call.stepId, name: 'name' in tool ? tool.name : '', input };
  try {
    // The type still demands `toolUseBlock`, the older name of `toolUse`.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const content = await tool.run(input, { toolUse, toolUseBlock: toolUse, signal: call.signal });
    if (typeof content === 'string') return content;
    return content
      .map((block) => (block.type === 'text' ? block.text : `(${block.type} content, not shown)`))
      .join('\n');
  } catch (error) {
    throw asInputError(error);
  }
}

/** An expected refusal of the SDK as a ToolInputError; anything else is given back as it is. */
function asInputError(error: unknown): unknown {
  return error instanceof ToolError ? new ToolInputError(messageOf(error), { cause: error }) : error;
}

export interface ConfinedPath {
  /** Absolute, with every link resolved. */
  readonly real: string;
  /** Relative to the folder, with `/`; `.` for the folder itself. */
  readonly relative: string;
}

/**
 * Where a path from the model leads, links followed; it need not exist.
 * @throws ToolInputError when that is outside the folder
 */
export async function confine(folder: string, path: string): Promise<ConfinedPath> {
  const root = await realFolder(folder);
  try {
    const real = await resolvePath({ workdir: root }, path);
    return { real, relative: relative(root, real).split(sep).join('/') || '.' };
  } catch (error) {
    throw asInputError(error);
  }
}

/**
 * The workspace folder with every link resolved.
 * @throws ToolInputError when it was moved, deleted or closed to us while the session goes on
 */
export async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const why =
      code === 'ENOENT' || code === 'ENOTDIR' ? 'it was moved, renamed or deleted meanwhile' : systemErrorWords(error);
    const text = `The workspace folder is not there: ${why}. Nothing in it can be read or written until it is back.`;
    throw new ToolInputError(text, { cause: error });
  }
}

/** The lines of a search result, their leading absolute paths made relative to the folder. */
export function relativeLines(text: string, root: string): string[] {
  const prefix = root.endsWith(sep) ? root : root + sep;
  return text.split('\n').map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line));
}
