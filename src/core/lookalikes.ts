// Letters that look like those of the Latin alphabet, and signs that look like those of a shell: a command with one of
// them is not the command that it seems to be. Said in words beside it; the text itself is left as it is.

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

/** At most so many are named. */
const named = 4;

/** A sentence about the letters of a command or path that look like others; undefined where there are none. */
export function lookalikeWarning(text: string): string | undefined {
  if (!/[^\0-\u00a0]/.test(text)) return undefined;
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Pc}\p{S}\p{P}]+/gu) ?? [];
  // Where whole words are of another alphabet, a word of which all letters have twins is one of them.
  const hasForeignWords = words.some((word) => isForeign(word));
  const found = new Set<string>();
  for (const word of words) for (const each of oddIn(word, hasForeignWords)) found.add(each);
  if (found.size === 0) return undefined;
  const all = [...found].map((letter) => `${letter} (${originOf(letter)})`);
  const more = all.length > named ? `, and ${String(all.length - named)} more` : '';
  return `Contains letters or signs that look like others: ${all.slice(0, named).join(', ')}${more}.`;
}

function isForeign(word: string): boolean {
  return [...word].some((letter) => scriptOf(letter) !== undefined && !twins.has(letter)) && !/[A-Za-z]/.test(word);
}

function oddIn(word: string, hasForeignWords: boolean): readonly string[] {
  const letters = [...word];
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
