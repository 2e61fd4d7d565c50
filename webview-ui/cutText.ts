// How much of a text is shown before it is cut, and the words for the rest. Counted as it is drawn: with its marks.
import { visibleText, type TextKind } from '../src/core/visibleText.ts';
import { headOf } from '../src/core/wellFormed.ts';
import { countText } from './words.ts';

interface Limits {
  readonly lines: number;
  readonly characters: number;
}

const limits: Readonly<Record<'shell' | 'diff' | 'json', Limits>> = {
  shell: { lines: 12, characters: 900 },
  json: { lines: 16, characters: 900 },
  diff: { lines: 28, characters: 2_400 },
};

/** The beginning and how much more there is, when there is more than fits. Counted as it is drawn. */
export function cutOf(
  whole: string,
  language: keyof typeof limits,
): { readonly head: string; readonly words: string } | undefined {
  const { lines, characters } = limits[language];
  const text = whole.replace(/\n$/, '');
  const kind: TextKind = language === 'diff' ? 'diff' : 'code';
  const all = text.split('\n');
  // Empty lines and blanks that are counted in a mark take no room, and may stand before the cut in any number.
  if (visibleText(text, kind).length <= characters && visibleText(text, kind).split('\n').length <= lines) {
    return undefined;
  }
  const byLines = lineCut(text, lines, kind);
  if (visibleText(byLines, kind).length <= characters) {
    const more = all.length - byLines.split('\n').length;
    return { head: byLines, words: countText(more, 'more line', 'more lines') };
  }
  let head = headOf(byLines, characters);
  // Marks are longer than what they stand for.
  while (visibleText(head, kind).length > characters && head.length > 1)
    head = headOf(head, Math.floor(head.length / 2));
  const rest = text.slice(head.length);
  const restLines = rest.split('\n').length - 1;
  const words = countText(rest.length, 'more character', 'more characters');
  return { head, words: restLines === 0 ? words : `${words} in ${countText(restLines + 1, 'line', 'lines')}` };
}

/** Empty lines before the cut that are looked over; more of them are below it. */
const mostEmpty = 1_000;

function lineCut(text: string, lines: number, kind: TextKind): string {
  const all = text.split('\n');
  let count = lines;
  let head = all.slice(0, count).join('\n');
  // A mark for empty lines is one line on screen.
  while (
    count < Math.min(all.length, lines + mostEmpty) &&
    visibleText(all.slice(0, count + 1).join('\n'), kind).split('\n').length <= lines
  ) {
    count += 1;
    head = all.slice(0, count).join('\n');
  }
  return head;
}
