// Work in a session's own storage, beside its trace: what the disk refuses there is no result of a step. It is the same
// kind of failure as a trace that cannot be written, and the run waits for its end.
import { RatchetError } from '../core/errors.ts';
import { isDiskRefusal, systemErrorAdvice, systemErrorWords } from '../platform/systemError.ts';

/** The failure to write in a session's storage, for people. */
export function storageRefusal(what: string, cause: unknown): RatchetError {
  const text = `${what} cannot be written: ${systemErrorWords(cause)}. ${systemErrorAdvice(cause)}`;
  return new RatchetError('storage', text, { cause });
}

/** @throws RatchetError `storage` when the disk refuses; then nothing may have been done that cannot be done again */
export async function inStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDiskRefusal(error) ? storageRefusal("The session's storage", error) : error;
  }
}
