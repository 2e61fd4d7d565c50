// Whether this machine can confine commands, found out by doing it once with a command that does nothing; and if not, why not and
// what to do about it. Never the first `bwrap` on the PATH: that may be anybody's.

import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readIfThere } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { sandboxFilter } from './sandboxFilter.ts';

export type FoundSandbox =
  | { readonly kind: 'found'; readonly program: string }
  /** `why` is one or two sentences for people. */
  | { readonly kind: 'none'; readonly why: string };

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Where the program may be, in this order. */
  readonly places: readonly string[];
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  places: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
};

const probeLimitMs = 10_000;
const probe = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
  ...[
    '--new-session',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/run',
  ],
  ...['--remount-ro', '/proc', '--', '/bin/sh', '-c', ':'],
];

const run = promisify(execFile);

export async function findSandbox({ platform, arch, places }: Machine = thisMachine): Promise<FoundSandbox> {
  if (platform === 'win32') return none('There is no sandbox on Windows. In WSL there is one.');
  if (platform !== 'linux') return none('There is no sandbox for this system yet, only for Linux (bubblewrap).');
  if (!sandboxFilter(arch)) return none(`There is no sandbox for this kind of processor (${arch}).`);
  const program = await firstExecutable(places);
  if (program === undefined) {
    return none(
      'The sandbox needs bubblewrap, which is not installed (apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap).',
    );
  }
  try {
    await run(program, probe, { timeout: probeLimitMs });
    return { kind: 'found', program };
  } catch (error) {
    return none(await whyNot(program, error));
  }
}

function none(why: string): FoundSandbox {
  return { kind: 'none', why };
}

async function firstExecutable(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return place;
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
  return undefined;
}

/** The settings of the kernel that keep programs from making namespaces of their own, each with the way to change it. */
const restrictions: readonly (readonly [file: string, forbids: string, words: string])[] = [
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'AppArmor keeps it from making user namespaces, as on Ubuntu since 24.04. Give /usr/bin/bwrap an AppArmor profile with "userns,", or run: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  [
    '/proc/sys/kernel/unprivileged_userns_clone',
    '0',
    'User namespaces are switched off for users. Run: sudo sysctl kernel.unprivileged_userns_clone=1',
  ],
  [
    '/proc/sys/user/max_user_namespaces',
    '0',
    'User namespaces are switched off. Run: sudo sysctl user.max_user_namespaces=15000',
  ],
];

async function whyNot(program: string, error: unknown): Promise<string> {
  for (const [file, forbids, words] of restrictions) {
    if ((await readOrNothing(file)).trim() === forbids) return `${program} cannot make a sandbox. ${words}`;
  }
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const words = said === '' && error instanceof Error ? error.message : said;
  return `${program} cannot make a sandbox here: ${words.split('\n', 1)[0] ?? ''}. In a container it may need the right to make user namespaces.`;
}

async function readOrNothing(file: string): Promise<string> {
  try {
    return (await readIfThere(file)) ?? '';
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return '';
  }
}
