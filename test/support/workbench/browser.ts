// Starts the Chromium in which a workbench is shown. Knows nothing about VS Code.
import { chromium, type Browser } from 'playwright-core';
import { stretched } from '../../../scripts/calmTime.ts';
import { ensureChromium } from '../../../scripts/chromium.ts';

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** A headless browser of its own; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await ensureChromium();
  // The sandbox needs rights that root in a container lacks; the pages are all from this machine.
  return await chromium.launch({
    executablePath,
    headless: true,
    args: [...quiet, '--no-sandbox'],
    timeout: stretched(90_000),
  });
}
