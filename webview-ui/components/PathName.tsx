// A path that is too long loses its folders first, then the middle of its name: how it ends tells more.
import { visibleText } from '../../src/core/visibleText.ts';
import { splitPath } from '../words.ts';
import { shown } from './Shown.tsx';

/** Characters at the end of a name that are always seen, when the name is long. */
const nameEnd = 14;
const longName = 26;

export function PathName(props: { readonly path: string }) {
  const [folder, name] = splitPath(visibleText(props.path.replace(/\/$/, '')));
  return (
    <code class="path-name" title={shown(props.path)}>
      {folder && <span class="path-folder">{folder}</span>}
      {name.length < longName ? (
        <span class="path-file">{name}</span>
      ) : (
        <>
          <span class="path-file path-file-start">{name.slice(0, -nameEnd)}</span>
          <span class="path-file path-file-end">{name.slice(-nameEnd)}</span>
        </>
      )}
    </code>
  );
}
