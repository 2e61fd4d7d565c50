// Messages from the key press until the host says that they are recorded: each has an id, is on the desk before it is
// posted, and goes back into the input when nobody has it. Nothing is ever sent again by itself. No DOM.
import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { MessageImage } from '../src/core/images.ts';
import type { KeptSend } from '../src/core/keptDrafts.ts';
import type { DraftAnswer } from '../src/protocol/drafts.ts';
import type { HostMessage, PanelMessage } from '../src/protocol/messages.ts';
import type { Desk } from './desk.ts';
import type { PanelModel } from './panelModel.ts';
import type { RefusedDrafts } from './refusedDrafts.ts';
import { newSessionKey, type ViewMemory } from './viewMemory.ts';

export const notSentNote = 'Not sent yet: the editor was restarted. Enter sends it.';

export interface Outgoing {
  readonly text: string;
  readonly picked: readonly string[];
  readonly images: readonly MessageImage[];
}

export interface Outbox {
  /** What is on its way, oldest first. */
  readonly sending: ReadonlySignal<readonly KeptSend[]>;
  /** Whether it belongs to what is open under this key. */
  isOf(send: KeptSend, key: string): boolean;
  send(key: string, message: Outgoing): void;
  /** A command of the input, until the host has it. */
  sendCommand(key: string, command: Omit<Extract<PanelMessage, { type: 'slash' }>, 'type' | 'id'>): void;
  receive(answer: DraftAnswer): void;
  dispose(): void;
}

/** @param newId makes ULIDs, @param now milliseconds since 1970 */
export function createOutbox(parts: {
  readonly model: Pick<PanelModel, 'sessionKey' | 'session' | 'items' | 'snapshots' | 'refused'>;
  readonly memory: Pick<
    ViewMemory,
    'draft' | 'setDraft' | 'picked' | 'setPicked' | 'images' | 'setImages' | 'unsent' | 'setUnsent' | 'offerDraft'
  >;
  readonly refusals: RefusedDrafts;
  readonly desk: Desk;
  readonly post: (message: PanelMessage) => void;
  readonly newId: () => string;
  readonly now: () => number;
}): Outbox {
  const { model, memory, refusals, desk, post, newId, now } = parts;
  const sending = signal<readonly KeptSend[]>([]);
  /** Of the session that the first message makes, until it shows. */
  let newSessionId: string | undefined;

  const show = (): void => {
    sending.value = desk.sends();
  };
  const isOf = (send: KeptSend, key: string): boolean =>
    send.sessionId === key || (send.isNew === true && key === newSessionKey);
  /** Where it is written back to: the session that it makes may not have come to be. */
  const keyOf = (send: KeptSend): string =>
    send.isNew && model.sessionKey.peek() !== send.sessionId ? newSessionKey : send.sessionId;
  const settle = (id: string): void => {
    desk.dropSend(id);
    show();
  };
  const askFor = (sends: readonly KeptSend[]): void => {
    if (sends.length === 0) return;
    const asked = sends.slice(-100).map(({ id, sessionId }) => ({ id, sessionId }));
    post({ type: 'sendOutcomesWanted', sends: asked });
  };
  const giveBack = (ids: readonly string[]): void => {
    const back = desk.sends().filter(({ id }) => ids.includes(id));
    for (const key of new Set(back.map(keyOf))) {
      const sends = back.filter((send) => keyOf(send) === key);
      const only = sends.length === 1 && memory.draft(key).peek().trim() === '' ? sends[0] : undefined;
      refusals.giveBack(key, {
        text: sends.map(({ text }) => text).join('\n\n'),
        picked: sends.flatMap(({ picked = [] }) => picked),
        images: sends.flatMap(({ images = [] }) => images),
        reason: notSentNote,
      });
      // Sent again as it is, it is the same message: recorded once, also when somebody still records it.
      if (only) memory.setUnsent(key, { id: only.id, sessionId: only.sessionId, text: only.text });
    }
    // The host has the draft before it forgets the message.
    desk.flush();
    for (const { id } of back) {
      desk.dropSend(id);
      post({ type: 'draftReturned', id });
    }
    show();
  };
  const isRecorded = (ids: ReadonlySet<string>): void => {
    for (const { id } of desk.sends()) if (ids.has(id)) settle(id);
    const key = model.sessionKey.peek();
    const unsent = memory.unsent(key);
    if (!unsent || !ids.has(unsent.id)) return;
    // It was recorded after all: it stands in the conversation, and not in the input too.
    memory.setUnsent(key, undefined);
    if (memory.draft(key).peek().trim() !== unsent.text) return;
    clearDraft(key);
    refusals.clear();
  };
  const clearDraft = (key: string): void => {
    memory.setDraft(key, '');
    memory.setPicked(key, []);
    memory.setImages(key, []);
  };

  desk.takeOver(() => {
    show();
    if (model.snapshots.peek() > 0) askFor(desk.sends());
  });
  const stops = [
    effect(() => {
      // Whoever was asked before may be gone, and what was said to this page meanwhile is lost.
      if (model.snapshots.value > 0) askFor(desk.sends());
    }),
    effect(() => {
      const key = model.sessionKey.value;
      if (key === newSessionKey) return;
      if (key === newSessionId && memory.draft(key).peek() === '') {
        // What was typed after the first message goes along to its session.
        const typed = memory.draft(newSessionKey).peek();
        const images = memory.images(newSessionKey).peek();
        if (typed !== '' || images.length > 0) {
          memory.setDraft(key, typed);
          memory.setPicked(key, memory.picked(newSessionKey));
          memory.setImages(key, images);
          clearDraft(newSessionKey);
        }
      }
      newSessionId = undefined;
    }),
    effect(() => {
      const queue = model.session.value?.queue ?? [];
      const items = model.items.value;
      if (desk.sends().length === 0 && !memory.unsent(model.sessionKey.peek())) return;
      isRecorded(new Set([...items, ...queue].map(({ id }) => id)));
    }),
    effect(() => {
      const refused = model.refused.value;
      if (refused?.id === undefined) return;
      const { id, text, reason } = refused;
      const send = desk.sends().find((each) => each.id === id);
      refusals.giveBack(send ? keyOf(send) : model.sessionKey.peek(), {
        ...{ text, reason },
        ...(send?.picked && { picked: send.picked }),
        ...(send?.images && { images: send.images }),
      });
      // The host has the draft before it forgets the message.
      desk.flush();
      settle(id);
      post({ type: 'draftReturned', id });
    }),
  ];
  return {
    sending,
    isOf,
    send(key, { text, picked, images }) {
      const unsent = memory.unsent(key);
      const again = unsent?.text === text ? unsent : undefined;
      const isNew = key === newSessionKey;
      if (isNew) newSessionId ??= again?.sessionId ?? newId();
      const sessionId = (isNew ? newSessionId : undefined) ?? key;
      const send: KeptSend = {
        ...{ id: again?.id ?? newId(), sessionId, text, at: now() },
        ...(isNew && { isNew }),
        ...(picked.length > 0 && { picked: [...picked] }),
        ...(images.length > 0 && { images: [...images] }),
      };
      desk.putSend(send);
      clearDraft(key);
      memory.setUnsent(key, undefined);
      post({
        ...{ type: 'send', id: send.id, sessionId, text, at: send.at },
        ...(isNew && { isNew }),
        ...(picked.length > 0 && { picked: [...picked] }),
        ...(images.length > 0 && { images: [...images] }),
      });
      desk.flush();
      show();
    },
    sendCommand(key, command) {
      const id = newId();
      desk.putSend({ id, sessionId: key === newSessionKey ? id : key, text: command.text, at: now() });
      clearDraft(key);
      post({ type: 'slash', ...command, id });
      show();
    },
    receive(answer) {
      switch (answer.type) {
        case 'keptDrafts': {
          for (const { key, ...draft } of answer.drafts) memory.offerDraft(key, draft);
          const known = new Map(desk.sends().map((send) => [send.id, send]));
          for (const send of answer.sends) {
            const own = known.get(send.id);
            // The page could not store the images, perhaps.
            if (!own || (!own.images && send.images)) desk.putSend({ ...send, ...own });
          }
          show();
          askFor(answer.sends);
          return;
        }
        case 'sendRecorded':
          isRecorded(new Set([answer.id]));
          return;
        case 'sendOutcomes':
          isRecorded(new Set(answer.recorded));
          giveBack(answer.unknown);
          return;
      }
    },
    dispose() {
      for (const stop of stops) stop();
    },
  };
}

const draftAnswers: readonly HostMessage['type'][] = ['keptDrafts', 'sendRecorded', 'sendOutcomes'];

export function isDraftAnswer(message: HostMessage): message is DraftAnswer {
  return draftAnswers.includes(message.type);
}
