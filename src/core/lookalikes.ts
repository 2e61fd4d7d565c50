// Letters that look like those of the Latin alphabet, and signs that look like those of a shell: a command with one of
// them is not the command that it seems to be. Said in words beside it; the text itself is left as it is.
import { ellipsis } from './wellFormed.ts';

/** Latin letters, and what looks like them. The scripts are told by the letters themselves. */
const twins = new Set(
  'аеорсухіјѕһԁԛԝѵАВЕКМНОРСТУХІЈЅԌԚԜҮһοαρνιυτκχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոցհԱՕՍᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᏔᏃꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓠꓡꓢꓣꓤꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ',
);
const signs = new Set('‐‑‒–—−⁃∕⁄⧸∖⧹‘’‛′“”‟″‚„∣ǀ｜¦‖;；：﹔﹕ː։˸‹›«»˂˃＆﹠＞＜＄﹩‚،˗ʹʻʼʽˈˊˋ꞉꞊᐀─━⎯ー一ㅡ');
/** Those of them that may stand for the two hyphens before the words of a command. */
const hyphens = /^[‐‑‒−⁃˗]{2,}$/;

const scripts: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Canadian Aboriginal', /\p{Script=Canadian_Aboriginal}/u],
  ['Tifinagh', /\p{Script=Tifinagh}/u],
  ['Vai', /\p{Script=Vai}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Deseret', /\p{Script=Deseret}/u],
  ['Osage', /\p{Script=Osage}/u],
  ['Gothic', /\p{Script=Gothic}/u],
  ['Old Italic', /\p{Script=Old_Italic}/u],
  ['Lycian', /\p{Script=Lycian}/u],
  ['Carian', /\p{Script=Carian}/u],
  ['Lydian', /\p{Script=Lydian}/u],
  ['Elbasan', /\p{Script=Elbasan}/u],
  ['Warang Citi', /\p{Script=Warang_Citi}/u],
  ['Runic', /\p{Script=Runic}/u],
];

/** Nobody names files in them: each of their letters counts as one that looks like another. */
const rare =
  /[\p{Script=Coptic}\p{Script=Deseret}\p{Script=Osage}\p{Script=Gothic}\p{Script=Old_Italic}\p{Script=Lycian}\p{Script=Carian}\p{Script=Lydian}\p{Script=Elbasan}\p{Script=Warang_Citi}\p{Script=Runic}]/u;
/** Letters that languages are written in, and that are told from those of ASCII at a look. */
const ordinary = new Set('ßẞæÆœŒøØðÐþÞđĐħĦłŁŋŊŧŦəƏĸɓƁɗƊɛƐɔƆɣƔªº');
/** Of Turkish, in whose words the `i` without a dot is an ordinary letter. */
const turkish = /[şŞğĞİçÇöÖüÜ]/;
/** Marks that are easily overlooked: dots, hooks and strokes below, above and through a letter. */
const smallMarks = /[\u0307\u0321-\u0328\u032d-\u0338]/;
/** What is run, behind variables and what runs another, and its options. */
const commandWords =
  /(?:^|[;&|(`\n])\s*(?:[A-Za-z_]\w*=\S*\s+)*(?:(?:sudo|env|exec|command|nohup|time)\s+)*([^\s;&|()`<>]+)|(?<=\s)(-[^\s=;&|()`<>]*)/gu;

/** At most so many words, and origins of their letters, are named. */
const named = 3;

/** A sentence about the letters of a command or path that look like others; undefined where there are none. */
export function lookalikeWarning(text: string): string | undefined {
  if (!/[^\0-\u00a0]/.test(text)) return undefined;
  const words = text.match(/[\p{L}\p{N}\p{M}\p{Pc}\p{S}\p{P}]+/gu) ?? [];
  // Where whole words are of another alphabet, a word of which all letters have twins is one of them.
  const hasForeignWords = words.some((word) => isForeign(word));
  const commands = new Set([...text.matchAll(commandWords)].map(([, program, option]) => program ?? option ?? ''));
  const isTurkish = turkish.test(text);
  const all = [...words.filter((word) => !commands.has(word)), ...commands];
  const found = all.flatMap((word) => {
    const inCommand = commands.has(word) ? oddInCommand(word) : [];
    const odd = [...new Set([...oddIn(word, hasForeignWords, isTurkish), ...inCommand])];
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
    .map(
      (origin) =>
        `${letters
          .filter((letter) => originOf(letter) === origin)
          .map(standing)
          .join(', ')} (${origin})`,
    )
    .join(', ');
}

/** A mark with something to stand on. */
function standing(letter: string): string {
  return /\p{M}/u.test(letter) ? `\u25cc${letter}` : letter;
}

function isForeign(word: string): boolean {
  return Array.from(word).some((letter) => scriptOf(letter) !== undefined && !isTwin(letter)) && !/[A-Za-z]/.test(word);
}

function isTwin(letter: string): boolean {
  return twins.has(letter) || rare.test(letter);
}

/** Where a program or an option is named, no letter but those of ASCII is usual: one that may pass for them is said. */
function oddInCommand(word: string): readonly string[] {
  const hasAscii = /[A-Za-z]/.test(word);
  return Array.from(word.normalize('NFC')).filter((letter) => {
    if (letter <= '\u00a0' || !/[\p{L}\p{M}\p{Sk}]/u.test(letter)) return false;
    if (!/[\p{Script=Latin}\p{M}]/u.test(letter)) return hasAscii && !/[\ufe00-\ufe0f]/.test(letter);
    if (/\p{M}/u.test(letter)) return hasAscii && !/[\ufe00-\ufe0f\u20e3]/.test(letter);
    const apart = letter.normalize('NFD');
    return apart === letter ? !/[ßæÆœŒ]/.test(letter) : smallMarks.test(apart);
  });
}

function oddIn(word: string, hasForeignWords: boolean, isTurkish: boolean): readonly string[] {
  const letters = Array.from(word);
  const isAscii = (letter: string | undefined): boolean => letter !== undefined && /[!-~]/.test(letter);
  // Full width, mathematical and other forms of the letters and signs of ASCII.
  const forms = letters.filter((letter) => letter > '\u00ff' && /^[!-~]$/.test(letter.normalize('NFKC')));
  const foreign = letters.filter((letter) => scriptOf(letter) !== undefined);
  const isMixed = foreign.length > 0 && /[A-Za-z]/.test(word);
  const isAllTwins = foreign.length > 0 && !hasForeignWords && foreign.every(isTwin);
  const isSign = (letter: string): boolean => signs.has(letter) && letter > '\u00ff';
  const glued = letters.filter((letter, at) => {
    if (!isSign(letter)) return false;
    // Of several in a row, what stands before and behind all of them counts.
    const before = letters.slice(0, at).findLast((each) => !isSign(each));
    const behind = letters.slice(at + 1).find((each) => !isSign(each));
    return (before === undefined || isAscii(before)) && isAscii(behind);
  });
  const latin = letters.filter(
    (letter) =>
      /[\p{Script=Latin}]/u.test(letter) &&
      letter > '\u00ff' &&
      !ordinary.has(letter) &&
      !(letter === '\u0131' && isTurkish) &&
      letter.normalize('NFD') === letter,
  );
  // Over a letter or sign of ASCII, where the two are no letter of any language; digits make pictures with them.
  const marks = [...word.normalize('NFC').matchAll(/[!"$-)+-/:-~](\p{M}+)/gu)].flatMap(([, all = '']) =>
    Array.from(all).filter((mark) => !/[\ufe00-\ufe0f]/.test(mark)),
  );
  const dashes = hyphens.test(word) ? letters : [];
  return [...(isMixed || isAllTwins ? foreign : []), ...forms, ...glued, ...latin, ...marks, ...dashes];
}

function scriptOf(letter: string): string | undefined {
  return scripts.find(([, pattern]) => pattern.test(letter))?.[0];
}

function originOf(letter: string): string {
  const code = `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return scriptOf(letter) ?? code;
}
