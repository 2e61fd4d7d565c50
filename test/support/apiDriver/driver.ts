// The test's side of the driver extension: puts it into an editor, and calls the API in the window of a process.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { ensureBrowserVscode } from '../../../scripts/browserVscode.ts';
import { runCommand, runTool } from '../../../scripts/processes.ts';
import { eventually } from '../session/eventually.ts';
import { linesOf } from '../session/fileLines.ts';
import { answerSchema, foldersVariable, type Answer, type Call } from './calls.ts';

const manifest = {
  name: 'ratchet-api-driver',
  publisher: 'ratchet-dev',
  version: '0.0.1',
  license: 'MIT',
  engines: { vscode: '^1.106.0' },
  main: './main.cjs',
  files: ['main.cjs'],
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
    const cwd = path.join(this.#folder, 'extension');
    await mkdir(cwd);
    await writeFile(path.join(cwd, 'package.json'), JSON.stringify(manifest));
    await build({
      entryPoints: [path.join(import.meta.dirname, 'main.ts')],
      outfile: path.join(cwd, 'main.cjs'),
      ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node22', external: ['vscode'], logLevel: 'error' },
    });
    const vsix = path.join(this.#folder, 'driver.vsix');
    const lenient = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
    await runTool('vsce', ['package', '--out', vsix, ...lenient], { cwd, output: 'capture' });
    const { entry } = await ensureBrowserVscode();
    const folders = ['user-data', 'extensions'].map((name) => path.join(home, name));
    const args = ['--config', path.join(home, 'config.yaml'), '--user-data-dir', folders[0]!];
    await runCommand(
      process.execPath,
      [entry, ...args, '--extensions-dir', folders[1]!, '--install-extension', vsix, '--force'],
      { output: 'capture', timeoutMs: 120_000 },
    );
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
