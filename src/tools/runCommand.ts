// The tool that runs a shell command as a durable job: it outlives the editor, and a step that was cut finds it again.
// Must never know how jobs are run.
import { z } from 'zod';
import type { Confinement, SandboxSide } from '../core/confinement.ts';
import type { Step } from '../core/sessionState.ts';
import { JobError } from '../jobs/jobError.ts';
import { systemErrorCode, systemErrorWords } from '../platform/systemError.ts';
import { inStorage, storageRefusal } from '../store/inStorage.ts';
import type { JobExit, JobPort } from '../jobs/jobPort.ts';
import {
  ToolInputError,
  type Recovery,
  type Tool,
  type ToolContext,
  type ToolPlan,
  type ToolResult,
} from '../runner/ports.ts';
import { commandResult, exitInShort, modelOutput, type EndedBy } from './commandResult.ts';
import { folderChanges, type FolderChanges } from './folderChanges.ts';
import { FolderLooks } from './folderLooks.ts';
import type { FolderScan } from './folderScan.ts';
import { currentJob, firstJobKey, freeJobKey, keyBefore } from './jobKey.ts';
import { refusedWords, toldOfSandbox, wishWords } from './leaveSandbox.ts';
import { LiveOutput } from './liveOutput.ts';
import { loadScan, ScanStore } from './scanStore.ts';
import { recallCommand } from './recallCommand.ts';
import { freeze } from './sdkTools.ts';
import { RunStopped } from '../runner/runStopped.ts';
import { isStopped, stoppedWithoutEffect } from './stopReason.ts';
import { nonEmptyText, parseToolInput } from './toolInput.ts';

export interface RunCommandOptions {
  /** The jobs of a session, below its storage folder. */
  readonly jobs: (sessionStorage: string) => JobPort;
  /** Running time in milliseconds after which a command is ended; the model may ask for less. Undefined: no limit. */
  readonly commandTimeLimitMs?: number | undefined;
  /** Files looked at for changes; 100,000 by default. */
  readonly scanLimit?: number | undefined;
}

const inputSchema = z.object({
  command: nonEmptyText.refine((text) => text.trim() !== '', 'must not be blank'),
  timeout_seconds: z.number().positive('must be above 0').optional(),
  force: z.boolean().optional(),
  // Not in the definition, which is part of every request: a result says so where there is a sandbox.
  outside_sandbox: z.string().optional(),
});

type CommandInput = z.infer<typeof inputSchema>;

const definition = freeze({
  name: 'run_command',
  description:
    'Run a shell command in the workspace folder and wait for its end. Each call has its own shell: state such as the current directory does not carry over. There is no input; use flags that avoid questions. Output is returned from its start and its end when it is long. A command goes on when the editor closes, and is found again.',
  input_schema: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command line, as for sh -c.' },
      timeout_seconds: { type: 'number', description: 'End the command after this many seconds.' },
      force: {
        type: 'boolean',
        description: 'Run it even though its recorded result was given instead, because nothing had changed since.',
      },
    },
    required: ['command'],
  },
});

/** One command of one session, from its start on. */
interface CommandCall {
  readonly jobs: JobPort;
  readonly key: string;
  readonly context: ToolContext;
  readonly looks: FolderLooks;
  readonly scans: ScanStore;
  /** Milliseconds; infinite without a limit. */
  readonly timeLimitMs: number;
  readonly command: string;
  readonly side?: SandboxSide | undefined;
}

export function createRunCommandTool(options: RunCommandOptions): Tool {
  const looks = new FolderLooks(options.scanLimit);
  const scans = new ScanStore();
  const timeLimitOf = ({ timeout_seconds }: CommandInput): number => {
    const limits = [options.commandTimeLimitMs, timeout_seconds === undefined ? undefined : timeout_seconds * 1000];
    return Math.min(...limits.filter((limit) => limit !== undefined));
  };
  return {
    definition,
    effect: 'command',
    expect: ({ folder, storage }) => {
      looks.prepare(folder, storage);
    },
    async plan(input, context) {
      const parsed = parseToolInput('run_command', inputSchema, input);
      const { command, outside_sandbox } = parsed;
      const jobs = options.jobs(context.storage);
      // The folder is looked at for the first time while the call is streamed, allowed and recorded.
      looks.prepare(context.folder, context.storage);
      const key = await inStorage(() => freeJobKey(jobs, firstJobKey(context.stepId)));
      const call = { jobs, key, context, looks, scans, command, timeLimitMs: timeLimitOf(parsed) };
      if (outside_sandbox !== undefined && context.confinement) return outsidePlan(call, wishWords(outside_sandbox));
      const planOf = (side?: SandboxSide): ToolPlan => ({
        intent: { kind: 'job', key, command, ...(side && { sandbox: side }) },
        preview: command,
        execute: () => runCommand({ ...call, side }),
      });
      return { ...planOf(), ...(context.confinement && { confined: planOf('inside') }) };
    },
    recall: async (input, context, done) => {
      const { command, force = false } = parseToolInput('run_command', inputSchema, input);
      return recallCommand({ command, forced: force, context, done, looks });
    },
    async recover(step, context) {
      const jobs = options.jobs(context.storage);
      const { key, state } = await inStorage(() => currentJob(jobs, jobKeyOf(step)));
      const input = inputSchema.safeParse(step.input).data ?? { command: '' };
      const intent = step.intent?.kind === 'job' ? step.intent : undefined;
      const call = {
        ...{ jobs, key, context, looks, scans, timeLimitMs: timeLimitOf(input) },
        ...{ command: intent?.command ?? input.command, side: intent?.sandbox },
      };
      switch (state.status) {
        case 'absent':
        case 'never_started':
          if (call.side !== 'outside') return { kind: 'rerun' };
          return { kind: 'rerun', plan: await outsideAgain(call, input.outside_sandbox) };
        case 'starting':
        case 'running':
          return continuing(call);
        case 'finished': {
          const note = `finished while the window was closed: ${exitInShort(state.exit)}`;
          return { kind: 'settled', result: await finishCommand(call, state.exit, { note }) };
        }
      }
    },
  };
}

function jobKeyOf(step: Step): string {
  return step.intent?.kind === 'job' ? step.intent.key : firstJobKey(step.id);
}

/** A command that was allowed to run outside the sandbox and had not begun: it is asked about in the same words. */
async function outsideAgain(call: CommandCall, wish: string | undefined): Promise<ToolPlan> {
  if (wish !== undefined) return outsidePlan(call, wishWords(wish));
  const before = keyBefore(call.key);
  const inside = before === undefined ? undefined : await inStorage(() => call.jobs.find(before));
  if (before === undefined || inside?.status !== 'finished') return outsidePlan(call, wishWords(''));
  const { outside, ...result } = await finishCommand({ ...call, key: before, side: 'inside' }, inside.exit, {});
  return outsidePlan(call, outside?.outside?.why ?? wishWords(''), result);
}

/** @param inside what it came to in the sandbox: its end when the user does not allow it */
function outsidePlan(call: CommandCall, why: string, inside?: ToolResult): ToolPlan {
  const { key, command } = call;
  return {
    intent: { kind: 'job', key, command, sandbox: 'outside' },
    preview: command,
    outside: { why, ...(inside && { inside }) },
    execute: () => runCommand({ ...call, side: 'outside' }),
  };
}

function continuing(call: CommandCall): Recovery {
  return {
    kind: 'continues',
    follow: () => followCommand(call, { note: 'kept running while the window was closed' }),
  };
}

async function runCommand(call: CommandCall): Promise<ToolResult> {
  const { signal } = call.context;
  const notStarted = 'Stopped before the command was started.';
  if (isStopped(signal)) return stoppedWithoutEffect(signal, 'not_started', notStarted);
  const before = await lookAtFolder(call);
  if (isStopped(signal)) return stoppedWithoutEffect(signal, 'not_started', notStarted);
  const { started, ...current } = await attemptOf(call);
  const saved = before && saveLook(current, before.scan);
  try {
    const failed = started ? undefined : await startCommand(current);
    return failed ?? (await followCommand(current, { before }));
  } finally {
    await saved;
  }
}

/** The call under the key to go on with: an attempt that seemed to fail for want of space may have started the command. */
async function attemptOf(call: CommandCall): Promise<CommandCall & { readonly started: boolean }> {
  return inStorage(async () => {
    const { key, state } = await currentJob(call.jobs, call.key);
    const started = state.status !== 'absent' && state.status !== 'never_started';
    return { ...call, key: started ? key : await freeJobKey(call.jobs, key), started };
  });
}

/** Starts the job; the step's end when it could not be started. */
async function startCommand(call: CommandCall): Promise<ToolResult | undefined> {
  const { jobs, key, context, command, timeLimitMs } = call;
  try {
    await inStorage(() =>
      jobs.start({
        key,
        command,
        cwd: context.folder,
        ...(call.side === 'inside' && { confinement: confinementOf(context) }),
        ...(Number.isFinite(timeLimitMs) && { timeLimitMs }),
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    if (error.code === 'storage_refused') throw storageRefusal("The session's storage", error.cause);
    if (error.code !== 'supervisor_failed') throw error;
    return { outcome: 'failed', content: error.message };
  }
}

/** What a command runs in that is to be confined: without it, it is not run. */
function confinementOf({ confinement }: ToolContext): Confinement {
  if (!confinement)
    throw new ToolInputError('There is no sandbox on this machine any more, so the command was not run.');
  return confinement;
}

/** The folder as a command found it. */
interface LookBefore {
  readonly scan: FolderScan;
  /** When it was taken by the wall clock, in milliseconds since 1970: also after that clock was put back. */
  readonly at: () => number;
}

/** Looks at the folder for the comparison at the end. A folder that can't be looked at does not stop the command. */
async function lookAtFolder({ context, looks }: CommandCall): Promise<LookBefore | undefined> {
  try {
    const scan = await looks.before(context.folder, context.storage);
    const taken = performance.now();
    return { scan, at: () => Math.min(scan.at, Date.now() - (performance.now() - taken)) };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Keeps the scan for a resume, while the command starts. Without it nothing can be said of the command's files then. */
async function saveLook({ context, key, scans }: CommandCall, before: FolderScan): Promise<void> {
  try {
    await scans.save(context.storage, key, before);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

interface CommandEnd {
  readonly note?: string | undefined;
  readonly endedBy?: EndedBy | undefined;
  /** The look from before the command, where it is still at hand. */
  readonly before?: LookBefore | undefined;
}

/** Waits for the command's end and shows its output meanwhile. Ends it, or leaves it alone, as the signal's reason says. */
async function followCommand(call: CommandCall, end: CommandEnd): Promise<ToolResult> {
  const { jobs, key, context } = call;
  const live = new LiveOutput(context.showOutput);
  try {
    const exit = await jobs.follow(
      key,
      0,
      (chunk) => {
        live.push(chunk);
      },
      context.signal,
    );
    return await finishCommand(call, exit, end);
  } catch (error) {
    const reason: unknown = context.signal.reason;
    if (!context.signal.aborted || error !== reason) throw error;
    const endedBy = endedByOf(reason);
    if (endedBy === undefined) throw error;
    return await finishCommand(call, await jobs.end(key), { ...end, endedBy });
  } finally {
    live.close();
  }
}

/** Who ends the command with this stop; undefined when it is left alone. */
function endedByOf(reason: unknown): EndedBy | undefined {
  if (!(reason instanceof RunStopped)) return undefined;
  if (reason.kind === 'user') return 'user';
  return reason.kind === 'time_limit' ? 'run_time_limit' : undefined;
}

async function finishCommand(
  call: CommandCall,
  exit: JobExit,
  { note, endedBy, before }: CommandEnd,
): Promise<ToolResult> {
  const { jobs, key } = call;
  const output = await jobs.readOutput(key, modelOutput);
  const changes = await changesOf(call, before);
  const notes = [note, changes.note].filter((text) => text !== undefined);
  const result = {
    ...commandResult({ key, exit, output, ...(endedBy && { endedBy }) }),
    ...(changes.artifacts.length > 0 && { artifacts: changes.artifacts }),
    ...(changes.partial && { artifactsPartial: true as const }),
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
  const { confinement } = call.context;
  if (call.side !== 'inside' || !confinement) return result;
  const refused = refusedWords(exit, result.content, confinement);
  const told = toldOfSandbox(result, exit, refused);
  if (refused === undefined) return told;
  const free = await inStorage(() => freeJobKey(jobs, key));
  return { ...told, outside: outsidePlan({ ...call, key: free }, refused, told) };
}

async function changesOf({ context, key, looks }: CommandCall, seen: LookBefore | undefined): Promise<FolderChanges> {
  try {
    const before = seen?.scan ?? (await loadScan(context.storage, key));
    if (!before) return { artifacts: [], partial: true, note: 'which files it changed is not known' };
    return await folderChanges(context.folder, before, await looks.now(context.folder, context.storage), seen?.at());
  } catch (error) {
    // The command is done whatever can be said about its files.
    if (systemErrorCode(error) === undefined) throw error;
    return { artifacts: [], partial: true, note: `which files it changed is not known: ${systemErrorWords(error)}` };
  }
}
