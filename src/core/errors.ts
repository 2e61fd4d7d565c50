// The errors that callers may tell apart, by `code`. Their messages are shown to people: what happened, what to do.

export type RatchetErrorCode =
  | 'not_found'
  | 'already_running'
  | 'no_answer'
  | 'nothing_to_resume'
  | 'nothing_to_compact'
  | 'cannot_revert'
  | 'revert_unfinished'
  | 'empty_message'
  | 'bad_attachment'
  | 'untrusted_workspace'
  | 'no_folder'
  | 'storage'
  | 'unsupported_format'
  | 'not_a_trace'
  | 'no_model'
  | 'unknown_agent';

/** An expected refusal. `code` is stable and part of the extension's API; `message` is for people. */
export class RatchetError extends Error {
  readonly code: RatchetErrorCode;
  constructor(code: RatchetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RatchetError';
    this.code = code;
  }
}

/** Whether a write to a trace failed for a reason outside, so that the same write may succeed later. */
export function isStorageFailure(error: unknown): error is RatchetError {
  return error instanceof RatchetError && error.code === 'storage';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the `default` of an exhaustive `switch`. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
