// The test's side of the driver extension: puts it into an editor, and calls the API in the window of a process.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '../session/eventually.ts';
import { linesOf } from '../session/fileLines.ts';
import { installTestExtension } from '../workbench/testExtension.ts';
import { answerSchema, foldersVariable, type Answer, type Call } from './calls.ts';

const manifest = {
  name: 'ratchet-api-driver',
  publisher: 'ratchet-dev',
  version: '0.0.1',
  license: 'MIT',
  engines: { vscode: '^1.106.0' },
  activationEvents: ['onStartupFinished'],
  extensionDependencies: ['ratchet-dev.ratchet'],
};

export class ApiDriver {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<ApiDriver> {
    return new ApiDriver(await mkdtemp(path.join(os.tmpdir(), 'ratchet-api-')));
  }

  async dispose(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** What the extension hosts need in their environment. */
  get env(): Readonly<Record<string, string>> {
    return { [foldersVariable]: this.#folder };
  }

  /** Installs the extension where an editor server with this home looks; for windows that are opened afterwards. */
  async install(home: string): Promise<void> {
    const entry = path.join(import.meta.dirname, 'main.ts');
    await installTestExtension({ home, around: this.#folder, manifest, entry });
  }

  /** Calls the API in the extension host with this process id; waits until it is there. */
  async call(hostPid: number, call: Call): Promise<Answer> {
    const file = path.join(this.#folder, String(hostPid));
    await eventually(async () => (await linesOf(file)).length === 1);
    const [port = ''] = await linesOf(file);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(call) });
    return answerSchema.parse(await response.json());
  }
}
