// Opens a real VS Code with the packaged extension on a sample folder and stays until it is closed or Ctrl+C: the
// desktop editor that is installed, else a downloaded one, else the browser VS Code.
//   npm start -- [--port N] [--browser] [--folder PATH] [--reset]
import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, resolveCliPathFromVSCodeExecutablePath } from '@vscode/test-electron';
import { quietSettings, writeUserSettings } from '../test/support/workbench/userSettings.ts';
import { VscodeServer } from '../test/support/workbench/vscodeServer.ts';
import { hasDisplay } from './desktopSuites.ts';
import { editorCacheFolder, repositoryRoot, vsixFile } from './paths.ts';
import { CommandFailed, freePort, isFree, killDescendants, runCommand } from './processes.ts';

// The same port each time where it is free: it is part of what names a folder's storage, so sessions are found again.
const usualPort = 8137;

const home = path.join(editorCacheFolder(), 'start');
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    browser: { type: 'boolean', default: false },
    folder: { type: 'string' },
    reset: { type: 'boolean', default: false },
  },
});

let endBrowserEditor: (() => void) | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (endBrowserEditor === undefined) void killDescendants().finally(() => process.exit(130));
    else endBrowserEditor();
  });
}

await main();

async function main(): Promise<void> {
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    console.error(`--port ${String(values.port)} is not a port`);
    process.exitCode = 2;
    return;
  }
  await runCommand(process.execPath, ['scripts/packageVsix.ts']);
  if (values.reset) await rm(home, { recursive: true, force: true });
  await rm(path.join(home, 'extensions'), { recursive: true, force: true });
  const folder = values.folder === undefined ? await sampleFolder() : path.resolve(values.folder);
  const code = values.browser || port !== undefined ? undefined : await desktopEditor();
  if (code === undefined) await showInBrowser(folder, port);
  else await showOnDesktop(code, folder);
}

/** What is there from the last time is kept: its sessions go on where they were. */
async function sampleFolder(): Promise<string> {
  const folder = path.join(home, 'sample');
  if (!existsSync(folder)) {
    await mkdir(home, { recursive: true });
    await cp(path.join(repositoryRoot, 'scripts', 'sample'), folder, { recursive: true });
  }
  return folder;
}

/** The command line of a desktop VS Code that can be used here, if there is one. */
async function desktopEditor(): Promise<string | undefined> {
  if (!hasDisplay()) return undefined;
  try {
    await desktopCode('code', ['--version'], 'capture');
    return 'code';
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
  }
  try {
    // The download itself retries for minutes; ask first whether there is a network.
    await fetch('https://update.code.visualstudio.com/api/releases/stable', { signal: AbortSignal.timeout(5000) });
    return resolveCliPathFromVSCodeExecutablePath(await downloadAndUnzipVSCode({ cachePath: editorCacheFolder() }));
  } catch (error) {
    console.log(
      `No desktop VS Code (${error instanceof Error ? error.message : String(error)}): using the browser VS Code.`,
    );
    return undefined;
  }
}

async function showOnDesktop(code: string, folder: string): Promise<void> {
  const userData = path.join(home, 'desktop-data');
  const own = ['--user-data-dir', userData, '--extensions-dir', path.join(home, 'extensions')];
  await writeUserSettings(userData, quietSettings);
  await desktopCode(code, [...own, '--install-extension', vsixFile, '--force']);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  console.log('\nVS Code is opening. This ends when its window is closed.');
  await desktopCode(code, [...own, ...asRoot, '--disable-workspace-trust', '--new-window', '--wait', folder]);
}

async function desktopCode(
  code: string,
  args: readonly string[],
  output: 'stream' | 'capture' = 'stream',
): Promise<void> {
  const options = { output, timeoutMs: 24 * 3_600_000 };
  if (process.platform === 'win32') await runCommand('cmd.exe', ['/d', '/c', code, ...args], options);
  else await runCommand(code, args, options);
}

async function showInBrowser(folder: string, asked: number | undefined): Promise<void> {
  const port = asked ?? ((await isFree(usualPort)) ? usualPort : await freePort());
  const server = await VscodeServer.start({ home, port, builtIn: 'all' });
  const ended = new Promise<void>((resolve) => {
    endBrowserEditor = resolve;
  });
  console.log(`\nVS Code with Ratchet: ${server.urlOf(folder)}\nCtrl+C ends it.`);
  while (server.isRunning && (await Promise.race([ended.then(() => false), pause(1000, true, { ref: false })]))) {
    // The server may also end by itself.
  }
  if (!server.isRunning) process.exitCode = 1;
  // Not its jobs: they outlive an editor, and are found again by the next one.
  await server.stop();
}
