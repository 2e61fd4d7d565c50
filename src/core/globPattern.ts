// How many patterns a glob pattern stands for: each `{a,b}` doubles them, and all of them are made before the first file is
// looked at.

/** Alternatives that a search may ask for at once. */
export const mostAlternatives = 1_000;

/**
 * The number of patterns that the braces of a glob pattern expand to; Infinity for more than can be counted. Braces without
 * a comma or a range stand for themselves.
 */
export function countAlternatives(pattern: string): number {
  return new BraceCounter(pattern).sequence(false).count;
}

interface Counted {
  readonly count: number;
  /** A closing brace or a comma was met, as was asked for. */
  readonly end: '}' | ',' | undefined;
}

class BraceCounter {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The product over what stands one after the other, up to the end of an alternative when inside of braces. */
  sequence(inBraces: boolean): Counted {
    let count = 1;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++];
      if (char === '\\') this.#at += 1;
      else if (char === '{') count *= this.#braces();
      else if (inBraces && (char === '}' || char === ',')) return { count, end: char };
    }
    return { count, end: undefined };
  }

  #braces(): number {
    // Deeper than anybody writes: taken as too many, rather than followed.
    if (this.#depth >= 100) return Infinity;
    this.#depth += 1;
    const from = this.#at;
    let sum = 0;
    let last: Counted;
    let alternatives = 0;
    do {
      last = this.sequence(true);
      sum += last.count;
      alternatives += 1;
    } while (last.end === ',');
    this.#depth -= 1;
    if (alternatives > 1) return sum;
    return last.end === '}' ? Math.max(sum, rangeLength(this.#text.slice(from, this.#at - 1))) : sum;
  }
}

/** The length of `1..9`, `a..z` or `1..9..2`; 1 for anything else. */
function rangeLength(text: string): number {
  const [, from, to, step] = /^(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.(-?\d+))?$/i.exec(text) ?? [];
  if (from === undefined || to === undefined) return 1;
  const value = (end: string): number => (/\d/.test(end) ? Number(end) : end.charCodeAt(0));
  return Math.floor(Math.abs(value(to) - value(from)) / Math.max(1, Math.abs(Number(step ?? 1)))) + 1;
}
