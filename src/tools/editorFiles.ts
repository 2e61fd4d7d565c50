// What the tools need from the editor around them: unsaved changes, saving, and what language services say. Only types,
// and the answer where there is no editor.
import type { Problem } from '../core/problems.ts';

/** Unsaved changes to a file. `opaque`: in an editor that is not a text editor, such as a notebook's. */
export type Unsaved =
  /** `bytes`: what saving would write, but for a formatter that runs on save. */
  { readonly kind: 'text'; readonly bytes: Uint8Array } | { readonly kind: 'opaque' };

/** Watches what language services say about one file, from before a change. */
export interface ProblemWatch {
  readonly before: readonly Problem[];
  /** What they say once they have looked at the change; waits about two seconds at most, or until the signal. */
  settled(signal: AbortSignal): Promise<readonly Problem[]>;
  dispose(): void;
}

/** Paths are absolute. An editor may have the same file open under another spelling or by a link. */
export interface EditorFiles {
  /** Undefined when no editor has unsaved changes to the file. */
  unsaved(path: string): Promise<Unsaved | undefined>;
  /**
   * Saves the unsaved changes as the user would. False when that was refused (read-only, or changed on disk since): the
   * changes are in the editor then, as they were.
   */
  save(path: string, signal: AbortSignal): Promise<boolean>;
  /** Undefined when no language service looks at the file. */
  watchProblems(path: string): Promise<ProblemWatch | undefined>;
}

/** Nothing is open anywhere. */
export const noEditorFiles: EditorFiles = {
  unsaved: () => Promise.resolve(undefined),
  save: () => Promise.resolve(true),
  watchProblems: () => Promise.resolve(undefined),
};
