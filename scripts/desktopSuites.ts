// Runs the in-host suites in a downloaded desktop VS Code: for contributors with a network and a display.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { runTests } from '@vscode/test-electron';
import { editorCacheFolder, hostSuitesFolder, repositoryRoot } from './paths.ts';

/** Whether a window can be shown on this machine. */
export function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== 'linux' || (DISPLAY ?? '') !== '' || (WAYLAND_DISPLAY ?? '') !== '';
}

/** Runs out/test-host in a desktop VS Code and returns the exit code. `env` is seen by the suites. */
export async function runDesktopSuites(env: Readonly<Record<string, string>>): Promise<number> {
  if (!hasDisplay()) throw new Error('A desktop VS Code needs a display. Use "xvfb-run npm run test:desktop".');
  const home = await mkdtemp(path.join(os.tmpdir(), 'ratchet-desktop-'));
  try {
    const folder = await mkdtemp(path.join(home, 'folder-'));
    return await runTests({
      cachePath: editorCacheFolder(),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: path.join(hostSuitesFolder, 'index.cjs'),
      extensionTestsEnv: { ...env },
      launchArgs: [
        folder,
        '--user-data-dir',
        path.join(home, 'data'),
        '--disable-extensions',
        '--disable-workspace-trust',
      ],
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
