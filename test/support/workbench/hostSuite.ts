// Runs the in-host suites in the extension host of a browser VS Code: a development server with the smoke-test driver,
// a page that reports what the suite says and how it ended. Knows nothing of the suites.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { ensureBrowserVscode } from '../../../scripts/browserVscode.ts';
import { afterCalm, stretched } from '../../../scripts/calmTime.ts';
import { hostSuitesFolder, outFolder, repositoryRoot } from '../../../scripts/paths.ts';
import { freePort } from '../../../scripts/processes.ts';
import { manifest } from '../editorModels/manifest.ts';
import { launchBrowser } from './browser.ts';
import { ServerProcess } from './serverProcess.ts';
import { quietSettings, writeUserSettings } from './userSettings.ts';

const limit = 15 * 60_000;
const mark = '[suite] ';

/**
 * Runs out/test-host in an extension host with an empty folder open and returns the exit code. `env` is seen by the
 * suites: see test/host/index.ts. What they print is streamed; that and the workbench's own lines are kept under
 * out/host/. Throws when no result comes.
 */
export async function runHostSuites(env: Readonly<Record<string, string>>): Promise<number> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'ratchet-host-'));
  const server = new ServerProcess();
  const log: string[] = [];
  try {
    const folder = await mkdtemp(path.join(home, 'folder-'));
    await writeFile(path.join(folder, 'README.md'), '# A folder\n');
    await contributeOnly(path.join(home, 'ext'));
    const port = await freePort();
    const { serverMain } = await ensureBrowserVscode();
    await writeUserSettings(path.join(home, 'data'), quietSettings);
    server.start([serverMain, ...serverArguments(port, home)], {
      ...env,
      RATCHET_TEST_MARK: mark,
      RATCHET_TEST_HOME: home,
    });
    await server.output.waitFor(/Extension host agent listening on/);
    const browser = await launchBrowser();
    try {
      return await resultOf(await browser.newPage(), pageAddress(port, folder), server, log);
    } finally {
      await browser.close();
    }
  } finally {
    await server.dispose();
    await keepLogs(log, server);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An extension without code, for what has to be contributed before a suite can register it. */
async function contributeOnly(extensions: string): Promise<void> {
  const folder = path.join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: undefined }));
}

async function keepLogs(log: readonly string[], server: ServerProcess): Promise<void> {
  const folder = path.join(outFolder, 'host');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'console.log'), log.join('\n'));
  await writeFile(path.join(folder, 'server.log'), server.output.text);
}

function serverArguments(port: number, home: string): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
    ...[
      '--server-data-dir',
      home,
      '--user-data-dir',
      path.join(home, 'data'),
      '--extensions-dir',
      path.join(home, 'ext'),
    ],
    ...['--enable-smoke-test-driver', '--disable-workspace-trust', '--disable-telemetry'],
  ];
}

function pageAddress(port: number, folder: string): string {
  const origin = `127.0.0.1:${port}`;
  const remote = (file: string) => `vscode-remote://${origin}${file.split(path.sep).join('/')}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(repositoryRoot)],
    ['extensionTestsPath', remote(path.join(hostSuitesFolder, 'index.cjs'))],
    ['skipWelcome', 'true'],
  ]);
  return `http://${origin}/?${new URLSearchParams({ folder, payload }).toString()}`;
}

async function resultOf(page: Page, address: string, server: ServerProcess, log: string[]): Promise<number> {
  let takeBack: (() => void) | undefined;
  try {
    return await new Promise<number>((resolve, reject) => {
      const fail = (reason: string) => {
        reject(new Error(`The in-host suites ended without a result: ${reason}.\n${server.output.text.slice(-3000)}`));
      };
      takeBack = afterCalm(limit, () => {
        fail('the time was over');
      });
      page.once('crash', () => {
        fail('the page crashed');
      });
      const open = async () => {
        await page.exposeFunction('codeAutomationExit', (code: unknown) => {
          resolve(z.number().parse(code));
        });
        await page.exposeFunction('codeAutomationLog', (type: unknown, args: unknown) => {
          take(log, format(...(z.array(z.unknown()).safeParse(args).data ?? [type, args])));
        });
        await page.goto(address, { timeout: stretched(90_000) });
      };
      open().catch((error: unknown) => {
        fail(String(error));
      });
    });
  } finally {
    takeBack?.();
  }
}

/** Shows what the suite prints; keeps everything, the workbench's own lines too, for the log. */
function take(log: string[], text: string): void {
  const isSuite = text.startsWith(mark);
  const line = isSuite ? text.slice(mark.length) : text;
  log.push(line);
  if (isSuite) console.log(line);
}
