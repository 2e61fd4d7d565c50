// A workspace folder and a session storage for tests of the tools, and calls of a tool the way the runner makes them.
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Task } from '../../../src/core/events.ts';
import type { FinishedStep, Step } from '../../../src/core/sessionState.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import type { Tool, ToolContext, ToolPlan, ToolResult } from '../../../src/runner/ports.ts';

export interface ToolFolder {
  readonly base: string;
  /** The workspace folder. */
  readonly folder: string;
  readonly storage: string;
  context(fields?: Partial<ToolContext>): ToolContext;
  /** Writes a workspace file, with its folders; gives its absolute path. */
  readonly put: (path: string, content: string | Uint8Array) => Promise<string>;
  readonly at: (path: string) => string;
  remove(): Promise<void>;
}

export async function createToolFolder(): Promise<ToolFolder> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-tools-')));
  const folder = join(base, 'workspace');
  const storage = join(base, 'storage', 'session');
  await mkdir(folder);
  return {
    base,
    folder,
    storage,
    context: (fields = {}) => ({
      sessionId: 'session',
      stepId: 'toolu_step1',
      folder,
      storage,
      tasks: [] as readonly Task[],
      done: () => [],
      log: () => undefined,
      signal: new AbortController().signal,
      showOutput: () => undefined,
      ...fields,
    }),
    async put(path, content) {
      const full = join(folder, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
      return full;
    },
    at: (path) => join(folder, path),
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

type Input = Readonly<Record<string, unknown>>;

export async function call(tool: Tool, input: Input, context: ToolContext): Promise<ToolResult> {
  return (await tool.plan(input, context)).execute();
}

/** A finished step that showed this content to the model. */
export function readStep(path: string, content: string | Uint8Array): FinishedStep {
  return {
    id: `toolu_read_${path}`,
    runId: 'run',
    tool: 'read',
    input: { file_path: path },
    status: 'finished',
    startedAt: 1,
    finishedAt: 2,
    result: {
      outcome: 'succeeded',
      content: '',
      isError: false,
      seen: [{ path, sha256: hashBytes(content) }],
    },
  };
}

/** The step as the trace has it after a cut: started with the plan's intent, not finished. */
export function cutStep(tool: Tool, input: Input, plan: ToolPlan, context: ToolContext): Step {
  return {
    id: context.stepId,
    runId: 'run',
    tool: tool.definition.name,
    input,
    ...(plan.intent && { intent: plan.intent }),
    status: 'running',
    startedAt: 1,
  };
}

/** All paths below a folder, sorted; nothing for a folder that is not there. */
export async function allPaths(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).sort();
}

/** Until the file system's clock is past the last change of the file by so many milliseconds. */
export async function clockPasses(path: string, ms = 100): Promise<void> {
  const { ctimeMs } = await stat(path);
  const probe = `${await mkdtemp(join(tmpdir(), 'ratchet-clock-'))}/probe`;
  do await writeFile(probe, '');
  while ((await stat(probe)).ctimeMs < ctimeMs + ms);
  await rm(dirname(probe), { recursive: true });
}
