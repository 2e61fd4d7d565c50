// What the model thought, folded away: one quiet line that opens.
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

export function Thinking(props: { readonly id: string; readonly text: string; readonly streaming: boolean }) {
  const { memory, model, scroll } = usePanel();
  const key = model.sessionKey.value;
  const open = memory.fold(key, props.id, false).value;
  return (
    <>
      <button
        type="button"
        class="thinking-line"
        data-stop
        tabIndex={-1}
        aria-expanded={open}
        title={open ? 'Fold (Enter)' : 'Show what the model thought (Enter)'}
        onClick={() => {
          scroll.keepStill();
          memory.setFold(key, props.id, !open);
        }}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span>{props.streaming ? 'Thinking…' : 'Thought'}</span>
      </button>
      {open && <div class="thinking-text">{props.text}</div>}
    </>
  );
}
