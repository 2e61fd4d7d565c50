// What git says of a folder, for the model: the branch and what is changed. Asks git once, briefly, and changes nothing.
import { askGit } from './git.ts';

export interface GitState {
  /** Undefined when no branch is checked out. */
  readonly branch?: string;
  readonly ahead: number;
  readonly behind: number;
  /** As `git status --short` writes them, such as ` M src/a.ts`; at most `listedChanges`. */
  readonly changes: readonly string[];
  readonly changeCount: number;
}

export const listedChanges = 20;
const patienceMs = 2_000;
const mostOutput = 4 * 1024 * 1024;

/** Undefined where there is no repository, no git, or no answer in time. Nothing of the repository is run. */
export async function gitState(folder: string): Promise<GitState | undefined> {
  const args = ['status', '--porcelain=v1', '--branch', '--ignore-submodules=all', '-z', '--', '.'];
  const output = await askGit(folder, args, { timeoutMs: patienceMs, maxBytes: mostOutput });
  return output === undefined ? undefined : parseStatus(output);
}

/** Reads `git status --porcelain=v1 --branch -z`: records that end with NUL; a renamed file is followed by its old name. */
export function parseStatus(output: string): GitState {
  const records = output.split('\0').filter((record) => record !== '');
  const head = records.find((record) => record.startsWith('## '))?.slice(3) ?? '';
  const changes: string[] = [];
  for (let record = records.shift(); record !== undefined; record = records.shift()) {
    if (record.startsWith('## ')) continue;
    changes.push(record);
    if (/^[RC]|^.[RC]/.test(record)) records.shift();
  }
  const branch = /^(?:No commits yet on )?(?!HEAD \()(\S+?)(?:\.\.\.|$| \[)/.exec(head)?.[1];
  const count = (word: string): number => Number(new RegExp(`${word} (\\d+)`).exec(head)?.[1] ?? 0);
  return {
    ...(branch !== undefined && { branch }),
    ahead: count('ahead'),
    behind: count('behind'),
    changes: changes.slice(0, listedChanges),
    changeCount: changes.length,
  };
}
