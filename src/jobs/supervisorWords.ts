// What a supervisor says to the client that started it, on a pipe: the one way that is open when the disk is full.
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';

/** The command runs. */
export const startedWord = 'started\n';

const failedPattern = /^refused ([A-Z0-9]+)\n/;

/** That the disk refused what the start of a command needs; undefined for any other failure. */
export function failureWord(error: unknown): string | undefined {
  return isDiskRefusal(error) ? `refused ${systemErrorCode(error) ?? ''}\n` : undefined;
}

/** The refusal of the disk that a supervisor told of, as the system's error. */
export function parseFailure(said: string | undefined): Error | undefined {
  const code = failedPattern.exec(said ?? '')?.[1];
  return code === undefined ? undefined : Object.assign(new Error(code), { code });
}
