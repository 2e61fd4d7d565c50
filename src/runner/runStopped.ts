// Why a run's signal was aborted. The one thing that tells a stop by the user from a time limit or the end of the host.

/** A stop that the user asks for, in whatever window. */
export type UserStop =
  | 'user'
  /** Ends the agent and leaves its running command alone; a resume picks it up. */
  | 'user_keep_command';

export type StopKind =
  | UserStop
  | 'time_limit'
  /** The extension host ends. Nothing is written: the session is interrupted. */
  | 'shutdown';

export class RunStopped extends Error {
  readonly kind: StopKind;
  constructor(kind: StopKind) {
    super(`The run was stopped: ${kind}`);
    this.name = 'RunStopped';
    this.kind = kind;
  }
}
