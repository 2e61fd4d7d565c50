// The failure of a run that is nobody's mistake in the code: the model ended it, or it cannot go on.

/** The run ended in a way that is not a success. `code` and `message` go into the trace; `message` is for people. */
export class RunFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'RunFailed';
    this.code = code;
  }
}
