// What the session layer needs from storage. Only types.
import type { FolderIdentity, JournalHeader, SessionEvent, SessionOrigin, SessionStateName } from '../core/events.ts';
import type { Usage } from '../core/messages.ts';
import type { JournalWriter } from './ports.ts';
import type { UserStop } from './runStopped.ts';

export interface ListedSession {
  readonly id: string;
  readonly folder: FolderIdentity;
  readonly title: string;
  /** With the owner looked at: `running` here or elsewhere, or what the trace tells. */
  readonly state: SessionStateName;
  readonly hasWork: boolean;
  /** A request waits for the user's answer, in this window. */
  readonly needsUser?: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What the last run was doing when it was cut: "running python tune.py". */
  readonly cut?: string | undefined;
  /** The run ended to wait until the server takes requests again. Milliseconds since 1970. */
  readonly retryAt?: number | undefined;
  /** Usage by model; absent where the trace is too long to be read for a list. */
  readonly spending?: Readonly<Record<string, Usage>> | undefined;
  /** Steps of the last run, where its beginning is known. */
  readonly runSteps?: number | undefined;
  /** When the last run began, where that is known. Milliseconds since 1970. */
  readonly runStartedAt?: number | undefined;
  /** Why the session cannot be read in full, in the user's words. */
  readonly problem?: string;
}

/** A writer together with the right to write; closing it gives both up. */
export type ClaimedJournal = JournalWriter;

export interface StoredSession {
  readonly id: string;
  readonly header: JournalHeader;
  /** The workspace folder that it belongs to now; the header has it as it was when the session was made. */
  readonly folder: FolderIdentity;
  /** The session's own folder: journal, jobs, outputs, kept file contents. */
  readonly storage: string;
  /** What was wrong with the trace when it was read, in the user's words; undefined when nothing was. */
  readonly damage: string | undefined;
  /** Reads what was written since the last call, by whom ever. */
  catchUp(onEvent: (event: SessionEvent) => void): Promise<void>;
  /**
   * Becomes the owner and catches up; undefined when another living process is the owner.
   * @param onStopAsked told when another window wants the run to end, while the journal is claimed
   */
  claim(
    onEvent: (event: SessionEvent) => void,
    onStopAsked?: (kind: UserStop) => void,
  ): Promise<ClaimedJournal | undefined>;
  /** Leaves the living owner elsewhere the wish that its run end, durably; undefined when there is no such owner. */
  askToStop(kind: UserStop): Promise<StopRequest | undefined>;
  /** Whether another living process owns it. */
  isHeldElsewhere(): Promise<boolean>;
}

/** The wish that an owner elsewhere end its run. It stands until that owner has taken it, or is gone. */
export interface StopRequest {
  look(): Promise<{
    /** `waiting`: not taken yet. `taken`: the owner ends its run. `over`: it owns the session no more, or has died. */
    readonly status: 'waiting' | 'taken' | 'over';
    /** Since the owner's last sign of life, in milliseconds. */
    readonly silentMs: number;
  }>;
}

export interface AdoptableSessions {
  /** Path that their folder had. */
  readonly from: string;
  readonly count: number;
  /** Where they are kept. */
  readonly places: readonly string[];
  /** Their folder was called as the one that is asked for: likely the same, moved or copied. */
  readonly sameName: boolean;
}

/** What a fork takes from another session. */
export interface ForkContent {
  readonly events: readonly SessionEvent[];
  readonly origin?: SessionOrigin;
  /** Side files that they name, by their place in the other session's storage. */
  readonly outputs: ReadonlySet<string>;
  /** Hashes of kept contents. */
  readonly contents: ReadonlySet<string>;
}

export interface ImportedTrace {
  readonly sessionId: string;
  readonly records: number;
  /** Lines that could not be read, and records of a later version. */
  readonly unreadable: number;
  /** Records that would have allowed, answered, chosen or started something. */
  readonly leftOut: number;
}

export interface SessionStore {
  /** All sessions of a workspace folder, newest first. One that cannot be read is in the list with its `problem`. */
  list(folderUri: string): Promise<readonly ListedSession[]>;
  /** @param id a new one when it is left out */
  create(folder: FolderIdentity, id?: string): Promise<StoredSession>;
  /**
   * A new session of the same folder with these records. It is in the list whole or not at all.
   * @param content made for a time in milliseconds since 1970
   */
  fork(from: StoredSession, content: (now: number) => ForkContent): Promise<StoredSession>;
  /**
   * Makes a session of an exported trace. It is in the list with all that could be read, or not at all.
   * @param file path of the trace @throws RatchetError `not_a_trace`, `unsupported_format` or `storage`
   */
  importTrace(folder: FolderIdentity, file: string): Promise<ImportedTrace>;
  /** @throws RatchetError `not_found`, `unsupported_format` or `storage` */
  open(sessionId: string): Promise<StoredSession>;
  /** Moves the session's folder to the trash and returns where it is now. */
  moveToTrash(sessionId: string): Promise<string>;
  restoreFromTrash(sessionId: string): Promise<void>;
  /** Sessions of folders that are gone and may have been this one, by the path that the folder had; likely ones first. */
  adoptable(folder: FolderIdentity): Promise<readonly AdoptableSessions[]>;
  /** From now on these sessions are the folder's. */
  adopt(folder: FolderIdentity, from: AdoptableSessions): Promise<void>;
}
