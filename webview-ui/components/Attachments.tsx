// What went along with a message, under its words: images as thumbnails, mentions as chips. Each opens in the editor.
import type { UserItem } from '../../src/protocol/view.ts';
import { suggestionIcon } from '../completion.ts';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { PathName } from './PathName.tsx';
import { Shown, shown } from './Shown.tsx';

export function Attachments({ item }: { readonly item: UserItem }) {
  const { post } = usePanel();
  const { attachments = [], images = [] } = item;
  if (attachments.length === 0 && images.length === 0) return null;
  return (
    <>
      {images.length > 0 && (
        <ul class="sent-images" aria-label="Images">
          {images.map((image, index) => (
            <li key={index}>
              <SentImage itemId={item.id} index={index} {...image} />
            </li>
          ))}
        </ul>
      )}
      {attachments.length > 0 && (
        <ul class="chips" aria-label="Attached">
          {attachments.map(({ kind, label, problem }, index) => (
            <li key={index}>
              <button
                type="button"
                class={`chip ${problem === undefined ? '' : 'chip-problem'}`}
                title={`${shown(label)}\n${problem ?? 'Open'}`}
                aria-label={problem === undefined ? `${shown(label)}, open` : `${shown(label)}. ${problem}`}
                onClick={() => post({ type: 'openAttachment', itemId: item.id, index })}
              >
                <Icon name={problem === undefined ? suggestionIcon(kind) : 'warning'} />
                {kind === 'problems' || kind === 'terminal' ? (
                  <span class="chip-label">
                    <Shown text={label} />
                  </span>
                ) : (
                  <PathName path={label} />
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SentImage(props: {
  readonly itemId: string;
  readonly index: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}) {
  const { assist, post } = usePanel();
  const { itemId, index, name, width, height } = props;
  const source = assist.preview(itemId, index).value;
  return (
    <button
      type="button"
      class="sent-image"
      title={`${shown(name)}, ${width} × ${height}\nOpen`}
      aria-label={`${shown(name)}, open`}
      onClick={() => post({ type: 'openImage', itemId, index })}
    >
      {source === undefined ? <Icon name="file-media" /> : <img src={source} alt="" />}
    </button>
  );
}
