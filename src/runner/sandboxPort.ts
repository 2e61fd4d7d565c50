// What the sessions know of the sandbox of this machine. Only types: how commands are confined is their jobs' business.
import type { Confinement } from '../core/confinement.ts';
import type { FolderIdentity } from '../core/events.ts';

/** `why` is a sentence for people: what is missing, and what to do about it. */
export type SandboxLook =
  { readonly kind: 'ready'; readonly confinement: Confinement } | { readonly kind: 'none'; readonly why: string };

export interface SandboxPort {
  /** Looked at when a run is launched: what the commands of a session are confined to, or why they can't be. */
  look(folder: FolderIdentity, storage: string): Promise<SandboxLook>;
  /** Whether commands that an approval rule allows are confined too, as it is set at this moment. */
  alsoForRules(): boolean;
}
