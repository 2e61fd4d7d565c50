// Puts an extension of the tests' own into an editor server: bundled, packaged and installed as any other one.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { ensureBrowserVscode } from '../../../scripts/browserVscode.ts';
import { runCommand, runTool } from '../../../scripts/processes.ts';

export interface TestExtension {
  /** Of the editor server: holds its user data and its extensions. */
  readonly home: string;
  /** A temporary folder of the caller's, in which the package is made. */
  readonly around: string;
  /** Without `main` and `files`. */
  readonly manifest: object;
  /** The module with `activate`. */
  readonly entry: string;
}

/** For windows that are opened afterwards. */
export async function installTestExtension({ home, around, manifest, entry: source }: TestExtension): Promise<void> {
  const cwd = path.join(around, 'extension');
  await mkdir(cwd);
  await writeFile(
    path.join(cwd, 'package.json'),
    JSON.stringify({ ...manifest, main: './main.cjs', files: ['main.cjs'] }),
  );
  await build({
    entryPoints: [source],
    outfile: path.join(cwd, 'main.cjs'),
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node22', external: ['vscode'], logLevel: 'error' },
  });
  const vsix = path.join(around, 'extension.vsix');
  const lenient = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await runTool('vsce', ['package', '--out', vsix, ...lenient], { cwd, output: 'capture' });
  const { entry } = await ensureBrowserVscode();
  const args = ['--config', path.join(home, 'config.yaml'), '--user-data-dir', path.join(home, 'user-data')];
  await runCommand(
    process.execPath,
    [entry, ...args, '--extensions-dir', path.join(home, 'extensions'), '--install-extension', vsix, '--force'],
    { output: 'capture', timeoutMs: 120_000 },
  );
}
