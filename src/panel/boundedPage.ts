// Keeps what travels to the panel at once within what a message may hold: the oldest items wait to be asked for.
import type { TranscriptItem } from '../protocol/view.ts';

/** Characters of all items together, as JSON. */
export const mostCharacters = 1_500_000;

export interface ItemPage {
  readonly items: readonly TranscriptItem[];
  /** How many older ones there are. */
  readonly earlier: number;
}

/** The newest items that fit, at least one. */
export function boundedPage({ items, earlier }: ItemPage, most = mostCharacters): ItemPage {
  let left = most;
  const first = items.findLastIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  const from = Math.min(first + 1, Math.max(0, items.length - 1));
  return from === 0 ? { items, earlier } : { items: items.slice(from), earlier: earlier + from };
}
