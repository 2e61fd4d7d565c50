// What is asked for, as much of it as an eye takes in, with how much more there is: the rest is one key away, and nothing
// is ever below a fold without a count.
import { useState } from 'preact/hooks';
import { headOf } from '../../src/core/wellFormed.ts';
import { visibleText, type TextKind } from '../../src/core/visibleText.ts';
import { countText } from '../words.ts';
import { StepCode } from './Code.tsx';

interface Limits {
  readonly lines: number;
  readonly characters: number;
}

const limits: Readonly<Record<'shell' | 'diff' | 'json', Limits>> = {
  shell: { lines: 12, characters: 900 },
  json: { lines: 16, characters: 900 },
  diff: { lines: 28, characters: 2_400 },
};

interface Props {
  readonly language: 'shell' | 'diff' | 'json';
  readonly text: string;
  readonly label: string;
  readonly onEnter: () => void;
}

export function CutBox({ language, text, label, onEnter }: Props) {
  const [isWhole, setWhole] = useState(false);
  const cut = cutOf(text, language);
  const isCut = cut !== undefined && !isWhole;
  return (
    <div class="cut-box">
      <pre
        tabIndex={0}
        aria-label={isCut ? `${label}, ${cut.words} below` : label}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.repeat) onEnter();
        }}
      >
        <StepCode language={language} text={isCut ? cut.head : text} />
      </pre>
      {cut && (
        <button
          type="button"
          class="cut-more"
          aria-expanded={isWhole}
          title={isWhole ? 'Show the beginning only' : `Show all of it: ${cut.words} (Enter)`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : cut.words}
        </button>
      )}
    </div>
  );
}

/** The beginning and how much more there is, when there is more than fits. Counted as it is drawn. */
export function cutOf(
  text: string,
  language: Props['language'],
): { readonly head: string; readonly words: string } | undefined {
  const { lines, characters } = limits[language];
  const kind: TextKind = language === 'diff' ? 'diff' : 'code';
  const all = text.replace(/\n$/, '').split('\n');
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
  const restLines = rest.replace(/\n$/, '').split('\n').length - 1;
  const words = countText(rest.length, 'more character', 'more characters');
  return { head, words: restLines === 0 ? words : `${words} in ${countText(restLines + 1, 'line', 'lines')}` };
}

function lineCut(text: string, lines: number, kind: TextKind): string {
  const all = text.split('\n');
  let count = lines;
  let head = all.slice(0, count).join('\n');
  // A mark for empty lines is one line on screen.
  while (count < all.length && visibleText(all.slice(0, count + 1).join('\n'), kind).split('\n').length <= lines) {
    count += 1;
    head = all.slice(0, count).join('\n');
  }
  return head;
}
