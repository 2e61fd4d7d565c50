// Every git that Ratchet starts by itself, only to look: found once by its absolute path, with a fixed environment, and with
// everything off by which a repository can make git run a program, ask the network or write.
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { looksLikeGitFolder, exists } from './gitFolders.ts';

export interface GitLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

/** Settings that no repository can change: options of the command line go before its own. */
const fixedOptions: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.pager=cat',
  'core.askPass=',
  'core.sshCommand=false',
  'core.gitProxy=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'status.submoduleSummary=false',
  'submodule.recurse=false',
];

/**
 * What git prints for arguments that only look. Undefined where there is no repository, no git, no answer in time, or a
 * repository that is not taken: one that lies open in a folder, or has settings that cannot be switched off.
 * @param args must not ask for submodules, which have settings of their own
 */
export async function askGit(
  folder: string,
  args: readonly string[],
  { timeoutMs, maxBytes }: GitLimits,
): Promise<string | undefined> {
  const git = await findGit(folder);
  if (git === undefined || !(await isPlainRepository(folder))) return undefined;
  const ask = async (options: readonly string[], asked: readonly string[]): Promise<string | undefined> => {
    try {
      const all = [...options.flatMap((option) => ['-c', option]), ...asked];
      const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxBytes } as const;
      const { stdout } = await run(git, all, {
        ...limits,
        cwd: folder,
        env: gitEnvironment(git),
        windowsHide: true,
        encoding: 'utf8',
      });
      return stdout;
    } catch (error) {
      // Not there, not a repository, too slow, too much: whoever asks goes without.
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  };
  const filters = filterNames(await ask(fixedOptions, ['config', '--list', '--name-only', '-z']));
  if (filters === undefined) return undefined;
  const off = filters.flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].map((setting) => `filter.${name}.${setting}`),
  );
  return ask([...fixedOptions, ...off], ['--no-pager', ...args]);
}

/** The filters that any configuration names; undefined when one has a name that an option cannot carry. */
function filterNames(settings: string | undefined): readonly string[] | undefined {
  if (settings === undefined) return undefined;
  const names = new Set<string>();
  for (const setting of settings.split('\0')) {
    const name = /^filter\.(.*)\.[^.]*$/s.exec(setting)?.[1];
    if (name === undefined) continue;
    if (/[=\n]/.test(name)) return undefined;
    names.add(name);
  }
  return [...names];
}

/** The repository that git would find from here is one with a `.git`, and not a folder that only looks like one. */
async function isPlainRepository(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    if (await exists(join(place, '.git'))) return true;
    if ((await looksLikeGitFolder(place)) || dirname(place) === place) return false;
  }
}

/**
 * Nothing of the editor's own environment but what git needs to start and to find the user's own settings. Those stay: what
 * counts as ignored or as a safe folder is the user's to say.
 */
function gitEnvironment(git: string): NodeJS.ProcessEnv {
  const kept = [
    'HOME',
    'XDG_CONFIG_HOME',
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'SystemRoot',
    'TEMP',
    'TMP',
    'TMPDIR',
  ];
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    PATH: dirname(git),
    LC_ALL: 'C',
    NoDefaultCurrentDirectoryInExePath: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_ATTR_NOSYSTEM: '1',
    // On Windows it says how line ends are kept, and only an administrator writes it.
    ...(!isWindows && { GIT_CONFIG_NOSYSTEM: '1' }),
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

let found: Promise<readonly string[]> | undefined;

/** The first git of the PATH that does not lie in the folder. */
async function findGit(folder: string): Promise<string | undefined> {
  found ??= candidates(process.env.PATH ?? process.env.Path ?? '');
  const root = await realpath(folder).catch(() => folder);
  return (await found).find((git) => !isInside(root, git));
}

/** Each git of the PATH, links followed: a relative or empty entry is whatever folder one stands in. */
async function candidates(path: string): Promise<readonly string[]> {
  const gits: string[] = [];
  for (const entry of path.split(delimiter)) {
    if (!isAbsolute(entry)) continue;
    const file = join(entry, isWindows ? 'git.exe' : 'git');
    try {
      await access(file, constants.X_OK);
      // Under its own name: some gits are one program that goes by what it is called.
      const [real, parent] = await Promise.all([realpath(file), realpath(entry)]);
      gits.push(...(parent === dirname(real) ? [real] : [join(parent, isWindows ? 'git.exe' : 'git')]));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
  return gits;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
