// The button that attaches images by the system's own dialog.
import { useRef } from 'preact/hooks';
import { imageTypes } from '../../src/core/imageFacts.ts';
import { IconButton } from './Button.tsx';

export function ImageButton(props: { readonly disabled: boolean; readonly onFiles: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        class="file-field"
        accept={imageTypes.join(',')}
        multiple
        hidden
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])]);
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <IconButton
        icon="attach"
        label="Attach images"
        hint="Attach images; they can be pasted and dropped too"
        disabled={props.disabled}
        onPress={() => field.current?.click()}
      />
    </>
  );
}
