// What the host answers to the questions of the input: suggestions, dropped files, thumbnails. Thumbnails are asked for
// when they are first drawn, once each. No DOM.
import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { unreachable } from '../src/core/errors.ts';
import type { ComposerAnswer, Suggestion } from '../src/protocol/composer.ts';
import type { HostMessage, PanelMessage } from '../src/protocol/messages.ts';

/** Whether a message is for the input instead of the store. */
export function isComposerAnswer(message: HostMessage): message is ComposerAnswer {
  return message.type === 'suggestions' || message.type === 'mentionsDropped' || message.type === 'imagePreview';
}

export interface DroppedMentions {
  readonly names: readonly string[];
  readonly problem: string | undefined;
}

export interface ComposerAssist {
  /** The answer to the last question; older ones are passed over. */
  readonly suggestions: ReadonlySignal<
    { readonly id: number; readonly suggestions: readonly Suggestion[] } | undefined
  >;
  /** Asks what fits; returns the number that the answer will have. */
  ask(query: string): number;
  readonly dropped: ReadonlySignal<DroppedMentions | undefined>;
  /** The thumbnail of an image in the transcript, as a data URL; undefined until it is there. */
  preview(itemId: string, index: number): ReadonlySignal<string | undefined>;
  receive(answer: ComposerAnswer): void;
}

export function createComposerAssist(post: (message: PanelMessage) => void): ComposerAssist {
  let lastId = 0;
  const suggestions = signal<ComposerAssist['suggestions']['value']>(undefined);
  const dropped = signal<DroppedMentions | undefined>(undefined);
  const previews = new Map<string, Signal<string | undefined>>();
  const keyOf = (itemId: string, index: number): string => `${itemId} ${index}`;
  return {
    suggestions,
    dropped,
    ask(query) {
      lastId += 1;
      post({ type: 'complete', id: lastId, query });
      return lastId;
    },
    preview(itemId, index) {
      const key = keyOf(itemId, index);
      const known = previews.get(key);
      if (known) return known;
      const made = signal<string | undefined>(undefined);
      previews.set(key, made);
      post({ type: 'previewWanted', itemId, index });
      return made;
    },
    receive(answer) {
      switch (answer.type) {
        case 'suggestions':
          if (answer.id === lastId) suggestions.value = { id: answer.id, suggestions: answer.suggestions };
          return;
        case 'mentionsDropped':
          dropped.value = { names: answer.names, problem: answer.problem };
          return;
        case 'imagePreview': {
          const preview = previews.get(keyOf(answer.itemId, answer.index));
          if (preview) preview.value = answer.source;
          return;
        }
        default:
          unreachable(answer);
      }
    },
  };
}
