// Records that are numbered anew, and the numbers of other records that they name. A trace has tens of thousands of them:
// what is kept is where the difference changes, not each number.
import type { SessionEvent } from './events.ts';

interface Span {
  readonly from: number;
  readonly to: number;
  length: number;
}

export class SeqNumbers {
  /** By the number that the records had; within one of them both numberings are consecutive. */
  readonly #spans: Span[] = [];
  #count = 0;

  /** How many there are, which is the last new number. */
  get count(): number {
    return this.#count;
  }

  /** The new number of a record that goes along. */
  take(seq: number): number {
    this.#count += 1;
    const last = this.#spans.at(-1);
    if (last?.from !== undefined && seq === last.from + last.length && this.#count === last.to + last.length)
      last.length += 1;
    // Nearly always at the end: a number that was damaged may be above those that follow.
    else this.#spans.splice(this.#before(seq) + 1, 0, { from: seq, to: this.#count, length: 1 });
    return this.#count;
  }

  /** A record that has no number from before: the next one. */
  add(): number {
    this.#count += 1;
    return this.#count;
  }

  /** The new number of a record; undefined when it did not go along. */
  of(seq: number): number | undefined {
    const span = this.#spans[this.#before(seq)];
    return span && seq < span.from + span.length ? span.to + seq - span.from : undefined;
  }

  /** The new number of the last record that went along up to this one; 0 when there is none. */
  upTo(seq: number): number {
    const span = this.#spans[this.#before(seq)];
    return span ? span.to + Math.min(seq - span.from, span.length - 1) : 0;
  }

  /** Place of the last span that begins at or before the number; -1 when there is none. */
  #before(seq: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle]?.from ?? Infinity) <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/**
 * The record with its new number, and those of the records that it names; undefined when what it is about did not go
 * along. The number in `session_forked` is another session's and stays.
 */
export function renumbered(event: SessionEvent, numbers: SeqNumbers): SessionEvent | undefined {
  switch (event.type) {
    case 'history_healed': {
      const partSeq = numbers.of(event.partSeq);
      return partSeq === undefined ? undefined : { ...event, partSeq, seq: numbers.take(event.seq) };
    }
    case 'results_trimmed':
    case 'history_compacted': {
      const uptoSeq = numbers.upTo(event.uptoSeq);
      return { ...event, uptoSeq, seq: numbers.take(event.seq) };
    }
    case 'revert_started':
    case 'history_reverted': {
      const toSeq = numbers.upTo(event.toSeq);
      return { ...event, toSeq, seq: numbers.take(event.seq) };
    }
    default:
      return { ...event, seq: numbers.take(event.seq) };
  }
}
