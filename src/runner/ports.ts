// What the runner needs from the outside: a journal, a model, tools and a clock. Only types.
import type { Confinement } from '../core/confinement.ts';
import type { Asked } from '../core/approval/rules.ts';
import type { NewEvent, SessionEvent, StepIntent, StepOutcome, Task } from '../core/events.ts';
import type { Artifact, LeftReason, OutputRef, RevertFile, SeenFile } from '../core/recordedFiles.ts';
import type { AssistantBlock, ModelRequest, ToolDefinition, Usage } from '../core/messages.ts';
import type { FileLook, TouchedFile } from '../core/revertPlan.ts';
import type { FinishedStep, Step } from '../core/sessionState.ts';

/** The one writer of a session's journal. Both methods resolve in the order of the calls. */
export interface JournalWriter {
  /** Writes the events in one piece; resolves when the operating system has them. */
  append(events: readonly NewEvent[]): Promise<readonly SessionEvent[]>;
  /** The same, and resolves only when they are on disk (fdatasync). */
  appendDurable(events: readonly NewEvent[]): Promise<readonly SessionEvent[]>;
  close(): Promise<void>;
}

export type StreamDelta =
  | { readonly kind: 'text'; readonly index: number; readonly text: string }
  | { readonly kind: 'thinking'; readonly index: number; readonly text: string }
  | { readonly kind: 'tool'; readonly index: number; readonly name: string; readonly id: string };

export interface CompletedMessage {
  readonly content: readonly AssistantBlock[];
  readonly stopReason: string;
  readonly usage: Usage;
  /** The model that answered, as the server named it. */
  readonly model: string;
}

/**
 * How a request can fail. The class of the error says what may be done about it:
 * `retryable` may be sent again unchanged, `terminal` must not be.
 */
export class ModelError extends Error {
  readonly code: string;
  readonly kind: 'retryable' | 'terminal' | 'stalled';
  /** The least time to wait before the next attempt, in milliseconds, when the server said so. */
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  /** What the server itself said, when it refused. */
  readonly said: string | undefined;
  constructor(
    fields: {
      code: string;
      kind: 'retryable' | 'terminal' | 'stalled';
      message: string;
      retryAfterMs?: number;
      status?: number;
      said?: string;
    },
    options?: ErrorOptions,
  ) {
    super(fields.message, options);
    this.name = 'ModelError';
    this.code = fields.code;
    this.kind = fields.kind;
    this.retryAfterMs = fields.retryAfterMs;
    this.status = fields.status;
    this.said = fields.said;
  }
}

export interface ModelPort {
  /**
   * Sends one request and streams its answer. Resolves only when `message_stop` was seen.
   * @throws ModelError, or the signal's reason when it was aborted.
   */
  stream(
    request: ModelRequest,
    options: { onDelta: (delta: StreamDelta) => void; signal: AbortSignal },
  ): Promise<CompletedMessage>;
  /**
   * Tokens of the input of a request, as the server counts them; undefined when it does not say.
   * @throws the signal's reason when it was aborted, nothing else
   */
  readonly countTokens?: (request: ModelRequest, signal: AbortSignal) => Promise<number | undefined>;
}

export interface ToolResult {
  readonly outcome: Extract<StepOutcome, 'succeeded' | 'failed' | 'cancelled' | 'timed_out' | 'not_started' | 'cut'>;
  /** What the model is told. Well-formed, never empty. */
  readonly content: string;
  readonly exitCode?: number | null;
  readonly artifacts?: readonly Artifact[];
  /** There were more changed files than are in `artifacts`, or not all of the folder could be looked at. */
  readonly artifactsPartial?: true;
  readonly lines?: { readonly added: number; readonly removed: number };
  readonly output?: OutputRef;
  readonly seen?: readonly SeenFile[];
  readonly note?: string;
  /** The sandbox refused something: the same call outside of it, which has to be asked about first. Not recorded. */
  readonly outside?: ToolPlan;
  /** Task changes, or the end of an agent: written in one piece with the end of the step. */
  readonly events?: readonly Extract<
    NewEvent,
    { type: 'task_added' | 'task_updated' | 'task_deleted' | 'agent_ended' }
  >[];
}

export interface ToolContext {
  readonly sessionId: string;
  readonly stepId: string;
  /** File system path of the workspace folder. */
  readonly folder: string;
  /** The session's own storage folder, for jobs, outputs and kept file contents. It may not exist yet. */
  readonly storage: string;
  readonly tasks: readonly Task[];
  /** The finished steps of this conversation, oldest first. */
  readonly done: () => readonly FinishedStep[];
  /** Aborted on Stop and on the run's time limit; its reason says which. */
  readonly signal: AbortSignal;
  /** Live output for the panel: the last lines as they would look in a terminal. Not recorded. */
  readonly showOutput: (lines: readonly string[]) => void;
  /** What a command is confined to, where this machine can; absent where it can't. */
  readonly confinement?: Confinement;
  /** For what went wrong and costs the call nothing. */
  readonly log: (message: string, error?: unknown) => void;
}

/** One call, checked and ready: what it will do is known and can be shown and recorded before it is done. */
export interface ToolPlan {
  readonly intent?: StepIntent;
  /** Shown when approval is asked: the command, or a unified diff. */
  readonly preview: string;
  /** What it asks for is so already: it will do nothing, or fail when that is no longer so. Nobody is asked about it. */
  readonly changesNothing?: true;
  /** Set when it changes a file that runs or instructs by itself: the reason, as a sentence for the user. */
  readonly why?: string;
  /** What of it an approval rule can speak of, where the intent does not say it. */
  readonly asked?: Asked;
  /**
   * Something that has to be done before `execute`, in words for the user: `run` does it and plans the call again on
   * what is there then. @throws ToolInputError when it can't be done
   */
  readonly first?: { readonly words: string; readonly run: () => Promise<ToolPlan> };
  /** The same call in the sandbox, where there is one: for a mode that lets it run there without a question. */
  readonly confined?: ToolPlan;
  /** It would leave the sandbox: asked about in a mode that has one. `inside`: what it came to in there, its end when it is denied. */
  readonly outside?: { readonly why: string; readonly inside?: ToolResult };
  /** Plans the call once more, on what is there by now, where that takes more than the input. */
  readonly again?: () => Promise<ToolPlan>;
  /** @throws RatchetError `storage` when the session's storage refused and nothing was done; it is called again then */
  readonly execute: () => Promise<ToolResult>;
}

/** What became of a step that was cut. */
export type Recovery =
  | { readonly kind: 'settled'; readonly result: ToolResult }
  /** It has no lasting effect: run it again, as this plan says where there is one. */
  | { readonly kind: 'rerun'; readonly plan?: ToolPlan }
  /** It is still running outside: wait for it. */
  | { readonly kind: 'continues'; readonly follow: () => Promise<ToolResult> }
  /** It is an agent's conversation: go on inside, or give it up. */
  | {
      readonly kind: 'goesOn';
      readonly follow: () => Promise<ToolResult>;
      readonly giveUp: () => Promise<ToolResult>;
    };

/** `read` needs no approval; `edit` changes workspace files; `command` runs anything; `tasks` changes only the session. */
export type ToolEffect = 'read' | 'edit' | 'command' | 'tasks';

export interface Tool {
  readonly definition: ToolDefinition;
  readonly effect: ToolEffect;
  /** The model begins to ask for a call; its input is not known yet. What a call needs may be got ready; no effect. */
  readonly expect?: (place: Pick<ToolContext, 'folder' | 'storage'>) => void;
  /**
   * It runs an agent, whose own steps are recorded: calls side by side go on at the same time, and whatever cuts one
   * leaves its step open.
   */
  readonly delegates?: true;
  /**
   * Checks the input and prepares the call without any effect on the workspace.
   * @throws ToolInputError when the call makes no sense; its message is for the model
   * @throws RatchetError `storage` when the session's storage refuses; it is called again then
   */
  plan(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolPlan>;
  /**
   * Asked in a resumed run before a call is planned: the recorded result that stands for it, when its work is done
   * already and provably untouched. Undefined when it has to run.
   * @param done the finished steps of the session, oldest first
   */
  readonly recall?: (
    input: Readonly<Record<string, unknown>>,
    context: ToolContext,
    done: readonly FinishedStep[],
  ) => Promise<ToolResult | undefined>;
  /**
   * The rule for a call that was started and whose end was never recorded.
   * @throws RatchetError `storage` when the session's storage refuses; it is called again then
   */
  recover(step: Step, context: ToolContext): Promise<Recovery>;
}

/** Commands of sessions that run outside of the editor, whoever started them. */
export interface BackgroundCommands {
  /** Those of one session that run now. */
  running(storage: string): Promise<readonly { readonly key: string; readonly startedAt: number }[]>;
  /** The last lines that one printed until now. */
  tail(storage: string, key: string): Promise<readonly string[]>;
  /** How one has ended, in a few words ("exit 0"); undefined while it runs, and when there is none. */
  howItEnded(storage: string, key: string): Promise<string | undefined>;
  /** Ends the whole process tree of one. */
  end(storage: string, key: string): Promise<void>;
}

/** The model asked for something that cannot be done as asked. The step fails with this message. */
export class ToolInputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolInputError';
  }
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason. */
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a revert of a session's steps needs to know of it. */
export interface RevertPlace {
  /** File system path of the workspace folder. */
  readonly folder: string;
  readonly storage: string;
  /** Of the session, oldest first. */
  readonly steps: readonly Step[];
}

export interface RevertFiles {
  /** What each file is like now, in the same order. What is at hand of the contents before is kept from here on. */
  look(place: RevertPlace, files: readonly TouchedFile[]): Promise<readonly FileLook[]>;
  /**
   * Puts one file to where a record wants it; what is there now is kept first. Doing it again changes nothing.
   * @returns why the file is left as it is, where it is
   */
  put(place: RevertPlace, revertId: string, file: RevertFile): Promise<'done' | LeftReason>;
}
