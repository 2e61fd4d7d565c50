// Mocha's time limits, counted in calm time. Loaded before the tests, by .mocharc.json and by the in-host suites.
import Mocha from 'mocha';
import { afterCalm, calmTime } from '../../scripts/calmTime.ts';

interface Timed {
  _timeout: number;
  /** When its time began to run, by both clocks; absent before. */
  began?: { readonly at: number; readonly calm: number };
  timer?: { readonly cancel: () => void } | undefined;
  callback?: (error: Error) => void;
  timedOut?: boolean;
  _timeoutError(ms: number): Error;
}

// Mocha asks for a limit twice: when it sets a timer, and, against the clock, when a test has ended.
const { prototype } = Mocha.Runnable;
const setLimit: (this: Timed, ms: number | string) => unknown = Reflect.get(prototype, 'timeout');
const patient: ThisType<Timed> & Record<'timeout' | 'resetTimeout' | 'clearTimeout', unknown> = {
  timeout(...given: readonly [] | readonly [number | string]) {
    if (given[0] !== undefined) return setLimit.apply(this, [given[0]]);
    if (this._timeout === 0 || this.began === undefined) return this._timeout;
    return this._timeout + (performance.now() - this.began.at) - (calmTime() - this.began.calm);
  },
  resetTimeout() {
    this.timer?.cancel();
    const ms = this._timeout;
    this.began = { at: performance.now(), calm: calmTime() };
    if (ms === 0) return;
    const over = (): void => {
      this.callback?.(this._timeoutError(ms));
      this.timedOut = true;
    };
    this.timer = { cancel: afterCalm(ms, over) };
  },
  clearTimeout() {
    this.timer?.cancel();
    this.timer = undefined;
  },
};
Object.assign(prototype, patient);
