// The error that the jobs port rejects with. Callers branch on `code`; `message` is for people.

export type JobErrorCode =
  'invalid_key' | 'job_exists' | 'not_found' | 'never_started' | 'supervisor_failed' | 'storage_refused' | 'end_failed';

export class JobError extends Error {
  override readonly name = 'JobError';
  readonly code: JobErrorCode;

  constructor(code: JobErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
