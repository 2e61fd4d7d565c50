// A tool of the editor, or of one of its MCP servers, as a tool of the agent: asked about as a command is, its answer as
// text, a long one kept in full beside the trace. What it does is not known here, so a call that was cut is in doubt.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Asked } from '../core/approval/rules.ts';
import { messageOf } from '../core/errors.ts';
import { definitionOfEditorTool, type EditorTool } from '../core/editorTools.ts';
import { createFolder, publishOnce } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { ToolInputError, type Tool, type ToolContext, type ToolResult } from '../runner/ports.ts';
import { editorToolText, type EditorToolPart } from './editorToolResult.ts';
import { firstJobKey } from './jobKey.ts';
import { resultText } from './resultText.ts';
import { freeze } from './sdkTools.ts';
import { isStopped, stoppedWithoutEffect } from './stopReason.ts';

export interface EditorToolNow extends EditorTool {
  /** Who brings it, where the editor says so: the id of an extension, the name of a server. */
  readonly provider?: string;
}

export interface EditorToolPort {
  /** The tool of this name that the editor has now; undefined when there is none. */
  find(name: string): EditorToolNow | undefined;
  /** What it throws is the tool's own failure, or the editor's. */
  invoke(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly EditorToolPart[]>;
}

/** Bytes of an answer above which all of it is kept in a file. */
const keptFrom = 32 * 1024;
/** Bytes of an answer that are given to the model. */
const toldBytes = 24 * 1024;
const outputsFolder = 'outputs';
const cutWords = 'Interrupted. Whether the tool did its work is not known: check before you call it again.';

export function createEditorTool(tool: EditorTool, port: EditorToolPort): Tool {
  const definition = freeze(definitionOfEditorTool(tool));
  const identity = (): Pick<Extract<Asked, { kind: 'tool' }>, 'provider' | 'sha256'> => {
    const now = port.find(tool.name);
    if (!now)
      throw new ToolInputError(
        `The editor has no tool "${tool.name}" now: its extension or MCP server is gone, disabled or not started. Go on without it, or ask the user to start it.`,
      );
    return { ...(now.provider !== undefined && { provider: now.provider }), sha256: hashOfTool(now) };
  };
  return {
    definition,
    effect: 'command',
    plan(input, context) {
      const asked = identity();
      return Promise.resolve({
        preview: JSON.stringify(input, undefined, 2),
        asked: { kind: 'tool', tool: definition.name, ...asked },
        execute: async () => {
          const now = identity();
          if (now.provider !== asked.provider || now.sha256 !== asked.sha256)
            throw new ToolInputError(
              `The tool "${tool.name}" changed after the call was allowed, and was not called. Call it again to have it asked about.`,
            );
          return call(tool, port, input, context);
        },
      });
    },
    recover: () => Promise.resolve({ kind: 'settled', result: { outcome: 'cut', content: cutWords } }),
  };
}

/** The same for the same words, in whatever order a schema has its keys. */
function hashOfTool({ description, inputSchema }: EditorTool): string {
  return createHash('sha256')
    .update(JSON.stringify([description, ordered(inputSchema ?? null)]))
    .digest('hex');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return entries.map(([key, entry]) => [key, ordered(entry)]);
}

async function call(
  tool: EditorTool,
  port: EditorToolPort,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<ToolResult> {
  const { signal } = context;
  if (isStopped(signal)) return stoppedWithoutEffect(signal, 'not_started', 'Stopped before it began.');
  let parts: readonly EditorToolPart[];
  // The run's own signal would keep what listens to it until the run ends.
  const ended = new AbortController();
  try {
    parts = await orStopped(port.invoke(tool.name, input, AbortSignal.any([signal, ended.signal])), signal);
  } catch (error) {
    if (isStopped(signal))
      return stoppedWithoutEffect(
        signal,
        'cancelled',
        'Stopped before it answered; what it had done until then stays.',
      );
    return { outcome: 'failed', content: resultText(messageOf(error), '(the tool failed without a word)') };
  } finally {
    ended.abort();
  }
  return answered(editorToolText(parts), context);
}

async function answered(text: string, { stepId, storage, log }: ToolContext): Promise<ToolResult> {
  const bytes = Buffer.byteLength(text);
  const nothing = '(the tool gave no output)';
  if (bytes <= keptFrom) return { outcome: 'succeeded', content: resultText(text, nothing) };
  const content = resultText(text, nothing, 'the user has all of it', toldBytes);
  const file = `${outputsFolder}/${firstJobKey(stepId)}.txt`;
  try {
    await createFolder(join(storage, outputsFolder));
    await publishOnce(join(storage, file), text);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    // The effect is done: a call that is made again because a copy of its answer has no place would do it twice.
    log(`The answer of step ${stepId} could not be kept in full`, error);
    return { outcome: 'succeeded', content };
  }
  return { outcome: 'succeeded', content, output: { file, bytes } };
}

/** A tool need not heed that it is cancelled; then its answer is not waited for. */
async function orStopped<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
