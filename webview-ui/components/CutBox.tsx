// What is asked for, as much of it as an eye takes in, with how much more there is: the rest is one key away, and nothing
// is ever below a fold without a count.
import { useState } from 'preact/hooks';
import { cutOf } from '../cutText.ts';
import { StepCode } from './Code.tsx';
import { usePanel } from './context.ts';

interface Props {
  readonly language: 'shell' | 'diff' | 'json';
  readonly text: string;
  readonly label: string;
  readonly onEnter: () => void;
}

export function CutBox({ language, text, label, onEnter }: Props) {
  const { scroll } = usePanel();
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
          onClick={() => {
            scroll.keepStill();
            setWhole(!isWhole);
          }}
        >
          {isWhole ? 'Show less' : cut.words}
        </button>
      )}
    </div>
  );
}
