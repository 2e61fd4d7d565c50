// Collects the changes of a session between two posts to the panel: text is joined, and of what replaces itself only
// the last one is kept, so that a thousand deltas a second cost thirty posts.
import type { Change } from '../protocol/messages.ts';
import type { SessionChange } from '../runner/liveSession.ts';

/** `session` carries no view here: it is made when the batch is posted. */
export type CollectedChange = Exclude<Change, { kind: 'session' | 'panel' }> | { readonly kind: 'session' };

/** Beyond these a snapshot is the smaller message. */
const mostChanges = 500;
const mostText = 500_000;

export class ChangeBatch {
  #changes: CollectedChange[] = [];
  #headerChanged = false;
  #text = 0;

  get isEmpty(): boolean {
    return this.#changes.length === 0 && !this.#headerChanged;
  }

  /** The panel has been slow for so long that it had better be told everything anew. */
  get isTooLarge(): boolean {
    return this.#changes.length > mostChanges || this.#text > mostText;
  }

  add(change: SessionChange): void {
    switch (change.kind) {
      case 'event':
      case 'itemsReplaced':
        return;
      case 'state':
        this.#headerChanged = true;
        return;
      case 'itemPut': {
        const { item } = change;
        // What ran has ended: lines that came before must not be shown after it.
        if (item.kind === 'step' && item.status !== 'running') this.#dropLive(item.id);
        const place = this.#changes.findLastIndex(
          (earlier) => earlier.kind === 'itemPut' && earlier.item.id === item.id,
        );
        const textSince = this.#changes
          .slice(place + 1)
          .some((later) => (later.kind === 'textAppended' || later.kind === 'itemRemoved') && later.id === item.id);
        const put = { kind: 'itemPut', item, ...(change.cardId !== undefined && { cardId: change.cardId }) } as const;
        if (place === -1 || textSince) this.#changes.push(put);
        else this.#changes[place] = put;
        return;
      }
      case 'textAppended': {
        this.#text += change.text.length;
        const last = this.#changes.at(-1);
        if (last?.kind === 'textAppended' && last.id === change.id) {
          this.#changes[this.#changes.length - 1] = { ...last, text: last.text + change.text };
        } else {
          this.#changes.push({ kind: 'textAppended', id: change.id, text: change.text });
        }
        return;
      }
      case 'liveOutput':
        this.#dropLive(change.id);
        this.#changes.push({ kind: 'liveOutput', id: change.id, lines: change.lines });
        return;
      case 'itemRemoved':
        this.#changes.push({ kind: 'itemRemoved', id: change.id });
        return;
    }
  }

  /** What was collected, in order; the batch is empty afterwards. */
  take(): readonly CollectedChange[] {
    const changes = this.#headerChanged ? [...this.#changes, { kind: 'session' } as const] : this.#changes;
    this.clear();
    return changes;
  }

  clear(): void {
    this.#changes = [];
    this.#headerChanged = false;
    this.#text = 0;
  }

  #dropLive(id: string): void {
    this.#changes = this.#changes.filter((earlier) => earlier.kind !== 'liveOutput' || earlier.id !== id);
  }
}
