// What a program may be given by a rule that leaves its arguments open: a table of the options that load nothing, write
// nothing elsewhere and start nothing. An option that is not in the table is asked about, so that a new version of a
// program cannot widen a rule. Must never know a particular program.
import { globsStayInside, isPathInside, staysInside } from '../insideFolder.ts';

/** A word after the fixed ones. `isGlob`: the shell makes more of it; it begins with plain text then. */
export interface Argument {
  readonly text: string;
  readonly isGlob?: true;
}

export type Accepts = (value: string) => boolean;

export interface ArgumentTable {
  /** Options without a value. */
  readonly flags: ReadonlySet<string>;
  /** Options with a value: the next word, after `=`, or attached to one letter. */
  readonly values: ReadonlyMap<string, Accepts>;
  /** Options that may have a value, after `=` only. */
  readonly optional: ReadonlyMap<string, Accepts>;
  /** Other words: by place, the last one for all that follow. None may be given where it is empty. */
  readonly words: readonly Accepts[];
  /** Whether one may be a glob: the shell makes file names of it. */
  readonly globs: boolean;
  /** How many of them there may be. */
  readonly most: number;
  /** Letters may be joined (`-xvs`), and a value attached to the last one. */
  readonly joins: boolean;
  /** `-20` is a number of lines. */
  readonly bareNumber: boolean;
  /** What the words after `--` are for; without it they are words as before it, and none is an option. */
  readonly passed?: ArgumentTable;
}

type Rows = readonly (readonly [options: string, accepts: Accepts])[];

interface Description {
  readonly flags?: string;
  readonly values?: Rows;
  readonly optional?: Rows;
  readonly words?: readonly Accepts[];
  readonly globs?: true;
  readonly most?: number;
  readonly joins?: true;
  readonly bareNumber?: true;
  readonly passed?: ArgumentTable;
}

const listOf = (text: string): readonly string[] => text.split(/\s+/).filter((each) => each !== '');
const rowsOf = (rows: Rows = []): ReadonlyMap<string, Accepts> =>
  new Map(rows.flatMap(([options, accepts]) => listOf(options).map((option) => [option, accepts] as const)));

export function tableOf(description: Description): ArgumentTable {
  const { flags = '', values, optional, words = [], globs, most = Infinity, joins, bareNumber, passed } = description;
  return {
    flags: new Set(listOf(flags)),
    values: rowsOf(values),
    optional: rowsOf(optional),
    words,
    globs: globs ?? false,
    most,
    joins: joins ?? false,
    bareNumber: bareNumber ?? false,
    ...(passed && { passed }),
  };
}

/** "5", "0.5", "1e-3", "30s", "50%". */
export const number: Accepts = (value) => /^[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?:ms|s|m|h|%)?$/i.test(value);
/** Words of any kind, that lead nowhere. */
export const text: Accepts = (value) => staysInside(value) && !value.startsWith('@');
export const path: Accepts = isPathInside;
/** A commit, a branch, a range, `HEAD:file`, or a path of the folder. */
export const revision: Accepts = (value) =>
  !/^[-@+:!]/.test(value) && !value.includes('$') && staysInside(value.replace(/^([\w@^~./-]+):(?=[\w.])/, '$1/'));
export const anything: Accepts = () => true;
export const oneOf = (choices: string): Accepts => {
  const known = new Set(listOf(choices));
  return (value) => known.has(value);
};
export const matching =
  (pattern: RegExp): Accepts =>
  (value) =>
    pattern.test(value);

/** Whether all arguments are in the table. Undefined stands for one that is not certain. */
export function fits(table: ArgumentTable, all: readonly (Argument | undefined)[]): boolean {
  // What only prints its words prints any; a glob in them still looks into folders.
  if (table.words[0] === anything) return all.every((each) => each && (!each.isGlob || globInside(each.text)));
  let count = 0;
  const isWord = (argument: Argument): boolean => {
    const accepts = table.words[Math.min(count, table.words.length - 1)];
    count += 1;
    if (!accepts || count > table.most) return false;
    if (argument.isGlob && !(table.globs && globInside(argument.text))) return false;
    return accepts(argument.text);
  };
  for (let at = 0; at < all.length; at += 1) {
    const argument = all[at];
    if (!argument) return false;
    if (argument.text === '--') {
      const rest = all.slice(at + 1);
      if (table.passed) return fits(table.passed, rest);
      return rest.every((each) => each !== undefined && isWord(asWord(each)));
    }
    if (!argument.text.startsWith('-') || argument.text === '-') {
      if (argument.text === '-' || !isWord(argument)) return false;
      continue;
    }
    if (argument.isGlob) return false;
    const found = option(table, argument.text);
    if (found === 'unknown') return false;
    if (found === 'alone') continue;
    at += 1;
    const value = all[at];
    if (!value || value.isGlob || /^-(?!\d)/.test(value.text) || !found.takes(value.text)) return false;
  }
  return true;
}

function globInside(value: string): boolean {
  return staysInside(value) && globsStayInside(value);
}

/** After `--` a path may begin with a dash. */
function asWord(argument: Argument): Argument {
  return argument.text.startsWith('-') ? { ...argument, text: `./${argument.text}` } : argument;
}

function option(table: ArgumentTable, whole: string): 'unknown' | 'alone' | { readonly takes: Accepts } {
  if (table.flags.has(whole) || table.optional.has(whole)) return 'alone';
  const takes = table.values.get(whole);
  if (takes) return { takes };
  const [, name = '', value] = /^(-[^=]*)=(.*)$/s.exec(whole) ?? [];
  if (value !== undefined) {
    const accepts = table.values.get(name) ?? table.optional.get(name);
    return accepts?.(value) ? 'alone' : 'unknown';
  }
  if (table.bareNumber && /^-\d+$/.test(whole)) return 'alone';
  return table.joins && /^-[^-]/.test(whole) ? joined(table, whole.slice(1)) : 'unknown';
}

/** `-xvs`, `-n5`, `-vk` and then a word. */
function joined(table: ArgumentTable, letters: string): 'unknown' | 'alone' | { readonly takes: Accepts } {
  for (let at = 0; at < letters.length; at += 1) {
    const letter = `-${letters[at] ?? ''}`;
    if (table.flags.has(letter)) continue;
    const rest = letters.slice(at + 1);
    const attached = table.optional.get(letter);
    if (attached) return rest === '' || attached(rest) ? 'alone' : 'unknown';
    const takes = table.values.get(letter);
    if (!takes) return 'unknown';
    if (rest === '') return { takes };
    return takes(rest) ? 'alone' : 'unknown';
  }
  return 'alone';
}
