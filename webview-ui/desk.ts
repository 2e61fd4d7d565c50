// What lies on the desk of this page: drafts, and messages on their way. Each change is in the page's storage before it
// returns; drafts go to the host's disk soon after. What becomes of a message is outbox.ts.
import type { KeptDraft, KeptSend } from '../src/core/keptDrafts.ts';
import type { PanelMessage } from '../src/protocol/messages.ts';
import type { DeskContent, DeskStorage } from './deskStorage.ts';
import { withoutUndefined, type ViewMemory } from './viewMemory.ts';

export interface Desk {
  /** Oldest first. */
  sends(): readonly KeptSend[];
  putSend(send: KeptSend): void;
  dropSend(id: string): void;
  /** Calls back when messages of pages that are gone were taken over. */
  takeOver(onSends: () => void): void;
  /** Hands the drafts to the host at once. */
  flush(): void;
  dispose(): void;
}

/** Drafts of this page that are stored; the ones changed least recently are left to the editor's own memory. */
const maxDrafts = 30;

/** @param delayMs how long changes of drafts are gathered before they go to the host, in milliseconds */
export function createDesk(
  storage: DeskStorage,
  memory: Pick<ViewMemory, 'draft' | 'picked' | 'images' | 'draftAt' | 'offerDraft' | 'onDraftChanged'>,
  post: (message: PanelMessage) => void,
  delayMs = 200,
): Desk {
  const drafts = new Map<string, DeskContent['drafts'][number]>();
  const sends = new Map<string, KeptSend>();
  const changed = new Set<string>();
  const hostHas = new Map<string, KeptDraft['images']>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = (): void => storage.save({ drafts: [...drafts.values()], sends: [...sends.values()].map(stored) });
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const key of changed) {
      const images = memory.images(key).peek();
      const draft = {
        ...{ key, text: memory.draft(key).peek(), picked: [...memory.picked(key)], at: memory.draftAt(key) },
        // Large: only when they are others than the host has.
        ...(images !== hostHas.get(key) && { images: [...images] }),
      };
      hostHas.set(key, images);
      post({ type: 'keepDraft', draft });
    }
    changed.clear();
  };
  const stopWatching = memory.onDraftChanged((key) => {
    const picked = memory.picked(key);
    drafts.delete(key);
    drafts.set(key, {
      ...{ key, text: memory.draft(key).peek(), at: memory.draftAt(key) },
      ...(picked.length > 0 && { picked: [...picked] }),
    });
    for (const old of drafts.keys()) if (drafts.size > maxDrafts) drafts.delete(old);
    save();
    changed.add(key);
    timer ??= setTimeout(flush, delayMs);
  });
  return {
    sends: () => [...sends.values()].sort((a, b) => a.at - b.at),
    putSend(send) {
      sends.set(send.id, send);
      save();
    },
    dropSend(id) {
      if (sends.delete(id)) save();
    },
    takeOver(onSends) {
      storage.takeOver((content) => {
        for (const { key, ...draft } of content.drafts) memory.offerDraft(key, draft);
        for (const { images, ...send } of content.sends)
          if (!sends.has(send.id)) sends.set(send.id, { ...send, ...(images && { images: withoutUndefined(images) }) });
        // Before the other page's own place is cleared.
        save();
        if (content.sends.length > 0) onSends();
      });
    },
    flush,
    dispose() {
      flush();
      stopWatching();
    },
  };
}

function stored({ picked, images, ...send }: KeptSend): DeskContent['sends'][number] {
  return { ...send, ...(picked && { picked: [...picked] }), ...(images && { images: [...images] }) };
}
