// What the sessions need from around them. Only types.
import type { Answers, Connection } from '../core/connection.ts';
import type { ApprovalMode, FolderIdentity } from '../core/events.ts';
import type { Artifact, ListedFile } from '../core/recordedFiles.ts';
import type { RequestSettings } from '../core/requestBuilder.ts';
import type { PriceOf } from '../core/spending.ts';
import type { ArtifactVerdict, Looked } from '../core/resumeContext.ts';
import type { Effort, ThinkingMode } from '../core/messages.ts';
import type { ApprovalRuleStore } from './approvalRules.ts';
import type { AgentPorts } from './agentPorts.ts';
import type { BackgroundCommands, Clock, ModelPort, RevertFiles, Tool } from './ports.ts';
import type { SandboxPort } from './sandboxPort.ts';
import type { SessionStore } from './sessionStore.ts';

/** What is not said comes from the settings; of the effort `default` says that it is left to the model. */
export interface ModelChoice {
  readonly model?: string;
  /** Where nothing could answer for that one: of an agent, the session's own. */
  readonly instead?: string;
  readonly thinking?: ThinkingMode;
  readonly effort?: Effort | 'default';
  /** The model is named by the folder: by a file in it, or by a setting of the workspace. */
  readonly byFolder?: true;
}

export interface PreparedModel {
  readonly port: ModelPort;
  readonly settings: RequestSettings;
  /** Who answers, for the record. Absent where that is not known. */
  readonly connection?: Connection;
}

/** What the sessions need from around them. Settings are read when a run is launched, so a change counts from the next. */
export interface SessionPorts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly newId: () => string;
  /** A number from 0 up to 1, so that many windows do not ask an overloaded server at the same moment. */
  readonly chance: () => number;
  readonly tools: readonly Tool[];
  readonly commands: BackgroundCommands;
  readonly agents: AgentPorts;
  readonly revertFiles: RevertFiles;
  /**
   * @param answers who has answered the session before
   * @throws RatchetError `no_model` with what to do, before anything is written
   */
  prepareModel(choice: ModelChoice, answers: Answers): Promise<PreparedModel>;
  systemPrompt(folder: FolderIdentity): Promise<string>;
  /** State of the repository and the open editors, in short; empty when there is nothing to say. */
  surroundings(folder: FolderIdentity): Promise<string>;
  defaultApprovalMode(): ApprovalMode;
  readonly approvalRules: ApprovalRuleStore;
  /** Absent: commands are never confined. */
  readonly sandbox?: SandboxPort;
  /** Milliseconds. */
  runTimeLimit(): number;
  /** For how many milliseconds a request that fails for a passing reason is made again before the run parks. */
  patience(): number;
  /** @throws RatchetError when nothing may run in this window now (`untrusted_workspace`, `no_folder`) */
  assertMayRun(folder: FolderIdentity): void;
  /** @param first paths that are listed before others when there are too many */
  listWorkspace(
    folder: string,
    first: readonly string[],
  ): Promise<Looked<{ readonly files: readonly ListedFile[]; readonly total: number }>>;
  checkArtifacts(
    folder: string,
    artifacts: readonly Artifact[],
  ): Promise<Looked<readonly { readonly artifact: Artifact; readonly verdict: ArtifactVerdict }[]>>;
  openEditors(
    folder: FolderIdentity,
  ): Looked<readonly { readonly path: string; readonly active: boolean; readonly unsaved: boolean }[]>;
  /** Only for costs that are shown. */
  readonly priceOf?: PriceOf;
  readonly log: (message: string, error?: unknown) => void;
}
