// The items of a transcript in their order, by id. Of a long history an item is made when somebody looks at it. Knows
// nothing of the events that items are made of.
import type { StepItem, TranscriptItem } from '../protocol/view.ts';

type Slot = TranscriptItem | (() => TranscriptItem);

export class ItemList {
  readonly #slots: Slot[] = [];
  readonly #places = new Map<string, number>();
  /** Ids of the steps that wait or run. */
  readonly #open = new Set<string>();

  get length(): number {
    return this.#slots.length;
  }

  /** Adds an item at the end, or in the place of the one with its id. */
  put(item: TranscriptItem): void {
    this.#set(item.id, item, item.kind === 'step' && (item.status === 'waiting' || item.status === 'running'));
  }

  /**
   * The same for a step that is made when it is looked at, from what is there now.
   * @param make is given the item that was in its place, if there was one
   */
  putLater(id: string, isOpen: boolean, make: (before: TranscriptItem | undefined) => StepItem): void {
    const place = this.#places.get(id);
    const before = place === undefined ? undefined : this.#slots[place];
    this.#set(id, () => make(typeof before === 'function' ? before() : before), isOpen);
  }

  #set(id: string, slot: Slot, isOpen: boolean): void {
    const place = this.#places.get(id);
    if (place === undefined) {
      this.#places.set(id, this.#slots.length);
      this.#slots.push(slot);
    } else {
      this.#slots[place] = slot;
    }
    if (isOpen) this.#open.add(id);
    else this.#open.delete(id);
  }

  item(id: string): TranscriptItem | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#at(place);
  }

  /** Up to `limit` items that end before the item `beforeId`, or at the end. */
  page(limit: number, beforeId?: string): { readonly items: readonly TranscriptItem[]; readonly earlier: number } {
    const end = beforeId === undefined ? this.#slots.length : (this.#places.get(beforeId) ?? 0);
    const start = Math.max(0, end - limit);
    const items: TranscriptItem[] = [];
    for (let place = start; place < end; place++) {
      const item = this.#at(place);
      if (item) items.push(item);
    }
    return { items, earlier: start };
  }

  /** The steps that wait or run, in their order. */
  openSteps(): readonly StepItem[] {
    const places = [...this.#open].map((id) => this.#places.get(id) ?? 0).sort((a, b) => a - b);
    return places.map((place) => this.#at(place)).filter((item): item is StepItem => item?.kind === 'step');
  }

  #at(place: number): TranscriptItem | undefined {
    const slot = this.#slots[place];
    if (typeof slot !== 'function') return slot;
    const item = slot();
    this.#slots[place] = item;
    return item;
  }
}
