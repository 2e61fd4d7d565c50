// The images of a draft: taken in one after the other from the clipboard, a drop or a file, within their limits.
import { useRef, useState } from 'preact/hooks';
import { imageLimits } from '../../src/core/imageLimits.ts';
import type { MessageImage } from '../../src/core/images.ts';
import { ImageRefused, takeImage } from '../imageIntake.ts';
import { keptImageData } from '../viewMemory.ts';
import { usePanel } from './context.ts';

export interface DraftImages {
  readonly images: readonly MessageImage[];
  /** Images that are being read and scaled. */
  readonly pending: number;
  /** What went wrong, or will. */
  readonly note: string;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (index: number) => void;
  readonly clearNote: () => void;
}

export function useDraftImages(key: string): DraftImages {
  const { memory, post } = usePanel();
  const images = memory.images(key).value;
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState('');
  const queue = useRef(Promise.resolve());

  const addOne = async (file: File): Promise<void> => {
    if (memory.images(key).peek().length >= imageLimits.perMessage)
      throw new ImageRefused(`A message takes ${imageLimits.perMessage} images at most.`);
    const image = await takeImage(file);
    memory.setImages(key, [...memory.images(key).peek(), image]);
  };
  const add = (files: readonly File[]): void => {
    setProblem('');
    setPending((count) => count + files.length);
    for (const file of files) {
      queue.current = queue.current
        .then(() => addOne(file))
        .catch((error: unknown) => {
          if (error instanceof ImageRefused) {
            setProblem(error.message);
            return;
          }
          setProblem('This image could not be read. Show the log for details.');
          const stack = error instanceof Error ? error.stack : undefined;
          post({ type: 'panelError', message: String(error), ...(stack !== undefined && { stack }) });
        })
        .finally(() => setPending((count) => count - 1));
    }
  };
  const size = images.reduce((sum, { data }) => sum + data.length, 0);
  return {
    images,
    pending,
    note:
      problem || (size > keptImageData ? 'These images are large: they are not kept when the panel is hidden.' : ''),
    add,
    remove: (index) => memory.setImages(key, images.toSpliced(index, 1)),
    clearNote: () => setProblem(''),
  };
}
