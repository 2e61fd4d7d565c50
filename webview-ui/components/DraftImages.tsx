// The thumbnails in the input. Each is a button that takes its image away, by mouse and by keyboard.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { countText } from '../words.ts';
import { Icon } from './Icon.tsx';
import type { DraftImages } from './useDraftImages.ts';

export function DraftImageRow({ draft }: { readonly draft: DraftImages }) {
  const row = useRef<HTMLUListElement>(null);
  const removed = useRef<number>(undefined);
  const { images, pending } = draft;
  useLayoutEffect(() => {
    if (removed.current === undefined) return;
    // The keyboard goes to the next one, or back into the input.
    const buttons = row.current?.querySelectorAll('button') ?? [];
    const next = buttons[Math.min(removed.current, buttons.length - 1)] ?? document.getElementById('message');
    removed.current = undefined;
    next?.focus();
  }, [images]);
  if (images.length === 0 && pending === 0) return null;
  const remove = (index: number): void => {
    removed.current = index;
    draft.remove(index);
  };
  return (
    <ul ref={row} class="draft-images" aria-label="Images">
      {images.map((image, index) => {
        const name = image.name ?? `Image ${index + 1}`;
        return (
          <li key={`${index} ${image.data.length}`}>
            <button
              type="button"
              class="draft-image"
              title={`${name}, ${image.width} × ${image.height}\nRemove (Delete)`}
              aria-label={`${name}, remove`}
              onClick={() => remove(index)}
              onKeyDown={(event) => {
                if (event.key !== 'Delete' && event.key !== 'Backspace') return;
                event.preventDefault();
                remove(index);
              }}
            >
              <img src={image.preview ?? `data:${image.mediaType};base64,${image.data}`} alt="" />
              <Icon name="close" class="draft-image-remove" />
            </button>
          </li>
        );
      })}
      {pending > 0 && (
        <li class="draft-image-pending" role="status">
          <Icon name="loading" spin />
          <span class="visually-hidden">{countText(pending, 'image is', 'images are')} being read</span>
        </li>
      )}
    </ul>
  );
}
