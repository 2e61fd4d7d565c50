// Letters that look like those of the Latin alphabet, and signs that look like those of a shell: a command with one of
// them is not the command that it seems to be. Said in words beside it; the text itself is left as it is.
import { ellipsis } from './wellFormed.ts';

/** Latin letters, and what looks like them. The scripts are told by the letters themselves. */
const twins = new Set(
  'аеорсухіјѕһԁԛԝѵАВЕКМНОРСТУХІЈЅԌԚԜҮһοαρνιυτκχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոցհԱՕՍᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᏔᏃꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓠꓡꓢꓣꓤꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ',
);
const signs = new Set('‐‑‒–—−⁃∕⁄⧸∖⧹‘’‛′“”‟″‚„∣ǀ｜¦‖;；：﹔﹕ː։˸‹›«»˂˃＆﹠＞＜＄﹩‚،');

const scripts: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Lisu', /\p{Script=Lisu}/u],
];

/** At most so many words, and origins of their letters, are named. */
const named = 3;

/** A sentence about the letters of a command or path that look like others; undefined where there are none. */
export function lookalikeWarning(text: string): string | undefined {
  if (!/[^\0-\u00a0]/.test(text)) return undefined;
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Pc}\p{S}\p{P}]+/gu) ?? [];
  // Where whole words are of another alphabet, a word of which all letters have twins is one of them.
  const hasForeignWords = words.some((word) => isForeign(word));
  const found = words.flatMap((word) => {
    const odd = [...new Set(oddIn(word, hasForeignWords))];
    return odd.length === 0 ? [] : [`${listed(odd)} in "${ellipsis(word, 30)}"`];
  });
  if (found.length === 0) return undefined;
  const distinct = [...new Set(found)];
  const more = distinct.length > named ? `, and in ${String(distinct.length - named)} more words` : '';
  return `Contains letters or signs that look like others: ${distinct.slice(0, named).join(', ')}${more}.`;
}

/** "с, о (Cyrillic)". */
function listed(letters: readonly string[]): string {
  const origins = [...new Set(letters.map(originOf))];
  return origins
    .slice(0, named)
    .map((origin) => `${letters.filter((letter) => originOf(letter) === origin).join(', ')} (${origin})`)
    .join(', ');
}

function isForeign(word: string): boolean {
  return (
    Array.from(word).some((letter) => scriptOf(letter) !== undefined && !twins.has(letter)) && !/[A-Za-z]/.test(word)
  );
}

function oddIn(word: string, hasForeignWords: boolean): readonly string[] {
  const letters = Array.from(word);
  const isAscii = (letter: string | undefined): boolean => letter !== undefined && /[!-~]/.test(letter);
  // Full width, mathematical and other forms of the letters and signs of ASCII.
  const forms = letters.filter((letter) => letter > '\u00ff' && /^[!-~]$/.test(letter.normalize('NFKC')));
  const foreign = letters.filter((letter) => scriptOf(letter) !== undefined);
  const isMixed = foreign.length > 0 && /[A-Za-z]/.test(word);
  const isAllTwins = foreign.length > 0 && !hasForeignWords && foreign.every((letter) => twins.has(letter));
  const glued = letters.filter(
    (letter, at) =>
      signs.has(letter) &&
      letter > '\u00ff' &&
      (at === 0 ? isAscii(letters[1]) : isAscii(letters[at - 1]) && isAscii(letters[at + 1])),
  );
  return [...(isMixed || isAllTwins ? foreign : []), ...forms, ...glued];
}

function scriptOf(letter: string): string | undefined {
  return scripts.find(([, pattern]) => pattern.test(letter))?.[0];
}

function originOf(letter: string): string {
  const code = `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return scriptOf(letter) ?? code;
}
