// A path that is too long loses its folders, not its name.
import { splitPath } from '../words.ts';

export function PathName(props: { readonly path: string }) {
  const [folder, name] = splitPath(props.path);
  return (
    <code class="path-name" title={props.path}>
      {folder && <span class="path-folder">{folder}</span>}
      <span class="path-file">{name}</span>
    </code>
  );
}
