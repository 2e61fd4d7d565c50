// What a session is, as far as its records tell (`sessionFold.ts` makes it). Everything the product shows or sends derives
// from here. It must never know the clock, the disk or who is looking.
import type { Asked } from './approval/rules.ts';
import type {
  ApprovalMode,
  EventOf,
  JournalHeader,
  ResumeMode,
  RunError,
  RunOutcome,
  SessionEvent,
  SessionStateName,
  StepIntent,
  Task,
} from './events.ts';
import type { Artifact } from './recordedFiles.ts';
import { type Agent, type Thread } from './agents.ts';
import { type AutoResumes } from './autoResume.ts';
import { type Answers, type Connection } from './connection.ts';
import { type GivenAnswer } from './givenAnswers.ts';
import { type QueuedMessage } from './messageQueue.ts';
import { type Effort, type ThinkingMode, type ToolDefinition, type Usage } from './messages.ts';
import { type PendingRetry } from './pendingRetry.ts';
import { type Reverts } from './reverts.ts';

export interface Run {
  readonly id: string;
  /** It ran elsewhere: what it had is shown, and chooses nothing here. */
  readonly isForeign?: true;
  readonly cause: 'message' | 'resume' | 'retry';
  readonly model: string;
  readonly thinking: ThinkingMode;
  readonly maxTokens: number;
  readonly effort?: Effort;
  readonly connection?: Connection;
  readonly startedAt: number;
  readonly mode?: ResumeMode;
  usage: Usage;
  /** The same by model. */
  readonly spending: Map<string, Usage>;
  readonly end?: { readonly outcome: RunOutcome; readonly at: number; readonly error?: RunError };
}

/** The tool of a step whose call was not found in the trace. */
export const unknownTool = 'unknown';

export interface StepBase {
  readonly id: string;
  readonly runId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly intent?: StepIntent;
  /** The agent that asked for it; absent for the session's own conversation. */
  readonly agentId?: string;
  /** What the user answered when it was asked about. */
  readonly answer?: GivenAnswer;
}
/** A tool call that has begun (or waits to be allowed to). Each status carries only what is valid in it. */
export type Step =
  | (StepBase & {
      readonly status: 'waiting';
      readonly askedAt: number;
      readonly preview: string;
      readonly note?: string;
      readonly asked?: Asked;
    })
  | (StepBase & { readonly status: 'running'; readonly startedAt: number })
  | (StepBase & {
      readonly status: 'finished';
      readonly startedAt: number;
      readonly finishedAt: number;
      readonly result: StepEnd;
    });
export type FinishedStep = Extract<Step, { status: 'finished' }>;
export type StepEnd = Omit<EventOf<'step_finished'>, 'type' | 'seq' | 'at' | 'stepId' | 'agentId'>;

export type ConversationEvent = Extract<
  SessionEvent,
  {
    type:
      | 'user_message_added'
      | 'assistant_message_completed'
      | 'assistant_message_cut'
      | 'step_finished'
      | 'relaunch_prepared'
      | 'thinking_dropped'
      | 'history_healed'
      | 'results_trimmed'
      | 'compaction_started'
      | 'compaction_failed'
      | 'history_compacted';
  }
>;

/** The part of a trace that came in a file. */
export interface ForeignPart {
  /** Its last record. */
  readonly uptoSeq: number;
  /** Says where it came from. */
  readonly marker?: EventOf<'session_imported'>;
}

export interface Prompt {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
}

/**
 * The accumulated state, with the session's own conversation. Changed only by `applyEvent`; read it, do not keep parts of
 * it across events.
 */
export interface SessionState extends Thread {
  readonly header: JournalHeader;
  /** Set for good in a session whose first records were made elsewhere. */
  foreign: ForeignPart | undefined;
  title: string;
  approvalMode: ApprovalMode | undefined;
  /** For the next runs, when somebody chose it. */
  chosenModel: { readonly model: string; readonly thinking?: ThinkingMode } | undefined;
  readonly runs: Run[];
  /** By id, in the order in which they were started. */
  readonly agents: Map<string, Agent>;
  /** Those of the agents among them. */
  readonly steps: Map<string, Step>;
  /** Ids of the steps that wait or run: at most a few. */
  readonly openSteps: Set<string>;
  succeededSteps: number;
  tasks: readonly Task[];
  /** The last record of each workspace file that steps touched, by path, with the step that did. */
  readonly artifacts: Map<string, Artifact & { readonly stepId: string }>;
  /** Ids of all messages that were ever recorded, reverted and removed ones too: none is recorded a second time. */
  readonly messageIds: Set<string>;
  /** Messages that wait for the next turn, oldest first. */
  queue: readonly QueuedMessage[];
  retry: PendingRetry | undefined;
  autoResumes: AutoResumes;
  answers: Answers;
  readonly reverts: Reverts;
  /** Of all conversations together. */
  usage: Usage;
  /** The same by model. */
  readonly spending: Map<string, Usage>;
  lastSeq: number;
  lastAt: number;
}

/** The last run, unless it came in a file: what it ran with chooses nothing here. */
export function lastRunHere({ runs }: SessionState): Run | undefined {
  const run = runs.at(-1);
  return run?.isForeign ? undefined : run;
}

/** Whether a record was made elsewhere and came in a file. */
export function isForeign({ foreign }: Pick<SessionState, 'foreign'>, seq: number): boolean {
  return foreign !== undefined && seq <= foreign.uptoSeq;
}

/** The run that has a start and no end: alive, or cut when nobody owns the session. */
export function openRun(state: SessionState): Run | undefined {
  const run = state.runs.at(-1);
  return run && !run.end ? run : undefined;
}

/**
 * The name of the state a session is in. `interrupted` is never written: it is an open run without a living owner.
 * @param hasLivingOwner whether some process is known to run the session now
 */
export function stateName(state: SessionState, hasLivingOwner: boolean): SessionStateName {
  const run = state.runs.at(-1);
  if (!run) return 'created';
  if (run.end) return run.end.outcome;
  return hasLivingOwner ? 'running' : 'interrupted';
}

/** Whether there is anything a resume could go on with. */
export function hasWork(state: SessionState): boolean {
  return state.conversation.length > 0;
}

/** The step that the end of the last run cut: still open, or ended by the stop itself. It may be an earlier run's, resumed. */
export function cutStep(state: SessionState): Step | undefined {
  const run = state.runs.at(-1);
  const open = [...state.openSteps].at(-1);
  if (open !== undefined) return state.steps.get(open);
  const last = [...state.steps.values()].at(-1);
  if (!run || last?.status !== 'finished') return undefined;
  const { outcome } = last.result;
  const stopped = outcome === 'cancelled' || outcome === 'timed_out';
  return (stopped && last.finishedAt >= run.startedAt) || (outcome === 'cut' && last.runId === run.id)
    ? last
    : undefined;
}
