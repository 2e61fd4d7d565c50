// Which kills a run tries, decided by its seed.
import { randomFrom } from '../crash/random.ts';
import { killKinds, places, type SendCase } from './sendRun.ts';

const longestDelayMs = 1_000;
/** The text is on its way in the first tenths of a second: most kills are there. */
const crowdedMs = 300;

/** Kinds and places in turn, so that a short run has each of them; times by chance. */
export function sendCases(seed: number, count: number): readonly SendCase[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index): SendCase => {
    const delayMs = random() * (random() < 0.6 ? crowdedMs : longestDelayMs);
    return {
      kind: killKinds[index % killKinds.length] ?? 'host',
      place: places[Math.floor(index / killKinds.length + index) % places.length] ?? 'new',
      delayMs,
      isBusy: random() < 0.4,
    };
  });
}
