// A message that could not be sent, or was taken back, becomes the draft, in front of what was typed since, with the
// reason. No DOM.
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { PanelModel } from './panelModel.ts';
import type { MessageImage } from '../src/core/images.ts';
import { newSessionKey, type ViewMemory } from './viewMemory.ts';

export interface RefusedDrafts {
  /** Why the draft of the open session was not sent. */
  readonly reason: ReadonlySignal<string | undefined>;
  /** The draft of the open session is sent again, or changed enough. */
  readonly clear: () => void;
  /** Puts a message back into the input of a session. */
  readonly giveBack: (key: string, message: ReturnedMessage) => void;
  readonly dispose: () => void;
}

export interface ReturnedMessage {
  readonly text: string;
  readonly picked?: readonly string[];
  readonly images?: readonly MessageImage[];
  readonly reason: string;
}

interface Refusal {
  readonly draft: string;
  readonly reason: string;
}

export function createRefusedDrafts(
  model: Pick<PanelModel, 'refused' | 'sessionKey'>,
  memory: Pick<ViewMemory, 'draft' | 'setDraft' | 'images' | 'setImages' | 'picked' | 'setPicked'>,
): RefusedDrafts {
  const refusals = signal<ReadonlyMap<string, Refusal>>(new Map());
  const put = (key: string, refusal: Refusal | undefined): void => {
    const all = new Map(refusals.peek());
    if (refusal) all.set(key, refusal);
    else all.delete(key);
    refusals.value = all;
  };
  const giveBack = (key: string, { text, picked = [], images = [], reason }: ReturnedMessage): void => {
    const typed = memory.draft(key).peek();
    // A copy of the draft may be back already.
    const draft = typed.trim() === '' || typed.trim() === text.trim() ? text : `${text}\n\n${typed}`;
    memory.setDraft(key, draft);
    if (images.length > 0) memory.setImages(key, [...images, ...memory.images(key).peek()]);
    if (picked.length > 0) memory.setPicked(key, [...picked, ...memory.picked(key)]);
    put(key, { draft, reason });
  };
  const stopRestoring = effect(() => {
    const refused = model.refused.value;
    // One with an id was sent by this page: outbox.ts knows all of it.
    if (refused && refused.id === undefined) giveBack(model.sessionKey.peek(), refused);
  });
  const stopCarrying = effect(() => {
    const key = model.sessionKey.value;
    const last = refusals.peek().get(newSessionKey);
    // A first message makes its session: when it is refused before that session shows, the draft goes along.
    if (!last || key === newSessionKey) return;
    if (memory.draft(newSessionKey).peek() !== last.draft || memory.draft(key).peek() !== '') return;
    memory.setDraft(newSessionKey, '');
    memory.setDraft(key, last.draft);
    memory.setImages(key, memory.images(newSessionKey).peek());
    memory.setImages(newSessionKey, []);
    memory.setPicked(key, memory.picked(newSessionKey));
    put(newSessionKey, undefined);
    put(key, last);
  });
  return {
    reason: computed(() => refusals.value.get(model.sessionKey.value)?.reason),
    clear: () => put(model.sessionKey.peek(), undefined),
    giveBack,
    dispose() {
      stopRestoring();
      stopCarrying();
    },
  };
}
