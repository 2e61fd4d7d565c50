// The `@` words of a message: where they stand in its text, and how a path is written as one. Pure; whether there is
// such a file is not known here.

/** Words that stand for something of the editor instead of a path. */
export const mentionKeywords = ['selection', 'problems', 'terminal'] as const;
export type MentionKeyword = (typeof mentionKeywords)[number];

export interface Mention {
  /** Without the `@` and the quotes: a keyword, or a path as it was written. */
  readonly name: string;
  /** Where it begins (at the `@`) and ends in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** An `@` counts only at the beginning of a word: not in an address of mail, not in `a@b`. */
const pattern = /(?<=^|[\s([{"'`])@(?:"([^"\n]+)"|([^\s"]+))/g;
/** What ends a sentence or a bracket, not a path. */
const trailing = /[.,;:!?)\]}'"`]+$/;

/** The mentions of a text in their order. One that is repeated is there once. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const match of text.matchAll(pattern)) {
    const [whole, quoted, plain = ''] = match;
    const name = quoted ?? plain.replace(trailing, '');
    const cut = quoted === undefined ? plain.length - name.length : 0;
    if (name === '' || found.has(name)) continue;
    found.set(name, { name, start: match.index, end: match.index + whole.length - cut });
  }
  return [...found.values()];
}

/** How a path or keyword is written in a text, so that {@link mentionsIn} finds it again. */
export function mentionText(name: string): string {
  const isPlain = !/[\s"]/.test(name) && !trailing.test(name);
  return isPlain ? `@${name}` : `@"${name.replaceAll('"', '')}"`;
}

export function isMentionKeyword(name: string): name is MentionKeyword {
  return mentionKeywords.some((keyword) => keyword === name);
}

/** A path as the folder's files are named: with `/`, without `./` in front and `/` at the end. */
export function normalPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
}
