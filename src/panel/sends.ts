// A message from its arrival until it is on the disk: kept before anything else is done, one after the other, recorded
// once however often it comes, acknowledged by its id. Drafts of the input are kept beside. It must never know the files.
import { unreachable } from '../core/errors.ts';
import type { KeptSend } from '../core/keptDrafts.ts';
import type { PanelMessage } from '../protocol/messages.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import type { Sessions } from '../runner/sessions.ts';
import { mentionedContent } from './mentionedContent.ts';
import type { PanelPorts } from './panelPorts.ts';

type SendMessage = Extract<PanelMessage, { type: 'send' }>;
export type DraftMessage = Extract<PanelMessage, { type: 'keepDraft' | 'sendOutcomesWanted' | 'draftReturned' }>;

export interface SendTarget {
  readonly current: () => LiveSession | undefined;
  /** Begins a session, as the panel has named it, and shows it. */
  readonly create: (id: string | undefined) => Promise<LiveSession>;
}

export class Sends {
  readonly #sessions: Sessions;
  readonly #ports: Pick<PanelPorts, 'post' | 'drafts' | 'mentions' | 'log'>;
  readonly #target: SendTarget;
  readonly #onTheirWay = new Map<string, Promise<void>>();
  #turn: Promise<void> = Promise.resolve();

  constructor(sessions: Sessions, ports: PanelPorts, target: SendTarget) {
    this.#sessions = sessions;
    this.#ports = ports;
    this.#target = target;
  }

  /** Resolves when the message is on the disk. @throws RatchetError and others of what it calls */
  send(message: SendMessage): Promise<void> {
    const { id } = message;
    const known = id === undefined ? undefined : this.#onTheirWay.get(id);
    if (known) return known;
    const keeping = this.#keep(message);
    // In the order in which they were sent: the first one makes the session of the second.
    const sent = this.#turn.then(async () => {
      await keeping;
      await this.#deliver(message);
    });
    this.#turn = sent.catch(() => undefined);
    if (id === undefined) return sent;
    const settled = sent.finally(() => this.#onTheirWay.delete(id));
    this.#onTheirWay.set(id, settled);
    return settled;
  }

  /** Says what is kept. A message that is on its way is among it: the page asks for it. */
  async postKept(): Promise<void> {
    const kept = await this.#ports.drafts?.kept();
    if (kept) this.#ports.post({ type: 'keptDrafts', ...kept });
  }

  async handle(message: DraftMessage): Promise<void> {
    switch (message.type) {
      case 'keepDraft':
        this.#ports.drafts?.keepDraft(message.draft);
        return;
      case 'draftReturned':
        this.#ports.drafts?.dropSend(message.id);
        return;
      case 'sendOutcomesWanted': {
        const recorded: string[] = [];
        const unknown: string[] = [];
        for (const { id, sessionId } of message.sends) {
          const isRecorded = await this.#isRecorded(id, sessionId);
          (isRecorded ? recorded : unknown).push(id);
          if (isRecorded) this.#ports.drafts?.dropSend(id);
        }
        this.#ports.post({ type: 'sendOutcomes', recorded, unknown });
        return;
      }
      default:
        unreachable(message);
    }
  }

  async #keep(message: SendMessage): Promise<void> {
    const send = keptSend(message);
    if (!send) return;
    try {
      await this.#ports.drafts?.keepSend(send);
    } catch (error) {
      // The trace may be on another disk; where it is not, it says what is wrong.
      this.#ports.log('A message could not be kept before it was recorded', error);
    }
  }

  async #deliver(message: SendMessage): Promise<void> {
    const { id, text, picked, images } = message;
    const session = await this.#sessionOf(message);
    const attachments = await mentionedContent(this.#ports.mentions, session.folder, text, picked);
    const extras = { attachments, ...(images && { images }) };
    if (id === undefined) {
      await this.#sessions.send(session.id, text, extras);
      return;
    }
    await this.#sessions.sendOnce(session.id, id, text, extras);
    this.#ports.drafts?.dropSend(id);
    this.#ports.post({ type: 'sendRecorded', id });
  }

  /** The session in which it was written, whichever is open by now. */
  async #sessionOf({ sessionId, isNew }: SendMessage): Promise<LiveSession> {
    const current = this.#target.current();
    if (sessionId === undefined) return current ?? this.#target.create(undefined);
    if (current?.id === sessionId) return current;
    return isNew ? this.#target.create(sessionId) : this.#sessions.open(sessionId);
  }

  async #isRecorded(id: string, sessionId: string): Promise<boolean> {
    await this.#onTheirWay.get(id)?.catch(() => undefined);
    try {
      await this.#ports.drafts?.settledElsewhere(id);
      return await this.#sessions.isRecorded(sessionId, id);
    } catch (error) {
      this.#ports.log(`Whether the message ${id} is recorded could not be looked up`, error);
      return false;
    }
  }
}

function keptSend({ id, sessionId, isNew, text, picked, images, at }: SendMessage): KeptSend | undefined {
  if (id === undefined || sessionId === undefined || at === undefined) return undefined;
  const parts = { ...(isNew && { isNew }), ...(picked && { picked }), ...(images && { images }) };
  return { id, sessionId, text, at, ...parts };
}
