// What the panel shows, as plain data: computed by the host, drawn by the webview. The webview never interprets
// tool names, states or errors; every word a person reads comes from here or is a label of the panel itself.
import type { AttachmentKind } from '../core/attachments.ts';
import type { SandboxSide } from '../core/confinement.ts';
import type { ApprovalMode, SessionStateName, TaskStatus } from '../core/events.ts';
import type { SlashCommand } from '../core/slashCommands.ts';

export type StepStatus = 'waiting' | 'running' | 'succeeded' | 'failed' | 'denied' | 'stopped' | 'cut' | 'not_started';

/** A rule in words: "`npm test` with safe arguments". `code` is shown in code font. */
export interface RuleWords {
  readonly before?: string;
  readonly code?: string;
  readonly after?: string;
}

/** What a waiting call can be allowed always by. The rules of a choice are kept together. */
export interface AlwaysView {
  readonly choices: readonly { readonly key: string; readonly rules: readonly RuleWords[] }[];
  /** Why there is no choice, as a sentence. */
  readonly none?: string;
  /** What a word in the choices means, as a sentence. */
  readonly note?: string;
}

export interface StepArtifact {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** What became of it, when an idle session was looked at. A deletion is intact while the file is gone. */
  readonly verdict?: 'intact' | 'changed' | 'missing';
  /** On the card of an agent: the steps inside that touched it first and last, and the lines of all of them. */
  readonly since?: string;
  readonly stepId?: string;
  readonly added?: number;
  readonly removed?: number;
}

/** What the step of a delegation says of its agent. What happened inside is asked for when the card is opened. */
export interface AgentCard {
  readonly name: string;
  /** What it is about, in a few words. */
  readonly label?: string;
  readonly model: string;
  /** How many steps it has begun. */
  readonly steps: number;
  /** The step that it is at; without a subject, what it waits for. */
  readonly now?: { readonly verb: string; readonly subject: string };
  /** Its steps that wait for the user's answer: shown also while the card is folded. */
  readonly waiting: readonly StepItem[];
}

export interface StepItem {
  readonly kind: 'step';
  readonly id: string;
  readonly at: number;
  readonly status: StepStatus;
  /** "Ran", "Running", "Edited", "Wants to run": changes with the status. */
  readonly verb: string;
  /** What it is about, in one line: the command, the path. Shown in code font. */
  readonly subject: string;
  /** Workspace path that a click on the subject opens. */
  readonly path?: string;
  /** Milliseconds since 1970, for the running time. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly exitCode?: number | null;
  readonly lines?: { readonly added: number; readonly removed: number };
  /** First line of the error of a failed step. */
  readonly problem?: string;
  /** "finished while the window was closed", "done before, artifacts verified". */
  readonly note?: string;
  /** What is asked to be allowed: the command or a unified diff. Only while `waiting`. */
  readonly preview?: { readonly language: 'shell' | 'diff' | 'json'; readonly text: string };
  /** Only while `waiting`, and where rules can speak of the call. */
  /** Why it is asked although the mode accepts edits, as a sentence. */
  readonly why?: string;
  readonly always?: AlwaysView;
  /** The approval rules that allowed it, in the user's place. */
  readonly allowedBy?: string;
  /** How it was run where there is a sandbox; `words` say what that means. */
  readonly sandbox?: { readonly side: SandboxSide; readonly words: string };
  /** Only while `waiting`: the words of the answers, where they are not the usual ones. */
  readonly answers?: { readonly allow: string; readonly deny: string };
  /** The input as it was asked for, readable. */
  readonly input: { readonly language: 'shell' | 'diff' | 'json'; readonly text: string };
  /** What the model was told; cut for the panel. */
  readonly result?: { readonly text: string; readonly truncated: boolean };
  /** A full log exists that can be opened in the editor. */
  readonly hasFullOutput?: boolean;
  readonly artifacts?: readonly StepArtifact[];
  /** Set when the step runs an agent: it is a card then. */
  readonly agent?: AgentCard;
}

export interface UserItem {
  /** Who says it, where that is not the user: "Task". */
  readonly author?: string;
  readonly kind: 'user';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  /** What the mentions stood for, in their order. `problem` says why one is not there, or not in full. */
  readonly attachments?: readonly {
    readonly kind: AttachmentKind;
    readonly label: string;
    readonly problem?: string;
  }[];
  /** Their thumbnails are asked for one by one, by place. */
  readonly images?: readonly { readonly name: string; readonly width: number; readonly height: number }[];
}

export type TranscriptItem =
  | UserItem
  | {
      readonly kind: 'assistant';
      readonly id: string;
      readonly at: number;
      readonly markdown: string;
      readonly streaming: boolean;
      readonly cut?: true;
    }
  | {
      readonly kind: 'thinking';
      readonly id: string;
      readonly at: number;
      readonly text: string;
      readonly streaming: boolean;
    }
  | StepItem
  /** A thin line with words: "resumed · 6 steps kept, 1 running", or the end of a run. `detail` is a tooltip. */
  | {
      readonly kind: 'divider';
      readonly id: string;
      readonly at: number;
      readonly text: string;
      readonly detail?: string;
    }
  | {
      readonly kind: 'notice';
      readonly id: string;
      readonly at: number;
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
    };

/** The amber banner: the session was cut and can go on. */
export interface Banner {
  /** "Stopped while running tune.py". */
  readonly title: string;
  /** "6 steps done · 4 artifacts recorded". */
  readonly summary: string;
  /** What went wrong and what to do, when it failed. */
  readonly detail?: string;
  readonly action: 'resume' | 'retry';
  /** Commands that still run though nobody follows them. Resume picks them up; they can be ended here. */
  readonly running?: readonly { readonly key: string; readonly command: string; readonly startedAt: number }[];
  /** Commands that the cut run followed and that have ended meanwhile: "exit 0". Resume takes their results. */
  readonly ended?: readonly { readonly command: string; readonly how: string }[];
  /** One more button that helps with this very error. */
  readonly remedy?: Remedy;
  /** From when on the server takes requests again. The title is what is waited for; the panel says the time with it. */
  readonly retryAt?: number;
  /** That time is ours and not the server's: it is when the next try is made. */
  readonly isOwnTime?: true;
  /** What happens by itself: "Goes on by itself then.", or why it does not. */
  readonly auto?: string;
}

/** What a revert would do, for the user to confirm. */
export interface RevertPlanView {
  readonly messageId: string;
  readonly lastSeq: number;
  /** 'Revert to before "Train it"'. */
  readonly title: string;
  /** "2 files are restored, 1 is removed, 1 is left as it is." */
  readonly summary: string;
  readonly files: readonly {
    readonly path: string;
    readonly verdict: 'restore' | 'remove' | 'left';
    /** "restored", "left: changed since". */
    readonly words: string;
  }[];
  /** What else there is to know, sentence by sentence. */
  readonly notes: readonly string[];
  /** Commands that still run. */
  readonly running: readonly { readonly key: string; readonly command: string }[];
}

/** A revert that was cut, or the last one while it can be undone. */
export interface RevertView {
  readonly kind: 'unfinished' | 'undoable';
  /** "A revert was cut in the middle", "Reverted". */
  readonly title: string;
  /** "3 files restored, 1 left". */
  readonly detail: string;
}

export type Remedy =
  | { readonly label: string; readonly command: HostCommand }
  /** Opens the choice of the model. */
  | { readonly label: string; readonly opens: 'choice' };

/** A request that is made again by the run that goes on. */
export interface WaitView {
  /** "The server is overloaded." */
  readonly text: string;
  /** When, in milliseconds since 1970. */
  readonly until: number;
  /** "attempt 7", "attempt 2 of 4"; absent when the server asked for the wait before this run. */
  readonly attempt?: string;
  /** What may help at once, where waiting alone may not: an address with a typo is tried for minutes too. */
  readonly remedy?: Extract<Remedy, { readonly command: HostCommand }>;
}

/** A message that waits for the next turn of the run. */
export interface QueuedView {
  readonly id: string;
  readonly text: string;
  /** What goes along with it: "1 image, 2 attachments". */
  readonly along?: string;
}

/** Why nothing answers, in words, with the ways to a model. */
export interface NoModelView {
  readonly title: string;
  readonly text: string;
  readonly ways: readonly { readonly label: string; readonly command: HostCommand }[];
}

export interface SessionView {
  readonly id: string;
  readonly title: string;
  readonly state: SessionStateName;
  /** "running", "needs you", "done", "failed", "stopped", "timed out", "interrupted", "new". */
  readonly stateWord: string;
  /** A request waits for the user's answer. */
  readonly needsUser: boolean;
  /** Stop was pressed, and the run is still ending, here or in another window. */
  readonly isStopping?: true;
  /** Set while a run goes on. Milliseconds since 1970. */
  readonly runningSince?: number;
  /** Only when more than one folder is open. */
  readonly folderName?: string;
  readonly model: string;
  /** Where its answers come from, when that is not what the panel says. */
  readonly source?: string;
  /** Nothing would answer it now: why, and what helps. */
  readonly noModel?: NoModelView;
  /** Another connection would answer than before, in a sentence. */
  readonly change?: string;
  /** What the next run takes, when that is another one. */
  readonly nextModel?: string;
  /** What the input takes after a `/`. */
  readonly commands?: readonly SlashCommand[];
  /** Why it cannot be driven from here: another window runs it, or its trace cannot be written. */
  readonly readOnly?: string;
  readonly approvalMode: ApprovalMode;
  readonly context?: { readonly usedTokens: number; readonly windowTokens: number };
  /** "12,304 tokens in, 2,101 out, 91 % from cache". */
  readonly usageText?: string;
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly status: TaskStatus }[];
  readonly banner?: Banner;
  /** Above the input; while one is unfinished there is no banner. */
  readonly revert?: RevertView;
  /** Messages that wait for the next turn, oldest first; in an idle session for the next run. */
  readonly queue?: readonly QueuedView[];
  readonly wait?: WaitView;
  /** Lines of the trace that could not be read, or an end that could not be recorded. Shown above the input. */
  readonly problem?: string;
}

export interface SessionSummaryView {
  readonly id: string;
  readonly title: string;
  readonly state: SessionStateName;
  readonly stateWord: string;
  readonly needsUser: boolean;
  /** What it was at when it was cut ("while running python tune.py"), or why it cannot be read; may be empty. */
  readonly description: string;
  readonly updatedAt: number;
  readonly folderName?: string;
  /** From when on the server takes requests again. */
  readonly retryAt?: number;
  readonly resumable: boolean;
  /** "$0.42": what it cost so far, where that is known. */
  readonly cost?: string;
}

/** Sessions of a folder that is gone, offered to an open one that may be the same. */
export interface AdoptableView {
  /** URI of the open folder. */
  readonly folder: string;
  /** Path that their own folder had. */
  readonly from: string;
  /** "3 sessions from …/work/ml". */
  readonly text: string;
}

/** Where answers come from. Shown in the empty state and under the input. */
export interface ModelSource {
  readonly kind: 'anthropic' | 'editor' | 'demo' | 'none';
  /** "Key from the secret storage", "Key from ANTHROPIC_API_KEY", "Offline demo: a script, not a model". */
  readonly text: string;
  /** With the editor's models: the same words for the server that answers for other models. */
  readonly server?: string;
  /** Of the demo: it answers whatever model is chosen. */
  readonly only?: true;
  /** Settings that are set where the editor does not use them, a sentence or two each. */
  readonly ignored?: readonly string[];
}

/** Something to know that is no part of a session's record. Stands above the input until it is answered or taken away. */
export interface NoticeView {
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** Labels of its buttons. */
  readonly actions: readonly string[];
}

export interface PanelView {
  readonly screen: 'session' | 'empty' | 'no_folder' | 'untrusted';
  readonly source: ModelSource;
  readonly folders: readonly { readonly uri: string; readonly name: string }[];
  /** Folder that a new session would belong to: the one that was chosen, else the one of the active editor. */
  readonly folder?: string;
  /** Of several open folders, the one that a click takes instead. */
  readonly otherFolder?: string;
  /** Oldest first. */
  readonly notices?: readonly NoticeView[];
  /** What a session that is begun now would have; an open session says its own. */
  readonly approvalMode: ApprovalMode;
  /** Why commands can't be confined on this machine; absent where they can, or where nobody looked yet. */
  readonly noSandbox?: string;
  readonly session?: SessionView;
  /** Offered for choice where a run takes another model; any other may be typed. */
  readonly models: readonly string[];
  /** What the input takes after a `/` while no session is open; an open one says its own. */
  readonly commands?: readonly SlashCommand[];
  /** Newest first; in the empty state and the history list. */
  readonly sessions: readonly SessionSummaryView[];
  /** Above that list. */
  readonly adoptable?: readonly AdoptableView[];
}

export const hostCommands = [
  'newSession',
  'openFolder',
  'manageTrust',
  'setApiKey',
  'useDemo',
  'useEditorModels',
  'leaveDemo',
  'openSettings',
  'showLog',
  'resumePick',
  'stopKeepCommand',
  'exportTrace',
  'deleteSession',
  'renameSession',
  'chooseModel',
  'compactSession',
  'checkConnection',
] as const;
/** Commands that a button of the panel may run. */
export type HostCommand = (typeof hostCommands)[number];
