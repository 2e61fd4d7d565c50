// Whether what is on the screen is what the host has: told by what is heard and by the page's own ticks, never by the
// clock, so that a page that slept takes nothing for lost. No DOM, no timer.
import { signal, type ReadonlySignal } from '@preact/signals';

/**
 * `connecting`: nothing to show yet. `behind`: the host is there, and further than the screen for some seconds.
 * `lost`: the host is not heard of; what is shown was so.
 */
export type LinkState = 'connecting' | 'live' | 'behind' | 'lost';

/** Milliseconds between two ticks of the page. */
export const tickMs = 1_000;
/** Ticks without a word after which the host is taken for gone: three beats. */
const lostAfter = 6;
/** Ticks on which the screen was not what the host has, after which that is said. */
const behindAfter = 2;
/** Ticks from one question to the next while there is no answer. */
const askEvery = 3;

export interface LinkWatch {
  readonly state: ReadonlySignal<LinkState>;
  /** A message came. `inStep`: the screen is what the host has. */
  heard(isInStep: boolean): void;
  /** What was shown before the page was made anew is on the screen. */
  showsKept(): void;
  /** To be called every {@link tickMs}. */
  tick(): void;
}

/** @param ask asks the host for everything anew: it may not know that this page is there */
export function createLinkWatch(ask: () => void): LinkWatch {
  const state = signal<LinkState>('connecting');
  let quiet = 0;
  let out = 0;
  let isInStep = false;
  return {
    state,
    heard(nowInStep) {
      quiet = 0;
      isInStep = nowInStep;
      if (nowInStep) {
        out = 0;
        state.value = 'live';
      }
    },
    showsKept() {
      state.value = 'lost';
    },
    tick() {
      quiet += 1;
      out = isInStep ? 0 : out + 1;
      const hadAnything = state.value !== 'connecting';
      if (hadAnything && quiet >= lostAfter) state.value = 'lost';
      else if (state.value === 'live' && out >= behindAfter) state.value = 'behind';
      if (quiet >= askEvery && (state.value !== 'live' || quiet >= lostAfter) && quiet % askEvery === 0) ask();
    },
  };
}
