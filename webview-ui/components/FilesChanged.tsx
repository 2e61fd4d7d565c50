// The end of a run: which files it changed, each opening its diff.
import type { TranscriptItem } from '../../src/protocol/view.ts';
import { filesChanged, type ChangedFile } from '../filesChanged.ts';
import { countText } from '../words.ts';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';
import { PathName } from './PathName.tsx';
import { shown } from './Shown.tsx';
import { LineCounts } from './Step.tsx';

const foldedFrom = 8;

export function FilesChanged() {
  const { model } = usePanel();
  // While a run goes on its steps say it; afterwards nothing streams, so that listening to all items is cheap.
  const state = model.session.value?.state;
  if (state === undefined || state === 'running' || state === 'created') return null;
  return <ChangedList items={model.items.value} />;
}

function ChangedList(props: { readonly items: readonly TranscriptItem[] }) {
  const { memory, model, post, scroll } = usePanel();
  const files = filesChanged(props.items);
  const key = model.sessionKey.value;
  const open = memory.fold(key, 'files', files.length < foldedFrom).value;
  if (files.length === 0) return null;
  const openDiff = ({ stepId, path, since }: ChangedFile): void => post({ type: 'openDiff', stepId, path, since });
  return (
    <section class="files-changed" aria-label="Files changed">
      <button
        type="button"
        class="thinking-line"
        data-stop
        tabIndex={-1}
        aria-expanded={open}
        title={open ? 'Fold (Enter)' : 'Open (Enter)'}
        onClick={() => {
          scroll.keepStill();
          memory.setFold(key, 'files', !open);
        }}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span>{countText(files.length, 'file changed', 'files changed')}</span>
      </button>
      {open && (
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <button
                type="button"
                class="file-row"
                data-stop
                tabIndex={-1}
                title={`${shown(file.path)}, ${file.change}\nOpen diff (Enter)`}
                onClick={() => openDiff(file)}
              >
                <PathName path={file.path} />
                <span class="file-change">
                  {file.added + file.removed > 0 ? (
                    <LineCounts added={file.added} removed={file.removed} />
                  ) : (
                    file.change
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
