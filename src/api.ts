// What `activate()` returns to other extensions. Stable: documented in the README.
import type { FolderIdentity, ResumeMode, SessionEvent, SessionStateName } from './core/events.ts';
import type { ThinkingMode } from './core/messages.ts';

/** Like `vscode.Disposable`. */
export interface ApiDisposable {
  dispose(): void;
}
/** Like `vscode.Event`. */
export type ApiEvent<T> = (listener: (value: T) => void) => ApiDisposable;

export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  readonly state: SessionStateName;
  readonly folder: FolderIdentity;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface PublishedEvent {
  readonly sessionId: string;
  /** Written already when it is published; `session_resumed` among them. */
  readonly event: SessionEvent;
}

/**
 * The extension's API. Rejections carry a stable `code`: `not_found`, `already_running`, `no_answer`, `nothing_to_resume`,
 * `empty_message`, `bad_attachment`, `untrusted_workspace`, `no_folder`, `no_model`, `unknown_agent`, `storage`,
 * `revert_unfinished`, `unsupported_format`, `not_a_trace`.
 */
export interface RatchetApi {
  /** Sessions of the open folders, newest first. */
  listSessions(): Promise<readonly SessionInfo[]>;
  /** @param folderUri the workspace folder; the first one when left out */
  createSession(folderUri?: string): Promise<SessionInfo>;
  /**
   * Resolves when the message is on disk: `started` when a run has begun with it, `queued` when it waits for the next
   * turn of the run that goes on in this window. A run of another window rejects with `already_running`.
   */
  sendMessage(sessionId: string, text: string): Promise<{ readonly status: 'started' | 'queued' }>;
  /**
   * Resolves when the run has ended, in whatever window of this user it went on: `stopped`; `interrupted` when that
   * window was gone already; `not_running` when there was none. Rejects with `no_answer` when the window that runs it did
   * not end it in time.
   */
  stopSession(sessionId: string): Promise<{ readonly status: 'stopped' | 'interrupted' | 'not_running' }>;
  /** Resolves when the resume is on disk and the run has begun. */
  resumeSession(
    sessionId: string,
    options?: {
      readonly mode?: ResumeMode;
      readonly model?: string;
      readonly thinking?: ThinkingMode;
      /** For this run, by the name of the agent; rejects with `unknown_agent` for one that is not there. */
      readonly agentModels?: Readonly<Record<string, string>>;
      readonly agentThinking?: Readonly<Record<string, ThinkingMode>>;
    },
  ): Promise<{ readonly status: 'resumed'; readonly mode: ResumeMode; readonly priorState: SessionStateName }>;
  /** Fires with the session's info whenever something of it may have changed. */
  readonly onDidChangeSession: ApiEvent<SessionInfo>;
  /** Fires once for each event of each session that is loaded in this window. */
  readonly onDidPublishEvent: ApiEvent<PublishedEvent>;
}
