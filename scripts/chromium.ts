// Finds the Chromium that the end-to-end and in-host tests drive, or installs Debian's. Does not start it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { runCommand } from './processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium. Throws, with what to do, when there is none and none can be installed. */
export async function ensureChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
  }
  const found = findChromium();
  if (found !== undefined) return found;
  if (isRootOnDebian()) {
    console.log('Installing Chromium (apt-get) ...');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runCommand('apt-get', ['update', '-q'], { env, output: 'capture' });
    await runCommand('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
      env,
      output: 'capture',
    });
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error('No Chromium found. Install Chromium or Chrome, or set CHROMIUM_PATH to its executable.');
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = ['/usr/bin', ...folders].flatMap((folder) => names.map((name) => path.join(folder, name)));
  candidates.push('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  for (const base of [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA]) {
    if (base !== undefined) candidates.push(path.join(base, 'Google', 'Chrome', 'Application', 'chrome.exe'));
  }
  return candidates.find((candidate) => existsSync(candidate));
}

function isRootOnDebian(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false;
  return /debian/i.test(readFileSync('/etc/os-release', 'utf8'));
}
