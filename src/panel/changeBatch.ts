// Collects the changes of a session between two posts to the panel: text is joined, and of what replaces itself only
// the last one is kept, so that a thousand deltas a second cost thirty posts.
import type { Change } from '../protocol/messages.ts';
import type { SessionChange } from '../runner/liveSession.ts';

/** `session` carries no view here: it is made when the batch is posted. */
export type CollectedChange = Exclude<Change, { kind: 'session' | 'panel' }> | { readonly kind: 'session' };

export class ChangeBatch {
  #changes: CollectedChange[] = [];
  #headerChanged = false;

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
        const last = this.#changes.at(-1);
        if (last?.kind === 'textAppended' && last.id === change.id) {
          this.#changes[this.#changes.length - 1] = { ...last, text: last.text + change.text };
        } else {
          this.#changes.push({ kind: 'textAppended', id: change.id, text: change.text });
        }
        return;
      }
      case 'liveOutput':
        this.#changes = this.#changes.filter((earlier) => earlier.kind !== 'liveOutput' || earlier.id !== change.id);
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
  }
}
