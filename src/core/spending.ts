// What a run or a session used, by model, and what that cost. Derived from recorded usage, so traces of any age have it.
// Must never know where prices come from.
import { addUsage, type Usage } from './messages.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
}

export type PriceOf = (model: string) => Price | undefined;

/** Usage by the model that it was of. */
export type Spending = ReadonlyMap<string, Usage>;

/** Adds in place: what is folded has a usage with nearly every message. */
export function spend(spending: Map<string, Usage>, model: string, usage: Usage): void {
  const before = spending.get(model);
  spending.set(model, before ? addUsage(before, usage) : usage);
}

const million = 1_000_000;

function usedNothing(usage: Usage): boolean {
  return Object.values(usage).every((tokens) => tokens === 0);
}

/**
 * What it cost, in US dollars. All cache entries are those of five minutes: no others are asked for.
 * @returns undefined when the price of no model is known; `isPartial` when that of some is not
 */
export function costOf(
  spending: Spending,
  priceOf: PriceOf,
): { readonly dollars: number; readonly isPartial: boolean } | undefined {
  let dollars: number | undefined;
  let isPartial = false;
  for (const [model, usage] of spending) {
    if (usedNothing(usage)) continue;
    const price = priceOf(model);
    if (!price) {
      isPartial = true;
      continue;
    }
    const cost =
      usage.inputTokens * price.input +
      usage.outputTokens * price.output +
      usage.cacheWriteTokens * price.cacheWrite5m +
      usage.cacheReadTokens * price.cacheRead;
    dollars = (dollars ?? 0) + cost / million;
  }
  return dollars === undefined ? undefined : { dollars, isPartial };
}

/** Too little to be named on each line of a transcript. */
export const lessThanACent = 'less than $0.01';

/** "$0.42", "less than $0.01", "at least $1.20"; undefined when nothing is known. */
export function costText(spending: Spending, priceOf: PriceOf): string | undefined {
  const cost = costOf(spending, priceOf);
  if (!cost) return undefined;
  const { dollars, isPartial } = cost;
  if (dollars > 0 && dollars < 0.01) return isPartial ? 'at least some cents' : lessThanACent;
  return `${isPartial ? 'at least ' : ''}$${dollars.toFixed(2)}`;
}
