// Where answers come from, as far as it is known: asking may take long (a secret storage that waits for the user), and
// the panel never waits for it for more than a moment.
import type { PanelSource } from './panelPorts.ts';

/** Milliseconds that a snapshot waits. */
const patienceMs = 1_000;

export interface KnownSourcePorts {
  read(): Promise<PanelSource>;
  /** An answer came that nobody waits for any more. */
  onLate(): void;
  log(message: string, error: unknown): void;
}

export class KnownSource {
  readonly #ports: KnownSourcePorts;
  #asked = 0;
  #answered = 0;
  value: PanelSource = { kind: 'anthropic', text: 'Looking for the key…' };

  constructor(ports: KnownSourcePorts) {
    this.#ports = ports;
  }

  /** Brings the value up to date, or leaves it where the answer takes too long or fails. Never rejects. */
  async look(): Promise<void> {
    this.#asked += 1;
    const turn = this.#asked;
    let isLate = false;
    const answered = this.#ports.read().then(
      (source) => {
        if (turn < this.#answered) return;
        this.#answered = turn;
        this.value = source;
        if (isLate) this.#ports.onLate();
      },
      (error: unknown) => {
        this.#ports.log('Where answers come from could not be found out', error);
      },
    );
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, patienceMs);
    });
    await Promise.race([answered, patience]);
    clearTimeout(timer);
  }
}
