// What a revert needs of the workspace. Only types.
import type { LeftReason, RevertFile } from '../core/events.ts';
import type { FileLook, TouchedFile } from '../core/revertPlan.ts';
import type { Step } from '../core/sessionState.ts';

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
