// How the end of a command is told to the model: an outcome, a first line that says what happened, and its output.
import { unreachable } from '../core/errors.ts';
import { shapeOutput, type OutputLimits, type OutputWindow } from '../core/jobOutput.ts';
import { durationText } from '../core/words.ts';
import type { JobExit } from '../jobs/jobPort.ts';
import type { ToolResult } from '../runner/ports.ts';
import { jobOutputFile } from './jobKey.ts';
import { resultText } from './resultText.ts';

/** What of an output the model gets. */
export const modelOutput: OutputLimits = { headBytes: 6 * 1024, tailBytes: 10 * 1024 };
/** Bytes above which the result refers to the file that holds the output in full. */
const referenceAbove = 32 * 1024;

/** Who asked for the end of a command that was ended. */
export type EndedBy = 'user' | 'run_time_limit';

export interface CommandEnd {
  readonly key: string;
  readonly exit: JobExit;
  readonly output: OutputWindow;
  readonly endedBy?: EndedBy;
}

/** The result of a command that has ended, without artifacts and note. */
export function commandResult({ key, exit, output, endedBy = 'user' }: CommandEnd): ToolResult {
  const { outcome, words } = describeExit(exit, endedBy);
  const shaped = shapeOutput(output);
  const shown = shaped.text.trim() === '' ? '(no output)' : shaped.text.trimEnd();
  return {
    outcome,
    content: resultText(`${words}\n\n${shown}`, '(no output)'),
    exitCode: exit.code,
    ...(output.totalBytes > referenceAbove && { output: { file: jobOutputFile(key), bytes: output.totalBytes } }),
  };
}

/** "exit 0", "killed by SIGKILL", …: the end in a few words, for a note. */
export function exitInShort(exit: JobExit): string {
  switch (exit.reason) {
    case 'exited':
      return `exit ${String(exit.code)}`;
    case 'signalled':
      return `killed by ${exit.signal ?? 'a signal'}`;
    case 'ended':
      return 'stopped';
    case 'time_limit':
      return 'ended by its time limit';
    case 'spawn_failed':
      return 'could not be started';
    case 'lost':
      return 'end not known';
    default:
      return unreachable(exit.reason);
  }
}

function describeExit(
  exit: JobExit,
  endedBy: EndedBy,
): { readonly outcome: ToolResult['outcome']; readonly words: string } {
  const after = `after ${durationText(Math.max(0, exit.endedAt - exit.startedAt))}`;
  const more = exit.message === undefined ? '' : ` ${exit.message}`;
  switch (exit.reason) {
    case 'exited':
      return {
        outcome: exit.code === 0 ? 'succeeded' : 'failed',
        words: `Exit code ${String(exit.code)} ${after}.${more}`,
      };
    case 'signalled':
      return { outcome: 'failed', words: `Killed by ${exit.signal ?? 'a signal'} ${after}.${more}` };
    case 'ended':
      return endedBy === 'user'
        ? { outcome: 'cancelled', words: `Stopped by the user ${after}. The output so far:` }
        : { outcome: 'timed_out', words: `Ended ${after}, because the run reached its time limit. The output so far:` };
    case 'time_limit':
      return { outcome: 'timed_out', words: `Ended ${after} by the command's time limit.${more} The output so far:` };
    case 'spawn_failed':
      return { outcome: 'failed', words: `The command could not be started.${more}` };
    case 'lost':
      return {
        outcome: 'cut',
        words: `Interrupted; whether the command did its work is not known.${more} Check what is there before running it again. The output so far:`,
      };
    default:
      return unreachable(exit.reason);
  }
}
