// Pasting and dropping into the input: images are attached, resources of the editor become mentions, text stays text.
import { useState } from 'preact/hooks';
import { imageFiles, otherFiles, resourceUris } from '../droppedFiles.ts';
import { usePanel } from './context.ts';

export interface Transfer {
  /** Something that can be dropped is over the input. */
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

export function useTransfer(addImages: (files: readonly File[]) => void, note: (text: string) => void): Transfer {
  const { post } = usePanel();
  const [isOver, setOver] = useState(false);

  /** Whether anything of it was taken. */
  const take = (data: DataTransfer): boolean => {
    const images = imageFiles(data);
    const others = otherFiles(data);
    const uris = images.length + others.length === 0 ? resourceUris(data) : [];
    if (images.length > 0) addImages(images);
    if (uris.length > 0) post({ type: 'dropped', uris: uris.slice(0, 200) });
    if (others.length > 0)
      note('Of files from outside only images can be taken. Drag others from the Explorer, holding Shift.');
    return images.length + others.length + uris.length > 0;
  };
  return {
    isOver,
    onDragOver(event) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave(event) {
      const { currentTarget, relatedTarget } = event;
      const isInside =
        currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      if (!isInside) setOver(false);
    },
    onDrop(event) {
      setOver(false);
      if (event.dataTransfer && take(event.dataTransfer)) event.preventDefault();
    },
    onPaste(event) {
      const data = event.clipboardData;
      if (!data || data.files.length === 0) return;
      const text = data.getData('text/plain').trim();
      // Office programs give a picture of the text along with it.
      if (text !== '' && data.types.includes('text/html')) return;
      const isOnlyNames = [...data.files].some(({ name }) => name !== '' && text.includes(name));
      if (take(data) && (text === '' || isOnlyNames)) event.preventDefault();
    },
  };
}
