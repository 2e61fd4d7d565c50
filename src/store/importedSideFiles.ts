// The outputs that follow the records of an exported trace, written into the folder of the session that is made of it.
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SideFileLine } from '../core/traceExport.ts';
import { flushFolder } from '../platform/durableFiles.ts';

/** Pieces of one file stand together. */
export class ImportedSideFiles {
  readonly #into: string;
  readonly #redact: (text: string) => string;
  #pending: SideFileLine[] = [];
  readonly #written = new Set<string>();

  constructor(into: string, redact: (text: string) => string) {
    this.#into = into;
    this.#redact = redact;
  }

  append(line: SideFileLine): void {
    this.#pending.push(line);
  }

  async flush(): Promise<void> {
    const lines = this.#pending;
    this.#pending = [];
    for (const { path, text } of lines) {
      const file = join(this.#into, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, this.#redact(text), { mode: 0o600 });
      this.#written.add(file);
    }
  }

  /** Makes them durable. */
  async sync(): Promise<void> {
    for (const file of this.#written) {
      const handle = await open(file, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    for (const folder of new Set([...this.#written].map((file) => dirname(file)))) await flushFolder(folder);
  }
}
