// A thin line with words: a resume, the end of a run. A long detail (what the model was told) opens under it.
import { dateText } from '../words.ts';
import { usePanel } from './context.ts';

interface Props {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly detail: string | undefined;
}

/** What a tooltip can hold. */
const longestTooltip = 240;

export function Divider(props: Props) {
  const { detail } = props;
  if (detail !== undefined && detail.length > longestTooltip) return <OpenableDivider {...props} detail={detail} />;
  return (
    <div class="divider" role="separator" title={detail ?? dateText(props.at)} aria-label={props.text}>
      <span>{props.text}</span>
    </div>
  );
}

function OpenableDivider(props: Props & { readonly detail: string }) {
  const { memory, model, scroll } = usePanel();
  const key = model.sessionKey.value;
  const open = memory.fold(key, props.id, false).value;
  return (
    <>
      <div class="divider">
        <button
          type="button"
          data-stop
          tabIndex={-1}
          aria-expanded={open}
          title={`${dateText(props.at)}\n${open ? 'Fold (Enter)' : 'Show what the model was told (Enter)'}`}
          onClick={() => {
            scroll.keepStill();
            memory.setFold(key, props.id, !open);
          }}
        >
          {props.text}
        </button>
      </div>
      {open && (
        <pre class="divider-detail" tabIndex={0} aria-label="What the model was told">
          {props.detail}
        </pre>
      )}
    </>
  );
}
