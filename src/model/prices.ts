// What models cost, in US dollars for a million tokens. The one place for it; ratchet.prices comes first.
// From the model pages of platform.claude.com, November 2026; the cache reads of Sonnet 5.5 as lowered on 7 October. A model
// whose price is not known in full, or depends on the length of a prompt, is not here: then tokens are shown and no cost.
import type { Price } from '../core/spending.ts';

/** A cache entry of five minutes costs a quarter more than plain input, one of an hour twice as much. */
function price(input: number, output: number, cacheRead: number): Price {
  return { input, output, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2, cacheRead };
}

const prices: Readonly<Record<string, Price>> = {
  'claude-sonnet-5-5': price(2, 10, 0.1),
  'claude-opus-5-5': price(4, 20, 0.2),
  'claude-sonnet-5': price(2, 10, 0.2),
  'claude-opus-5': price(5, 25, 0.5),
  'claude-opus-4-8': price(5, 25, 0.5),
  'claude-opus-4-7': price(5, 25, 0.5),
  'claude-opus-4-6': price(5, 25, 0.5),
  'claude-sonnet-4-6': price(3, 15, 0.3),
  'claude-haiku-4-5': price(1, 5, 0.1),
};

/** The price of a model by its name, with or without a date at its end; undefined when it is not known. */
export function priceOf(model: string): Price | undefined {
  const name = model.replace(/-\d{8}$/, '');
  return Object.hasOwn(prices, name) ? prices[name] : undefined;
}
