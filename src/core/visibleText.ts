// Text of others as it is shown: what is not drawn, turns the line around, or is drawn as something else becomes a mark in
// ⟨angle brackets⟩, so that what is read is what runs. Copies and records keep the text itself. Pure; knows no screen.
import { grouped } from './words.ts';

/** `isMark`: stands for what cannot be seen, or for many of what is better counted. */
export interface ShownPart {
  readonly text: string;
  readonly isMark?: true;
}

/**
 * `code`: a command, a path, a name that something goes by. `diff`: lines of a file, whose ends may be those of Windows.
 * `prose`: words for people, in which a blank of any width is a blank.
 */
export type TextKind = 'code' | 'diff' | 'prose';

/** Blanks in a row, and empty lines in a row, from which on they are counted: below it they are seen as what they are. */
const countedBlanks = 32;
const countedLines = 4;

const names: Readonly<Record<string, string>> = {
  '\0': 'NUL',
  '\b': 'BS',
  '\r': 'CR',
  '\u001b': 'ESC',
  '\u007f': 'DEL',
};

/** All that may have to be marked, and more: whether it has to be depends on what stands beside it. */
const mayBeOdd = new RegExp(
  [
    '[\\p{C}--[\\n\\t]]',
    '[\\p{Z}--[ ]]',
    '\\p{Default_Ignorable_Code_Point}',
    // Blanks that count as letters or symbols.
    '[\\u115f\\u1160\\u3164\\uffa0\\u2800\\u{1d159}]',
    '\\p{M}',
    '[⟨⟩]',
    `[ \\t]{${String(countedBlanks)}}`,
    `(?:[ \\t]*\\n){${String(countedLines)}}`,
  ].join('|'),
  'v',
);
const invisible = /[[\p{C}--[\n\t]]\p{Default_Ignorable_Code_Point}\u115f\u1160\u3164\uffa0\u2800\u{1d159}⟨⟩]/v;
const oddBlank = /[\p{Z}--[ ]]/v;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const joinable =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u;

/** A text in parts: plain ones and marks. One part for a text in which all can be seen. */
export function shownParts(text: string, kind: TextKind): readonly ShownPart[] {
  if (!mayBeOdd.test(text)) return text === '' ? [] : [{ text }];
  const parts: ShownPart[] = [];
  let plain = '';
  const mark = (name: string): void => {
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ text: `⟨${name}⟩`, isMark: true });
  };
  let at = 0;
  let before = '';
  let piled = 0;
  while (at < text.length) {
    const run = counted(text, at, kind);
    if (run) {
      plain += run.keeps;
      mark(run.name);
      at += run.length;
      before = '';
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const next = text.slice(at + character.length, at + character.length + 2);
    piled = /\p{M}/u.test(character) ? piled + 1 : 0;
    if (isOdd(character, before, next, kind) || piled > maxPiled) {
      if (kind === 'prose' && oddBlank.test(character) && !/[\u2028\u2029]/.test(character)) plain += ' ';
      else mark(names[character] ?? codeOf(character));
    } else {
      plain += character;
    }
    before = character;
    at += character.length;
  }
  if (plain !== '') parts.push({ text: plain });
  return parts;
}

/** Signs above and below one letter: more of them run over the lines beside it. */
const maxPiled = 4;

function isOdd(character: string, before: string, next: string, kind: TextKind): boolean {
  if (character === '\r') return !(kind !== 'code' && next.startsWith('\n'));
  if (oddBlank.test(character)) return true;
  if (character === '\u200d' || character === '\u200c') {
    const after = String.fromCodePoint(next.codePointAt(0) ?? 0);
    const joinsPictures = character === '\u200d' && pictograph.test(before) && pictograph.test(after);
    return !joinsPictures && !(/[\p{L}\p{M}]/u.test(before) && joinable.test(before) && joinable.test(after));
  }
  // One selector says how the sign before it is drawn.
  if (character === '\ufe0f' || character === '\ufe0e') return !/[\p{Emoji}]/u.test(before) || before === '';
  if (/[\u{e0100}-\u{e01ef}]/u.test(character)) return !/\p{Script=Han}/u.test(before);
  return invisible.test(character);
}

interface Counted {
  /** What is shown of it, before the mark. */
  readonly keeps: string;
  readonly name: string;
  readonly length: number;
}

const blankRun = new RegExp(`[ \\t]{${String(countedBlanks)},}`, 'y');
const emptyLines = new RegExp(`\\n(?:[ \\t]*\\n){${String(countedLines)},}`, 'y');

function counted(text: string, at: number, kind: TextKind): Counted | undefined {
  const c = text[at];
  if (c === '\n' && kind !== 'diff') {
    emptyLines.lastIndex = at;
    const found = emptyLines.exec(text)?.[0];
    if (!found) return undefined;
    const empty = found.split('\n').length - 2;
    return { keeps: '\n', name: `${grouped(empty)} empty lines`, length: found.length - 1 };
  }
  if (c !== ' ' && c !== '\t') return undefined;
  blankRun.lastIndex = at;
  const found = blankRun.exec(text)?.[0];
  if (!found) return undefined;
  return { keeps: ' ', name: `${grouped(found.length)} blanks`, length: found.length };
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text with its marks, for where there is only text: tooltips, names for screen readers, the editor's own lists. */
export function visibleText(text: string, kind: TextKind = 'code'): string {
  return shownParts(text, kind)
    .map((part) => part.text)
    .join('');
}

/** The same in one line. */
export function visibleLine(text: string, kind: TextKind = 'code'): string {
  const ends = kind === 'code' ? /[ \t]*\n\s*/g : /[ \t]*\r?\n\s*/g;
  return visibleText(text.replace(ends, ' ⏎ ').replaceAll('\t', ' ').trim(), kind);
}

/**
 * One line for the editor's lists and notifications, which make pictures of `$(name)` and links of `[text](address)`:
 * here they are what they are.
 */
export function visibleLabel(text: string, kind: TextKind = 'prose'): string {
  return visibleLine(text, kind)
    .replace(/\$\([a-z0-9-]+(?:~[a-z]+)?\)/gi, '\\$&')
    .replaceAll('](', '] (');
}

/**
 * Prose with markup in it, of which only that is marked which turns the line around or writes in letters that nobody
 * sees: all else is the business of whoever draws it.
 */
export function withoutTurns(text: string): string {
  return text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu,
    (each) => `⟨${codeOf(each)}⟩`,
  );
}
