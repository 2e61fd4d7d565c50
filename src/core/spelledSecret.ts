// Finds a secret that is spelled piece by piece: characters escaped each in its own way, hex in pairs, and between them what
// does not show or what a tool puts at the ends and beginnings of lines. Must never keep a text.

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Pieces that are looked for at once: most texts meet only the first few, and a pattern of all would be too large. */
const atOnce = 6;

const blank = '[ \\t\\u00a0]';
const escapeCode = '(?:\\x1b|\\\\{1,8}(?:u001[bB]|x1[bB]|033|e))\\[[\\d;:?]{0,20}[A-Za-z]';
const unseen = `(?:[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]|${escapeCode})`;
const lineEnd = '(?:\\\\?(?:\\r\\n?|[\\n\\v\\f\\u0085\\u2028\\u2029])|(?:\\\\{1,8}r)?\\\\{1,8}n)';
/** A number, or a mark of a quote, a comment or a difference. */
const lineStart = `(?:\\d{1,7}${blank}{0,3}[:|\\t\\u2192 -]${blank}{0,3}|(?:[+>|*-]|#{1,3}|//)${blank}{0,3})`;
const broken = `(?:${blank}{0,20}${lineEnd}){1,3}${blank}{0,80}${lineStart}?`;
const betweenTexts = `["'\`]\\s{0,80}[+.\\\\]?\\s{0,80}["'\`]`;
const betweenCharacters = `(?:${unseen}{1,3}|${betweenTexts})?(?:${broken})?${unseen}{0,3}`;

/** In a dump a line ends with its characters, and the next begins with its place. */
const dumpLine = `[^\\r\\n]{0,100}\\r?\\n${blank}{0,8}(?:[\\da-fA-F]{4,16}:?)?${blank}{1,8}`;
const betweenBytes = `(?:${dumpLine}|(?:[\\s:,;_.|"'+-]{0,8}(?:\\\\{1,8}x|0[xX]|%|\\\\{1,8}u00)?)${lineStart}?)`;

const namedCharacters: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};

/** Finds each place of one secret; of two that overlap, the first. */
export function spelledPlaces(secret: string): (text: string) => readonly Span[] {
  const plain = secret.toWellFormed();
  const bytes = hexBytes(plain).map(anyCase);
  const characters = runs(Array.from(plain, spellings), betweenCharacters);
  const hex = runs(bytes, betweenBytes);
  return (text) => [
    ...placesOf(characters, text),
    // What stands beside the last bytes of a dump is their characters.
    ...placesOf(hex, text).map(({ start, end }) => ({
      start,
      end: lineBreak.test(text.slice(start, end)) ? endOfLine(text, end) : end,
    })),
  ];
}

const lineBreak = /[\r\n]/;

function endOfLine(text: string, from: number): number {
  const at = text.slice(from).search(lineBreak);
  return at < 0 ? text.length : from + at;
}

/** One character as it is, after backslashes, and by its number. */
function spellings(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes = hexBytes(character).map(anyCase);
  const number = anyCase(code.toString(16));
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const name = namedCharacters[character];
  return [
    character === '\\' ? '\\\\{1,8}' : `\\\\{0,8}${literal(character)}`,
    units.map((unit) => `\\\\{1,8}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    `\\\\{1,8}u\\{0{0,4}${number}\\}`,
    bytes.map((byte) => `\\\\{1,8}x${byte}`).join(''),
    bytes.map((byte) => `%(?:25)?${byte}`).join(''),
    `&#(?:0{0,4}${String(code)}|[xX]0{0,4}${number});`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ].join('|');
}

function hexBytes(text: string): readonly string[] {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0'));
}

/** A text for a pattern, where each of its characters stands for itself. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** One pattern for each run of a few pieces: the first is looked for, the others go on from where the one before ended. */
function runs(pieces: readonly string[], between: string): readonly RegExp[] {
  const patterns: RegExp[] = [];
  for (let at = 0; at < pieces.length; at += atOnce) {
    const run = pieces
      .slice(at, at + atOnce)
      .map((piece, index) => (at + index === 0 ? `(?:${withoutMore(piece)})` : `${between}(?:${piece})`));
    patterns.push(new RegExp(run.join(''), at === 0 ? 'g' : 'y'));
  }
  return patterns;
}

/** Of many backslashes before the first piece, only the last: a text of nothing else would be read again from each. */
function withoutMore(piece: string): string {
  return piece.replaceAll('\\\\{0,8}', '').replaceAll('\\\\{1,8}', '\\\\');
}

function placesOf([first, ...rest]: readonly RegExp[], text: string): readonly Span[] {
  const places: Span[] = [];
  if (!first) return places;
  for (let from = 0; ;) {
    first.lastIndex = from;
    const start = first.exec(text)?.index;
    if (start === undefined) return places;
    let end: number | undefined = first.lastIndex;
    for (const pattern of rest) {
      pattern.lastIndex = end;
      if (!pattern.test(text)) {
        end = undefined;
        break;
      }
      end = pattern.lastIndex;
    }
    if (end !== undefined) places.push({ start, end });
    from = end ?? start + 1;
  }
}
