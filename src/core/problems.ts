// What language services say about a file: which of it is new since an edit, and how the model is told.
import { headOf } from './wellFormed.ts';
import { countOf, grouped } from './words.ts';

export interface Problem {
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  readonly message: string;
  /** Who says so: "ts", "eslint". */
  readonly source?: string;
}

const shownProblems = 10;
const shownCharacters = 300;

/** The problems of `after` that `before` does not have. Lines move with an edit: they do not make a problem new. */
export function newProblems(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ severity, source = '', message }: Problem): string {
  return JSON.stringify([severity, source, message]);
}

/** One line each, errors first, then by line; empty when there are none. */
export function problemsText(path: string, problems: readonly Problem[]): string {
  if (problems.length === 0) return '';
  const sorted = problems.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line);
  const lines = sorted.slice(0, shownProblems).map(problemLine);
  const left = sorted.length - lines.length;
  if (left > 0) lines.push(`(${grouped(left)} more left out)`);
  return `The editor reports ${countOf(problems.length, 'new problem')} in ${path} after this change:\n${lines.join('\n')}`;
}

function rank({ severity }: Problem): number {
  return severity === 'error' ? 0 : 1;
}

function problemLine({ severity, line, message, source }: Problem): string {
  const words = headOf(message.toWellFormed().replaceAll('\0', '\uFFFD').replace(/\s+/g, ' ').trim(), shownCharacters);
  return `line ${String(line)}: ${severity}: ${words}${source === undefined ? '' : ` (${source})`}`;
}
