// A message that could not be sent, or was taken back, becomes the draft, in front of what was typed since, with the
// reason. No DOM.
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { PanelModel } from './panelModel.ts';
import type { MessageImage } from '../src/core/images.ts';
import { newSessionKey, type ViewMemory } from './viewMemory.ts';

export interface RefusedDrafts {
  /** Why the draft of the open session was not sent. */
  readonly reason: ReadonlySignal<string | undefined>;
  /** The draft is sent again, or changed enough. */
  readonly clear: () => void;
  /** Says what is sent: the host gives back only the words of what it refuses. */
  readonly sending: (sent: SentDraft) => void;
  readonly dispose: () => void;
}

export interface SentDraft {
  readonly text: string;
  readonly picked: readonly string[];
  readonly images: readonly MessageImage[];
}

interface Refusal {
  readonly key: string;
  readonly draft: string;
  readonly reason: string;
}

export function createRefusedDrafts(
  model: Pick<PanelModel, 'refused' | 'sessionKey'>,
  memory: Pick<ViewMemory, 'draft' | 'setDraft' | 'images' | 'setImages' | 'picked' | 'setPicked'>,
): RefusedDrafts {
  const refusal = signal<Refusal | undefined>(undefined);
  let sent: SentDraft | undefined;
  const stopRestoring = effect(() => {
    const refused = model.refused.value;
    if (!refused) return;
    const key = model.sessionKey.peek();
    const typed = memory.draft(key).peek();
    const draft = typed.trim() === '' ? refused.text : `${refused.text}\n\n${typed}`;
    memory.setDraft(key, draft);
    if (refused.images) {
      memory.setImages(key, [...refused.images, ...memory.images(key).peek()]);
    } else if (sent?.text === refused.text) {
      memory.setImages(key, [...sent.images, ...memory.images(key).peek()]);
      memory.setPicked(key, [...sent.picked, ...memory.picked(key)]);
      sent = undefined;
    }
    refusal.value = { key, draft, reason: refused.reason };
  });
  const stopCarrying = effect(() => {
    const key = model.sessionKey.value;
    const last = refusal.peek();
    // A first message makes its session: when it is refused before that session shows, the draft goes along.
    if (last?.key !== newSessionKey || key === newSessionKey) return;
    if (memory.draft(newSessionKey).peek() !== last.draft || memory.draft(key).peek() !== '') return;
    memory.setDraft(newSessionKey, '');
    memory.setDraft(key, last.draft);
    memory.setImages(key, memory.images(newSessionKey).peek());
    memory.setImages(newSessionKey, []);
    memory.setPicked(key, memory.picked(newSessionKey));
    refusal.value = { ...last, key };
  });
  return {
    reason: computed(() => {
      const key = model.sessionKey.value;
      const last = refusal.value;
      return last?.key === key ? last.reason : undefined;
    }),
    clear() {
      refusal.value = undefined;
    },
    sending(draft) {
      sent = draft;
    },
    dispose() {
      stopRestoring();
      stopCarrying();
    },
  };
}
