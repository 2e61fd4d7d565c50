// Whether a command of a resumed run is answered from the trace instead of being run again. One decision over plain
// evidence; the evidence is gathered by the command tool. In doubt the answer is: run it.

export interface SkipEvidence {
  /** The run is a resume or a retry; an ordinary run never skips. */
  readonly resumed: boolean;
  /** The model asked to run it anyway. */
  readonly forced: boolean;
  readonly command: string;
  /** The last finished step of this session with the same command in the same folder, if there is one. */
  readonly before?: {
    readonly succeeded: boolean;
    readonly artifacts: readonly { readonly path: string; readonly verdict: 'intact' | 'changed' | 'missing' }[];
    /** Whether the record lists all that it made: a capped list proves nothing. */
    readonly artifactsComplete: boolean;
    /** Files that differ from when it began, or undefined when that is not known. */
    readonly changedSince: readonly string[] | undefined;
  };
}

export type SkipDecision =
  | { readonly skip: true }
  | {
      readonly skip: false;
      readonly because:
        | 'ordinary_run'
        | 'forced'
        | 'cheap'
        | 'not_done_before'
        | 'failed_before'
        | 'made_nothing'
        | 'artifact_changed'
        | 'workspace_changed'
        | 'unknown_changes';
    };

const run = (because: Extract<SkipDecision, { skip: false }>['because']): SkipDecision => ({ skip: false, because });

/** The decision table, from the cheapest question to the dearest. Pure. */
export function decideSkip({ resumed, forced, command, before }: SkipEvidence): SkipDecision {
  if (!resumed) return run('ordinary_run');
  if (forced) return run('forced');
  if (isCheapCheck(command)) return run('cheap');
  if (!before) return run('not_done_before');
  if (!before.succeeded) return run('failed_before');
  if (before.artifacts.length === 0) return run('made_nothing');
  if (before.artifacts.some(({ verdict }) => verdict !== 'intact')) return run('artifact_changed');
  if (!before.artifactsComplete || before.changedSince === undefined) return run('unknown_changes');
  const own = new Set(before.artifacts.map(({ path }) => path));
  return before.changedSince.every((path) => own.has(path)) ? { skip: true } : run('workspace_changed');
}

/** Programs that only look. Running one again costs nothing and tells what is true now. */
const lookers: ReadonlySet<string> = new Set(
  'ls cat head tail wc stat file find tree du df pwd whoami id uname date echo printf grep egrep fgrep rg ag diff cmp md5sum sha1sum sha256sum shasum which type env printenv ps pgrep test ['.split(
    ' ',
  ),
);
const gitLookers: ReadonlySet<string> = new Set(
  'status log diff show branch rev-parse ls-files remote describe blame'.split(' '),
);

/**
 * Whether every part of a command only looks at things. Deliberately narrow: with a redirection, a substitution or
 * anything else that could change something, it is not a check.
 */
export function isCheapCheck(command: string): boolean {
  if (/[<>`$(){}]/.test(command)) return false;
  const parts = command.split(/\|\||&&|[;|\n&]/).map((part) => part.trim());
  return parts.every((part) => part === '' || isLook(part.split(/\s+/))) && parts.some((part) => part !== '');
}

function isLook([program = '', first = '', ...rest]: readonly string[]): boolean {
  if (program === 'git') return gitLookers.has(first);
  if (program === 'find')
    return ![first, ...rest].some((word) => /^-(delete|exec|execdir|ok|okdir|fprint.*|fls)$/.test(word));
  return lookers.has(program);
}
