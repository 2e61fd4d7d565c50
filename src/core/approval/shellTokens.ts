// The words and operators of a command line for a POSIX shell. Where bash, dash and POSIX could read a text
// differently, or it depends on what is set while it runs, reading ends with `NotClear`.

export type WordPart =
  /** What it says, quotes and escapes resolved. */
  | { readonly kind: 'text'; readonly text: string }
  /** Characters of a glob, a brace list or a home folder: the shell decides what they become. */
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean };
/** No parts: the empty word. Two parts of text never stand side by side. */
export type Word = readonly WordPart[];

export interface Redirection {
  readonly fd: number;
  readonly operator: '<' | '>' | '>>' | '>&';
  /** A file, or after `>&` the number of the stream. */
  readonly target: string;
}

export type Token =
  | { readonly kind: 'word'; readonly word: Word; readonly assigns?: { readonly name: string; readonly value: Word } }
  | { readonly kind: 'redirection'; readonly redirection: Redirection }
  | { readonly kind: 'operator'; readonly operator: '&&' | '||' | '|' | ';' }
  | { readonly kind: 'newline' };

/** It is not certain what a command does; the message says what is in the way. */
export class NotClear extends Error {}

const longest = 10_000;
const patternCharacters = '*?[]{}~';
const wordEnds = ' \t\n;&|<>()';
/** After a `$` in double quotes these leave it as it is, in every shell. */
const harmlessAfterDollar = '" |/.,;:%^&+=~]}\n';

/** @throws NotClear */
export function tokens(text: string): readonly Token[] {
  if (text.length > longest) throw new NotClear('it is too long');
  // Control characters, invisible ones and spaces that are none would show something else than what is run.
  if (/[^\P{C}\n\t]/u.test(text) || /[^\P{Z} ]/u.test(text)) {
    throw new NotClear('it has control characters or invisible ones');
  }
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const c = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (c === ' ' || c === '\t') at += 1;
    else if (c === '\\' && next === '\n') at += 2;
    else if (c === '\n') {
      found.push({ kind: 'newline' });
      at += 1;
    } else if (c === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (c === ';' || c === '&' || c === '|') {
      const operator = operatorAt(text, at);
      found.push({ kind: 'operator', operator });
      at += operator.length;
    } else if (c === '<' || c === '>') {
      const read = redirectionAt(text, at, undefined);
      found.push({ kind: 'redirection', redirection: read.redirection });
      at = read.end;
    } else {
      const read = wordAt(text, at);
      at = read.end;
      if (text[at] !== '<' && text[at] !== '>') {
        found.push({ kind: 'word', word: read.word, ...(read.assigns && { assigns: read.assigns }) });
        continue;
      }
      const [part] = read.word;
      const isNumber = read.bare && read.word.length === 1 && part?.kind === 'text' && /^\d+$/.test(part.text);
      if (!isNumber) {
        // `{name}>file` is a redirection too, in some shells.
        if (read.word.at(-1)?.kind !== 'text') throw new NotClear('it is not certain what it redirects');
        found.push({ kind: 'word', word: read.word, ...(read.assigns && { assigns: read.assigns }) });
        continue;
      }
      if (part.text.length > 1) throw new NotClear('it is not certain what it redirects');
      const redirection = redirectionAt(text, at, Number(part.text));
      found.push({ kind: 'redirection', redirection: redirection.redirection });
      at = redirection.end;
    }
  }
  return found;
}

function operatorAt(text: string, at: number): '&&' | '||' | '|' | ';' {
  const two = text.slice(at, at + 2);
  if (two === '&&' || two === '||') return two;
  if (two === '|&' || two === ';;' || two === ';&') throw new NotClear(`it has the operator "${two}"`);
  const one = text[at];
  if (one === '|' || one === ';') return one;
  throw new NotClear('a command in it runs in the background');
}

function redirectionAt(
  text: string,
  at: number,
  fd: number | undefined,
): { readonly redirection: Redirection; readonly end: number } {
  const operator = /^(?:<|>>|>&|>)/.exec(text.slice(at, at + 2))?.[0];
  if (operator !== '<' && operator !== '>' && operator !== '>>' && operator !== '>&') {
    throw new NotClear('it is not certain what it redirects');
  }
  let start = at + operator.length;
  if ('<>&|('.includes(text[start] ?? '\n')) throw new NotClear('it has a here-document or an unusual redirection');
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  const c = text[start];
  const isContinued = c === '\\' && text[start + 1] === '\n';
  if (c === undefined || c === '#' || wordEnds.includes(c) || isContinued)
    throw new NotClear('it is not certain what it redirects');
  const { word, end } = wordAt(text, start);
  const [part] = word;
  if (word.length !== 1 || part?.kind !== 'text') throw new NotClear('it is not certain where it redirects to');
  // In `<2>&1` the 2 is a stream, not a file.
  if (text[end] === '<' || text[end] === '>') throw new NotClear('it is not certain what it redirects');
  if (operator === '>&' && part.text !== '1' && part.text !== '2') throw new NotClear('it has an unusual redirection');
  return { redirection: { fd: fd ?? (operator === '<' ? 0 : 1), operator, target: part.text }, end };
}

interface ReadWord {
  readonly word: Word;
  /** Nothing in it is quoted or escaped. */
  readonly bare: boolean;
  readonly end: number;
  readonly assigns?: { readonly name: string; readonly value: Word };
}

function wordAt(text: string, start: number): ReadWord {
  const word: WordPart[] = [];
  let bare = true;
  let valueFrom: { readonly name: string } | undefined;
  let at = start;
  while (at < text.length) {
    const c = text[at] ?? '';
    if (c === '(' || c === ')') throw new NotClear('it has parentheses: a subshell, a function or a substitution');
    if (wordEnds.includes(c)) break;
    if (c === '`') throw new NotClear('it has a command substitution');
    if (c === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) throw new NotClear('a quote in it is not closed');
      bare = false;
      add(word, 'text', text.slice(at + 1, end));
      at = end + 1;
    } else if (c === '"') {
      bare = false;
      at = doubleQuoted(text, at + 1, word);
    } else if (c === '\\') {
      const escaped = text[at + 1];
      if (escaped === undefined) throw new NotClear('it ends with a backslash');
      if (escaped !== '\n') {
        bare = false;
        add(word, 'text', escaped);
      }
      at += 2;
    } else if (c === '$') {
      at = dollar(text, at, word, false);
    } else {
      const [only] = word;
      if (c === '=' && bare && word.length === 1 && only?.kind === 'text' && /^[A-Za-z_]\w*$/.test(only.text)) {
        valueFrom ??= { name: only.text };
      }
      add(word, patternCharacters.includes(c) ? 'pattern' : 'text', c);
      at += 1;
    }
  }
  if (!valueFrom) return { word, bare, end: at };
  return { word, bare, end: at, assigns: { name: valueFrom.name, value: valueAfter(word, valueFrom.name.length + 1) } };
}

/** A word without the first characters of its text. */
function valueAfter([first, ...rest]: Word, length: number): Word {
  if (first?.kind !== 'text') return [];
  const text = first.text.slice(length);
  return text === '' ? rest : [{ kind: 'text', text }, ...rest];
}

function add(word: WordPart[], kind: 'text' | 'pattern', text: string): void {
  if (text === '') return;
  const last = word.at(-1);
  if (last?.kind === kind) word[word.length - 1] = { kind, text: last.text + text };
  else word.push({ kind, text });
}

/** @returns where to go on, after the closing quote */
function doubleQuoted(text: string, start: number, word: WordPart[]): number {
  let at = start;
  while (at < text.length) {
    const c = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (c === '"') return at + 1;
    if (c === '`') throw new NotClear('it has a command substitution');
    if (c === '\\' && next === '\n') at += 2;
    else if (c === '\\' && next !== '' && '$`"\\'.includes(next)) {
      add(word, 'text', next);
      at += 2;
    } else if (c === '$' && next !== '' && harmlessAfterDollar.includes(next)) {
      add(word, 'text', c);
      at += 1;
    } else if (c === '$') {
      at = dollar(text, at, word, true);
    } else {
      add(word, 'text', c);
      at += 1;
    }
  }
  throw new NotClear('a quote in it is not closed');
}

/** @returns where to go on, after the variable's name */
function dollar(text: string, at: number, word: WordPart[], quoted: boolean): number {
  const rest = text.slice(at + 1, at + 200);
  const name = /^(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|(\?))/.exec(rest);
  const found = name?.[1] ?? name?.[2] ?? name?.[3];
  if (!name || found === undefined || found.length > 100) {
    if (rest.startsWith('((') || rest.startsWith('[')) throw new NotClear('it has arithmetic');
    if (rest.startsWith('(')) throw new NotClear('it has a command substitution');
    throw new NotClear('it has an expansion that depends on more than its text');
  }
  word.push({ kind: 'variable', name: found, quoted });
  return at + 1 + name[0].length;
}
