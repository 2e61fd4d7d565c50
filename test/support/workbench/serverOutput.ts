// What a server process prints: kept, and awaited line by line. Knows nothing of what the lines mean.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterCalm } from '../../../scripts/calmTime.ts';

export class ServerOutput {
  #text = '';
  #ended: string | undefined;
  readonly #waiting = new Set<() => void>();

  /** Follows the output of one more process; several in a row are one text. */
  follow(child: ChildProcess): void {
    this.#ended = undefined;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
        this.#wake();
      });
    }
    child.once('close', (code, signal) => {
      this.#ended = `it ended with ${String(code ?? signal)}`;
      this.#wake();
    });
  }

  get text(): string {
    return this.#text;
  }

  /** Where the text ends now: only what comes after it is new. */
  get end(): number {
    return this.#text.length;
  }

  /** Every match in what was printed from `from` on. */
  matches(pattern: RegExp, from = 0): RegExpExecArray[] {
    return [...this.#text.slice(from).matchAll(new RegExp(pattern.source, 'g'))];
  }

  /** The first match at or after `from`. Throws, with the end of the text, when the process ends or the time is over. */
  async waitFor(pattern: RegExp, from = 0, timeoutMs = 90_000): Promise<RegExpExecArray> {
    const limit = new AbortController();
    const late = once(limit.signal, 'abort');
    const takeBack = afterCalm(timeoutMs, () => {
      limit.abort();
    });
    try {
      return await this.#match(pattern, from, late, () => (limit.signal.aborted ? timeoutMs : undefined));
    } finally {
      takeBack();
    }
  }

  async #match(
    pattern: RegExp,
    from: number,
    late: Promise<unknown>,
    overMs: () => number | undefined,
  ): Promise<RegExpExecArray> {
    for (;;) {
      const [match] = this.matches(pattern, from);
      if (match !== undefined) return match;
      const over = overMs();
      const reason = this.#ended ?? (over === undefined ? undefined : `it was not printed in ${over / 1000} s`);
      if (reason !== undefined) throw new Error(`No ${String(pattern)}: ${reason}.\n${this.#text.slice(-3000)}`);
      await Promise.race([late, new Promise<void>((resolve) => this.#waiting.add(resolve))]);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
