// Of several open folders, the one that a new session belongs to: by name beside the input, changed by one click.
import type { PanelView } from '../../src/protocol/view.ts';
import { IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

export function FolderChoice(props: { readonly panel: PanelView }) {
  const { post } = usePanel();
  const { folders, folder, otherFolder } = props.panel;
  if (folders.length < 2) return null;
  const other = folders.find(({ uri }) => uri === otherFolder);
  const choose = (uri: string): void => post({ type: 'selectFolder', uri });
  return (
    <div class="folder-choice">
      <Icon name="folder" class="folder-icon" />
      <span class="folder-label">New session in</span>
      <select
        class="bar-select folder-select"
        aria-label="Folder"
        title="Folder of the new session"
        value={folder ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {folders.map((each) => (
          <option key={each.uri} value={each.uri}>
            {each.name}
          </option>
        ))}
      </select>
      <span class="spring" />
      {other && (
        <IconButton
          icon="arrow-swap"
          class="folder-swap"
          label={`Use ${other.name}`}
          hint={`Begin the session in ${other.name} instead`}
          onPress={() => choose(other.uri)}
        >
          <span class="folder-other">{other.name}</span>
        </IconButton>
      )}
    </div>
  );
}
