// What the panel needs from the editor around it. Only types; nothing here is VS Code's own.
import type { ConnectionSetup } from '../core/connection.ts';
import type { AutoResumeMode } from '../core/autoResume.ts';
import type { ApprovalMode, FolderIdentity, ResumeMode } from '../core/events.ts';
import type { ThinkingMode } from '../core/messages.ts';
import type { Price } from '../core/spending.ts';
import type { KeptDraft, KeptDrafts, KeptSend } from '../core/keptDrafts.ts';
import type { HostMessage } from '../protocol/messages.ts';
import type { MentionSources } from './mentionSources.ts';
import type { Attachment } from '../core/attachments.ts';
import type { MessageImage } from '../core/images.ts';
import type { HostCommand, ModelSource } from '../protocol/view.ts';

export interface ResumeChoice {
  readonly mode: ResumeMode;
  readonly model?: string;
  readonly thinking?: ThinkingMode;
}

/** With what the source of one session is worked out from. */
export interface PanelSource extends ModelSource {
  readonly setup?: ConnectionSetup;
}

/** Drafts and messages on their way, on the disk of this window. */
export interface DraftKeeper {
  /** Everything that is kept, also what windows that ended left of the same folders. */
  kept(): Promise<KeptDrafts>;
  /** On the disk soon. */
  keepDraft(draft: KeptDraft): void;
  /** Resolves when it is on the disk. @throws the error of the file system */
  keepSend(send: KeptSend): Promise<void>;
  /** It is recorded, or back in the input. */
  dropSend(id: string): void;
  /** Resolves when no other living window has this message on its way. */
  settledElsewhere(id: string): Promise<void>;
}

export interface PanelPorts {
  post(message: HostMessage): void;
  /** Open workspace folders; empty when there is none. */
  folders(): readonly FolderIdentity[];
  /** Of the open folders, the one that the active editor is in, or was in last. */
  activeFolder(): FolderIdentity | undefined;
  isTrusted(): boolean;
  source(): Promise<PanelSource>;
  defaultModel(): string;
  defaultApprovalMode(): ApprovalMode;
  /** Why commands can't be confined on this machine; undefined where they can, or where nobody looked yet. */
  noSandbox?(): string | undefined;
  autoResume(): AutoResumeMode;
  models(): readonly string[];
  /** Tokens. */
  contextWindow(model: string): number;
  /** Only for costs that are shown. */
  priceOf?(model: string): Price | undefined;
  /** The session that was open in this window last. */
  recallSession(): string | undefined;
  rememberSession(sessionId: string | undefined): void;
  runCommand(command: HostCommand, sessionId: string | undefined): Promise<void>;
  /** Keeps drafts on the disk; absent where nothing can be kept. */
  readonly drafts?: DraftKeeper | undefined;
  readonly mentions: MentionSources;
  /** Shows what a mention stood for: the file itself, or the text that was attached. */
  openAttachment(folder: FolderIdentity, attachment: Attachment): Promise<void>;
  /** @param storage the session's own folder, @param name tells it from the other images there */
  openImage(storage: string, name: string, image: MessageImage): Promise<void>;
  openFile(folder: FolderIdentity, path: string): Promise<void>;
  /** What a step changed in a file, or would change; from step `since` on where that is given. */
  openDiff(
    sessionId: string,
    request: { readonly stepId: string; readonly path: string; readonly since?: string },
  ): Promise<void>;
  openOutput(sessionId: string, stepId: string): Promise<void>;
  openLink(href: string): Promise<void>;
  /** What a stop does with a running command; undefined when the user backed out. */
  stopKind(): Promise<'user' | 'user_keep_command' | undefined>;
  /**
   * Shows what a resume would send, when it is `wanted` or large, and what to resume with then; undefined when the user
   * backed out.
   */
  confirmResume(sessionId: string, choice: ResumeChoice, wanted: boolean): Promise<ResumeChoice | undefined>;
  /** Shows an error where the user looks. */
  showError(message: string): void;
  /** The open session, its state or the list may have changed: for the status bar and the context keys. */
  onChanged(): void;
  log(message: string, error?: unknown): void;
  now(): number;
}
