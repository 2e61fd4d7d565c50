// What mentions are looked up in: the folder's files, the editor, its problems and its terminal. Only types.
import type { FolderIdentity } from '../core/events.ts';
import type { IndexedPath } from '../core/fuzzyPaths.ts';

export type MentionedPath =
  | {
      readonly kind: 'file';
      /** Relative to the folder, with `/`. */
      readonly path: string;
      readonly content: string;
      /** There is more of it than `content`. */
      readonly isPart: boolean;
      /** As it is in the editor, not on the disk. */
      readonly isUnsaved?: boolean;
    }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'binary'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unreadable'; readonly path: string; readonly reason: string };

export interface EditorSelection {
  /** Relative to the folder with `/`, or absolute outside of it. */
  readonly path: string;
  /** From 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
  readonly isUnsaved: boolean;
}

export interface EditorProblem {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** "ts(2345)". */
  readonly source?: string;
}

export interface TerminalRun {
  readonly command: string;
  /** As a terminal would have left it; the end of a long one. */
  readonly output: string;
  /** Absent while it runs, and where the shell did not say. */
  readonly exitCode?: number;
}

export interface TerminalLook {
  readonly name: string;
  /** What was run in it since the extension began, oldest first, as far as it was kept. */
  readonly runs: readonly TerminalRun[];
}

export interface MentionSources {
  /** Every file and folder, without what git ignores. @throws the system's error when the folder can't be read */
  paths(folder: FolderIdentity): Promise<readonly IndexedPath[]>;
  /** Paths of the files that are open in editors. */
  openPaths(folder: FolderIdentity): readonly string[];
  look(folder: FolderIdentity, path: string): Promise<MentionedPath>;
  /** What is selected in the active editor; undefined when nothing is. */
  selection(folder: FolderIdentity): EditorSelection | undefined;
  problems(folder: FolderIdentity): readonly EditorProblem[];
  /** The active terminal; undefined when there is none. */
  terminal(): TerminalLook | undefined;
  /** The path of a dropped resource in the folder; undefined when it lies outside. */
  pathOf(folder: FolderIdentity, uri: string): string | undefined;
}
