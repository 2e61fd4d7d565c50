// Which content of a file the agent knows: what it read, or wrote itself. Judged by the finished steps of one
// conversation, so that it holds after a reload, a resume or a compaction. It must never look at the disk.
import type { FinishedStep } from './sessionState.ts';

/**
 * Hash of the content of a file that the agent saw last; undefined when it never did.
 * @param path relative to the folder, with `/`
 * @param done finished steps of one conversation, oldest first
 */
export function lastSeen(path: string, done: readonly FinishedStep[]): string | undefined {
  for (let i = done.length - 1; i >= 0; i--) {
    const step = done[i];
    const seen = step && seenIn(step, path);
    if (seen !== undefined) return seen;
  }
  return undefined;
}

function seenIn({ intent, result }: FinishedStep, path: string): string | undefined {
  // What it wrote is known to it. What a command of its own left in a file is not.
  if (intent?.kind === 'file' && intent.path === path && result.outcome === 'succeeded') return intent.afterSha256;
  return result.seen?.find((file) => file.path === path)?.sha256;
}
