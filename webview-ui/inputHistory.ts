// One's own earlier messages in the input, by arrow keys. Pure.
import type { TranscriptItem } from '../src/protocol/view.ts';

/** Where in the earlier messages the input is; absent while one's own draft stands in it. */
export interface HistoryPlace {
  /** From the newest one, 0. */
  readonly back: number;
  readonly text: string;
}

/** What was sent from here, the newest last, without repetitions in a row. */
export function earlierMessages(items: readonly TranscriptItem[]): readonly string[] {
  const texts = items.flatMap((item) => (item.kind === 'user' && item.text.trim() !== '' ? [item.text] : []));
  return texts.filter((text, index) => text !== texts[index + 1]);
}

/**
 * One step back or forward. Begins only in an empty input, and ends as soon as what it brought is changed.
 * @returns undefined when the key means something else; an empty text is one's own draft again
 */
export function historyStep(
  texts: readonly string[],
  draft: string,
  place: HistoryPlace | undefined,
  direction: 'back' | 'forward',
): HistoryPlace | 'draft' | undefined {
  const isInside = place?.text === draft;
  if (!isInside && (draft !== '' || direction === 'forward')) return undefined;
  const back = (isInside ? place.back : -1) + (direction === 'back' ? 1 : -1);
  if (back < 0) return 'draft';
  const text = texts.at(-1 - back);
  return text === undefined ? place : { back, text };
}
