// The one timer of the panel. It runs only while something on the screen shows a time that changes.
import { signal, type ReadonlySignal } from '@preact/signals';

export type Pace = 'second' | 'minute';

export interface Clock {
  /** Milliseconds since 1970, as of the last tick. */
  readonly now: ReadonlySignal<number>;
  /** Keeps the clock ticking at least this often until the returned function is called. */
  hold(pace: Pace): () => void;
}

/** @param read the current time in milliseconds since 1970 */
export function createClock(read: () => number = Date.now): Clock {
  const now = signal(read());
  const holders: Record<Pace, number> = { second: 0, minute: 0 };
  let timer: ReturnType<typeof setInterval> | undefined;
  let ticking: Pace | undefined;

  const settle = (): void => {
    const wanted: Pace | undefined = holders.second > 0 ? 'second' : holders.minute > 0 ? 'minute' : undefined;
    if (wanted === ticking) return;
    if (timer !== undefined) clearInterval(timer);
    ticking = wanted;
    timer = wanted && setInterval(() => (now.value = read()), wanted === 'second' ? 1000 : 60_000);
  };
  return {
    now,
    hold(pace) {
      now.value = read();
      holders[pace]++;
      settle();
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders[pace]--;
        settle();
      };
    },
  };
}
