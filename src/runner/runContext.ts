// What one run works with. Everything is passed in; nothing here is global.
import type { Thread } from '../core/agents.ts';
import type { ApprovalRule, ShellSyntax } from '../core/approval/rules.ts';
import type { ApprovalMode, NewEvent, SessionEvent } from '../core/events.ts';
import type { RequestSettings } from '../core/requestBuilder.ts';
import type { SessionState } from '../core/sessionState.ts';
import type { Clock, ModelPort, StreamDelta, Tool } from './ports.ts';

export interface ApprovalAnswer {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string;
  /** The rules that answered in the user's place. */
  readonly allowedBy?: string;
}

export interface RunContext {
  readonly runId: string;
  readonly sessionId: string;
  /** The run goes on with an earlier one: work that is done already is not done again. */
  readonly resumed: boolean;
  /** Live: every written event is already in it. */
  readonly state: SessionState;
  /** The conversation that is worked on, live: the session's own (the state itself), or an agent's. */
  readonly thread: Thread;
  /** The agent whose conversation it is; absent for the session's own. */
  readonly agentId?: string;
  /** Ids of all calls that were asked for in this session. Shared by conversations that go on at the same time. */
  readonly callIds: Set<string>;
  readonly folder: string;
  readonly storage: string;
  readonly model: ModelPort;
  readonly settings: RequestSettings;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Writes, folds and publishes; resolves when the events are on disk. */
  write(...events: NewEvent[]): Promise<readonly SessionEvent[]>;
  /** The same without waiting for the disk, for what may be lost. */
  note(...events: NewEvent[]): Promise<readonly SessionEvent[]>;
  /** For how many milliseconds a passing failure is tried again before the run parks. */
  readonly patienceMs: number;
  /** From 0 up to 1, for delays. */
  chance(): number;
  /** Waits for a request that is made again, where the user sees it and can cut it short. Rejects with the signal's reason. */
  waitShown(ms: number, signal: AbortSignal): Promise<void>;
  /** Delivers the messages that wait for the next turn. */
  deliverQueue(): Promise<void>;
  /** Does what needs the session's storage; waits and does it again while that throws RatchetError `storage`. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  approvalMode(): ApprovalMode;
  /** Whether the user wants the conversation compacted; asking takes the wish. */
  takeCompactionWish(): boolean;
  /** Those of the folder as they are at this moment. */
  readonly approvalRules: { readonly syntax: ShellSyntax; readonly list: () => readonly ApprovalRule[] };
  /**
   * Waits for the user's answer; the run's time limit stands still meanwhile. Rejects with the signal's reason.
   * @param answered the answer that the mode or a rule gives; looked at now and whenever they change
   */
  askApproval(stepId: string, signal: AbortSignal, answered: () => ApprovalAnswer | undefined): Promise<ApprovalAnswer>;
  onDelta(requestId: string, delta: StreamDelta): void;
  /** Text that was streamed in this request so far. */
  streamedText(requestId: string): string;
  onLiveOutput(stepId: string, lines: readonly string[]): void;
  log(message: string, error?: unknown): void;
}
