// The VS Code that needs no download site: code-server from the npm registry, in the git-ignored editor cache.
// Installs it once, whole or not at all. Does not start it.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { editorCacheFolder, repositoryRoot } from './paths.ts';
import { CommandFailed, runNpm } from './processes.ts';

const version = '4.139.1';
// Written last: without it, or with another version in it, an install is made again.
const marker = 'installed.json';
const installed = JSON.stringify({ version });

/** An installed browser VS Code. */
export interface BrowserVscode {
  /** code-server's own entry: serves the workbench, installs a .vsix. */
  readonly entry: string;
  /** The plain VS Code server inside it: runs test suites in the extension host. */
  readonly serverMain: string;
  /** The folder of its own extensions. */
  readonly builtInExtensions: string;
}

/**
 * The browser VS Code, installed when it is missing (about half a minute). Throws {@link CommandFailed} when the
 * registry cannot be reached.
 */
export async function ensureBrowserVscode(): Promise<BrowserVscode> {
  const folder = path.join(editorCacheFolder(), 'code-server');
  if (!isComplete(folder)) await install(folder);
  const home = packageFolder(folder);
  return {
    entry: path.join(home, 'out', 'node', 'entry.js'),
    serverMain: path.join(home, 'lib', 'vscode', 'out', 'server-main.js'),
    builtInExtensions: path.join(home, 'lib', 'vscode', 'extensions'),
  };
}

/*
 * Its install scripts are left out: they compile what only sign-in and telemetry need (kerberos wants system headers
 * that most machines lack), and one failure there removes everything. Two native parts are compiled afterwards if
 * that works: the log files, and the watchdog that ends an extension host whose server has died.
 */
async function install(folder: string): Promise<void> {
  console.log(
    `Installing the browser VS Code (code-server ${version}) into ${path.relative(repositoryRoot, folder)} ...`,
  );
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-draft-`);
  try {
    const home = packageFolder(draft);
    const quiet = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
    await writeFile(path.join(draft, 'package.json'), '{ "private": true }\n');
    await runNpm(['install', ...quiet, `code-server@${version}`], { cwd: draft });
    await runNpm(['install', ...quiet], { cwd: path.join(home, 'lib', 'vscode') });
    await runNpm(['install', ...quiet], { cwd: path.join(home, 'lib', 'vscode', 'extensions') });
    await compileNativeParts(path.join(home, 'lib', 'vscode'));
    await writeFile(path.join(draft, marker), installed);
    // Another process may have put its own there in the meantime, and use it.
    if (!isComplete(folder)) {
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function compileNativeParts(folder: string): Promise<void> {
  const parts = ['@vscode/spdlog', '@vscode/native-watchdog'];
  // The headers of this very Node come with its npm package, so none have to be downloaded.
  const headers = path.dirname(path.dirname(process.execPath));
  const packages = ['node', 'node-bin'].map((name) => `${name}-${process.platform}-${process.arch}`);
  const withHeaders = [headers, ...packages.map((name) => path.join(headers, 'node_modules', name))].find((each) =>
    existsSync(path.join(each, 'include', 'node', 'node_api.h')),
  );
  const nodeFolder = withHeaders === undefined ? [] : [`--nodedir=${withHeaders}`];
  try {
    await runNpm(['rebuild', ...nodeFolder, ...parts], { cwd: folder, output: 'capture', timeoutMs: 300_000 });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    console.log('(Its native logging could not be compiled here; it runs without, but writes no log files.)');
  }
}

function isComplete(folder: string): boolean {
  const file = path.join(folder, marker);
  return existsSync(file) && readFileSync(file, 'utf8') === installed;
}

function packageFolder(folder: string): string {
  return path.join(folder, 'node_modules', 'code-server');
}
