// What git says of a folder, for the model: the branch and what is changed. Asks git once, briefly, and changes nothing.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

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

/**
 * Undefined where there is no repository, no git, or no answer in time. Only for folders that are trusted: a
 * repository's own settings can make git run programs.
 */
export async function gitState(folder: string): Promise<GitState | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      ['--no-optional-locks', '-c', 'core.fsmonitor=false', 'status', '--porcelain=v1', '--branch', '-z', '--', '.'],
      { cwd: folder, timeout: patienceMs, maxBuffer: mostOutput, windowsHide: true, encoding: 'utf8' },
    );
    return parseStatus(stdout);
  } catch (error) {
    // Not there, not a repository, too slow, too much: the model goes without.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
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
