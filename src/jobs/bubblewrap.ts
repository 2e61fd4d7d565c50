// The sandbox of one command on Linux: which places of this machine are writable, as they are, or gone inside, and the arguments
// of bubblewrap that make it so. Looks at the disk and makes what has to be there; starts nothing.

import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { obeyedNames, type Confinement } from '../core/confinement.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { credentialPlaces } from './credentialPlaces.ts';
import { mountedSomewhere } from './mounts.ts';
import { namedPipes } from './namedPipes.ts';
import { obeyedPlaces } from './obeyedPlaces.ts';
import { isPlaceholderFile, makePlaceholderFile } from './placeholders.ts';
import { realIfThere } from '../platform/realPath.ts';

/** Why a command can't be confined: a sentence for a person. Nothing was started. */
export class ConfinementError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfinementError';
  }
}

/** What the way to the network needs inside; all paths are those of the machine. */
export interface SandboxNetwork {
  /** Holds the socket of the proxy, and nothing else. */
  readonly socketFolder: string;
  readonly script: string;
  /** Runs the script. */
  readonly node: string;
}

/** Where the socket of the proxy is inside. */
export const networkSocket = '/run/ratchet/proxy';

/** Where the script is inside: its name says how it is to be read. */
export function placeOfScript(script: string): string {
  return join('/run', basename(script));
}

/** File descriptors that the sandbox program is started with. */
export const filterFd = 4;
export const statusFd = 5;

type Kind = 'folder' | 'file' | 'link' | 'absent';

/** Devices of graphics cards: what trains models needs them. */
const devicePattern = /^(nvidia.*|dri|kfd|dxg|accel)$/;
/** Of what /run holds, all that programs are found through. */
const keptOfRun = ['/run/current-system', '/run/opengl-driver', '/run/booted-system'];

/**
 * What stands before a command and its arguments so that it runs in its sandbox.
 * @param placed told of each placeholder before it is made: an empty folder or file that keeps anything else from being made in its
 * place, to be removed when the sandbox is gone
 * @throws ConfinementError
 */
export async function bubblewrap(
  confinement: Confinement,
  cwd: string,
  placed: (path: string) => Promise<void>,
  network?: SandboxNetwork,
): Promise<readonly string[]> {
  const { program, folder, home, temporary, writable } = confinement;
  await assertConfinable(confinement);
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const { outside, within } = await hiddenPlaces(confinement);
  const closed = [...outside, ...within].filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const kept = await existing(keptOfRun);
  const devices = (await namesIn('/dev')).filter((name) => devicePattern.test(name)).map((name) => `/dev/${name}`);
  const { pinned, readOnly } = await protect(folder, placed);
  const extra = (await existing(writable)).filter((path) => !isAtOrBelow(home, path) && path !== '/');
  return [
    program,
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ...['--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox'],
    ...['--seccomp', String(filterFd), '--json-status-fd', String(statusFd)],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...devices.flatMap((path) => ['--dev-bind-try', path, path]),
    ...['--tmpfs', '/run', ...kept.flatMap((path) => ['--ro-bind', path, path])],
    ...['/tmp', '/var/tmp'].flatMap((path) => ['--bind', temporary, path]),
    ...outside.flatMap(hide),
    ...extra.flatMap((path) => ['--bind', path, path]),
    // Whatever something is mounted on can't be moved away or removed.
    ...[folder, ...pinned].flatMap((path) => ['--bind', path, path]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...within.flatMap(hide),
    ...(network ? networkArguments(network, confinement) : []),
    // Root owns what is set in /proc, and needs no capability to set it.
    ...['/proc', '/run', ...closed].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', cwd, '--'],
  ];
}

function networkArguments(
  { socketFolder, script, node }: SandboxNetwork,
  { folder, home }: Confinement,
): readonly string[] {
  // What it is started with may be in a place that is gone inside, and may need what lies beside it.
  const around = dirname(node);
  const holdsMore = isAtOrBelow(folder, around) || isAtOrBelow(home, around);
  const program = holdsMore ? node : around;
  return [
    ...['--ro-bind', socketFolder, dirname(networkSocket), '--ro-bind', script, placeOfScript(script)],
    ...['--ro-bind', program, program],
  ];
}

function hide({ path, kind }: { readonly path: string; readonly kind: Kind }): readonly string[] {
  return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

/** Why nothing can be confined to this folder, as a sentence; undefined where it can. Does not look at the disk. */
export function confinementProblem({ folder, home, hidden }: Confinement): string | undefined {
  if (isAtOrBelow(home, folder)) {
    return `Nothing can be confined to ${folder}: it is or holds the home folder, with its keys. Open a folder below it.`;
  }
  const holder = hidden.find((path) => isAtOrBelow(path, folder) || path === folder);
  return holder === undefined
    ? undefined
    : `Nothing can be confined to ${folder}: it holds ${holder}, where the editor keeps sessions and secrets.`;
}

async function assertConfinable(confinement: Confinement): Promise<void> {
  const problem = confinementProblem(confinement);
  if (problem !== undefined) throw new ConfinementError(problem);
  for (const name of ['.git', '.vscode']) {
    if ((await kindOf(join(confinement.folder, name))) === 'link') {
      throw new ConfinementError(`${name} in the folder is a link, which can't be protected.`);
    }
  }
}

/** What of the folder stays as it is, and what stays where it is. */
async function protect(
  folder: string,
  placed: (path: string) => Promise<void>,
): Promise<{ readonly pinned: readonly string[]; readonly readOnly: readonly string[] }> {
  const { places, pinned, isBare } = await obeyedPlaces(folder);
  if (isBare) {
    throw new ConfinementError(
      `${folder} is the inside of a git repository, whose settings and hooks can't be protected.`,
    );
  }
  const stand = [...(await placeFolders(folder, placed)), ...(await placeFile(folder, placed))];
  const readOnly = [...new Set([...places, ...stand])];
  const around = stand.map((path) => dirname(path)).filter((path) => path !== folder);
  const isReadOnly = (path: string): boolean => readOnly.some((place) => isAtOrBelow(path, place));
  return { pinned: [...new Set([...pinned, ...around])].filter((path) => !isReadOnly(path)).sort(), readOnly };
}

/** Makes folders in place of what is missing. */
async function placeFolders(folder: string, placed: (path: string) => Promise<void>): Promise<readonly string[]> {
  const made: string[] = [];
  let mounted: ReadonlySet<string> | undefined;
  for (const path of obeyedNames.map((name) => join(folder, name))) {
    // `.github` is there in place of all that could be in it; as a link or a file there is nothing below it.
    if (made.some((other) => isAtOrBelow(path, other))) continue;
    if (dirname(path) !== folder && (await kindOf(dirname(path))) !== 'folder') continue;
    const kind = await kindOf(path);
    if (kind === 'absent') {
      await placed(path);
      await makeFolder(path);
      made.push(path);
    } else if (kind === 'folder' && (await namesIn(path)).length === 0) {
      mounted ??= await mountedSomewhere();
      // Another command's: whoever is the last one removes it.
      if (mounted.has(path)) await placed(path);
      made.push(path);
    }
  }
  return made;
}

/**
 * Without a repository in the folder git would take the folder itself for one that has HEAD, objects and refs, and would obey its
 * config. A file in place of one of them ends that. HEAD comes last: `git diff HEAD` in a folder of a larger repository is not
 * sure what is meant if there is a file of that name.
 */
async function placeFile(folder: string, placed: (path: string) => Promise<void>): Promise<readonly string[]> {
  const git = join(folder, '.git');
  if ((await kindOf(git)) === 'file' || (await namesIn(git)).length > 0) return [];
  const paths = ['refs', 'objects', 'HEAD'].map((name) => join(folder, name));
  for (const path of paths) {
    const isPlaced = await isPlaceholderFile(path);
    if (!isPlaced && (await kindOf(path)) !== 'absent') continue;
    await placed(path);
    if (!isPlaced) await makePlaceholderFile(path);
    return [path];
  }
  return [];
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

interface HiddenPlace {
  readonly path: string;
  readonly kind: Kind;
}

/** What has to be gone, outermost first; what lies in the folder comes after the folder itself. */
async function hiddenPlaces({
  folder,
  home,
  hidden,
}: Confinement): Promise<{ readonly outside: readonly HiddenPlace[]; readonly within: readonly HiddenPlace[] }> {
  const others = (await namesIn('/home')).map((name) => `/home/${name}`).filter((path) => !isAtOrBelow(home, path));
  const wanted = [...hidden, ...others, '/root', ...credentialPlaces(home), ...(await sockets())];
  // Those in the folder are the command's own.
  const pipes = (await namedPipes([dirname(folder), home])).filter((path) => !isAtOrBelow(path, folder));
  const found = new Map<string, Kind>();
  for (const path of [...wanted, ...pipes]) {
    const real = await realIfThere(path);
    if (real === undefined || real === folder || real === '/' || isAtOrBelow(home, real)) continue;
    // These are others inside anyway; what is bound into them later has to stay.
    if (['/tmp', '/var/tmp', '/run', '/dev', '/proc'].some((place) => isAtOrBelow(real, place))) continue;
    const kind = await kindOf(real);
    if (kind !== 'absent') found.set(real, kind);
  }
  const all = [...found].map(([path, kind]) => ({ path, kind })).sort((a, b) => (a.path < b.path ? -1 : 1));
  // Below what is gone there is nothing left to be hidden.
  const outermost = all.filter(
    ({ path }) => !all.some((other) => other.kind === 'folder' && other.path !== path && isAtOrBelow(path, other.path)),
  );
  return {
    outside: outermost.filter(({ path }) => !isAtOrBelow(path, folder)),
    within: outermost.filter(({ path }) => isAtOrBelow(path, folder)),
  };
}

/** Sockets of services on this machine that have a path: the network's namespace does not keep anybody from them. */
async function sockets(): Promise<readonly string[]> {
  try {
    const lines = (await readFile('/proc/net/unix', 'utf8')).split('\n');
    const paths = lines.map((line) => line.trim().split(/\s+/).slice(7).join(' '));
    return [...new Set(paths)].filter((path) => path.startsWith('/'));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(realIfThere));
  return real.filter((path) => path !== undefined);
}

async function kindOf(path: string): Promise<Kind> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return 'link';
    return found.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return 'absent';
  }
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

/** Whether `path` is `place` or lies below it. */
export function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(place.endsWith(sep) ? place : `${place}${sep}`);
}
