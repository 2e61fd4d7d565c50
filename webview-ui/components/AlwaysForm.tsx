// "Allow always…", opened in place: the rules that can be made, in words, before one is kept. Esc goes back.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AlwaysView, RuleWords } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { Shown } from './Shown.tsx';

interface Props {
  readonly stepId: string;
  readonly always: AlwaysView;
  readonly onChoose: (key: string) => void;
  readonly onCancel: () => void;
}

export function AlwaysForm({ stepId, always, onChoose, onCancel }: Props) {
  const { choices, none, note } = always;
  const [chosen, setChosen] = useState(choices[0]?.key);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    root.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
    root.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const confirm = (): void => {
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <div
      ref={root}
      class="always"
      role="group"
      aria-label="Allow always"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          // The page would take the keyboard to the input.
          event.stopPropagation();
          onCancel();
        } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          confirm();
        }
      }}
    >
      {none === undefined ? <p>From now on in this folder, do not ask about:</p> : <p>{none}</p>}
      {choices.map(({ key, rules }) => (
        <label key={key} class="always-choice">
          <input
            type="radio"
            name={`always-${stepId}`}
            value={key}
            checked={key === chosen}
            onChange={() => setChosen(key)}
          />
          <span>
            {rules.map((rule, index) => (
              <RuleText key={index} rule={rule} first={index === 0} />
            ))}
          </span>
        </label>
      ))}
      {note !== undefined && <p class="always-note">{note}</p>}
      <div class="button-row">
        {none === undefined && <Button kind="primary" label="Allow always" mark="⏎" onPress={confirm} />}
        <Button label={none === undefined ? 'Cancel' : 'Back'} hint="Back to the question (Esc)" onPress={onCancel} />
      </div>
    </div>
  );
}

function RuleText({ rule, first }: { readonly rule: RuleWords; readonly first: boolean }) {
  return (
    <>
      {!first && ' and '}
      {rule.before !== undefined && `${rule.before} `}
      {rule.code !== undefined && (
        <code>
          <Shown text={rule.code} />
        </code>
      )}
      {rule.after !== undefined && ` ${rule.after}`}
    </>
  );
}
