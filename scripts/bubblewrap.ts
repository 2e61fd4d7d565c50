// Finds the bubblewrap that the tests of the sandbox use, or installs Debian's. Does not start it.
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { runCommand } from './processes.ts';

const places = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];

/** The path of bubblewrap. Throws, with what to do, when there is none and none can be installed. */
export async function ensureBubblewrap(): Promise<string> {
  const found = find();
  if (found !== undefined) return found;
  if (isRootOnDebian()) {
    console.log('Installing bubblewrap (apt-get) ...');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runCommand('apt-get', ['update', '-q'], { env, output: 'capture' });
    await runCommand('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'bubblewrap'], {
      env,
      output: 'capture',
    });
    const installed = find();
    if (installed !== undefined) return installed;
  }
  throw new Error('No bubblewrap found. Install it: apt-get install bubblewrap, dnf install bubblewrap.');
}

function find(): string | undefined {
  return places.find((path) => existsSync(path));
}

function isRootOnDebian(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false;
  return /debian/i.test(readFileSync('/etc/os-release', 'utf8'));
}
