// The live tail of a running command for the panel: at most ten updates a second, the last one never lost.
import { createLiveTail } from '../core/jobOutput.ts';

/** How many of the last lines are shown. */
export const liveLines = 40;
const showEveryMs = 100;

/** Takes a command's output and shows its last lines. Has a timer while there is something to show: close it. */
export class LiveOutput {
  readonly #show: (lines: readonly string[]) => void;
  readonly #tail = createLiveTail(liveLines);
  #timer: NodeJS.Timeout | undefined;

  constructor(show: (lines: readonly string[]) => void) {
    this.#show = show;
  }

  push(chunk: Uint8Array): void {
    this.#tail.push(chunk);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show(this.#tail.lines());
    }, showEveryMs);
  }

  /** Shows what was not shown yet, and stops. */
  close(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#show(this.#tail.lines());
  }
}
