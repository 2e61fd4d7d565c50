// The three buttons of the panel: primary or secondary with words, and the icon button. Each has a name and a tooltip.
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

interface ButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  /** What the tooltip says beyond the label, and the key. */
  readonly hint?: string;
  readonly kind?: 'primary' | 'secondary' | 'link';
  readonly icon?: string;
  /** The key that does the same, for the eye; the hint says it in words. */
  readonly mark?: string;
  readonly disabled?: boolean;
  readonly expanded?: boolean;
  readonly type?: 'button' | 'submit';
}

export function Button(props: ButtonProps) {
  return (
    <button
      type={props.type ?? 'button'}
      class={`button ${props.kind ?? 'secondary'}`}
      title={props.hint ?? props.label}
      disabled={props.disabled ?? false}
      aria-expanded={props.expanded}
      onClick={(event) => {
        // The second click of a double click would ask for the same thing again.
        if (event.detail <= 1 && props.type !== 'submit') props.onPress();
      }}
    >
      {props.icon && <Icon name={props.icon} />}
      <span>{props.label}</span>
      {props.mark && (
        <kbd class="button-key" aria-hidden="true">
          {props.mark}
        </kbd>
      )}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: string;
  /** Accessible name. */
  readonly label: string;
  /** Tooltip with the key; the label when absent. */
  readonly hint?: string;
  readonly onPress: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly tabIndex?: number;
  /** The arrow keys stop here in the transcript. */
  readonly isStop?: boolean;
  readonly expanded?: boolean;
  readonly hasPopup?: 'menu';
  readonly children?: ComponentChildren;
}

export function IconButton(props: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ''}`}
      aria-label={props.label}
      title={props.hint ?? props.label}
      disabled={props.disabled ?? false}
      tabIndex={props.tabIndex}
      data-stop={props.isStop ? '' : undefined}
      aria-expanded={props.expanded}
      aria-haspopup={props.hasPopup}
      onClick={(event) => {
        if (event.detail <= 1) props.onPress();
      }}
    >
      <Icon name={props.icon} />
      {props.children}
    </button>
  );
}
