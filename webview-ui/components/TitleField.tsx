// The title: a heading that a click turns into a field. Enter keeps, Esc drops.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './context.ts';
import { Shown, shown } from './Shown.tsx';

export function TitleField(props: { readonly title: string; readonly readOnly: boolean }) {
  const { post } = usePanel();
  const [editing, setEditing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leftByKey = useRef(false);
  useLayoutEffect(() => {
    if (editing) field.current?.select();
    else if (leftByKey.current) button.current?.focus();
    leftByKey.current = false;
  }, [editing]);

  const title = props.title || 'New session';
  if (props.readOnly) {
    return (
      <h1 class="title" title={shown(title, 'prose')}>
        <Shown text={title} kind="prose" />
      </h1>
    );
  }
  if (!editing) {
    return (
      <h1 class="title">
        <button
          ref={button}
          type="button"
          class="title-button"
          title={`${shown(title, 'prose')}\nClick to rename`}
          aria-label={`${shown(title, 'prose')}, rename`}
          onClick={() => setEditing(true)}
        >
          <Shown text={title} kind="prose" />
        </button>
      </h1>
    );
  }
  const close = (keep: boolean): void => {
    const text = field.current?.value.trim() ?? '';
    setEditing(false);
    if (keep && text !== '' && text !== props.title) post({ type: 'rename', title: text });
  };
  return (
    <input
      ref={field}
      class="title-input"
      aria-label="Session title"
      defaultValue={props.title}
      maxLength={200}
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        event.stopPropagation();
        leftByKey.current = true;
        close(event.key === 'Enter');
      }}
    />
  );
}
