// Every git that Ratchet starts by itself, only to look: found once by its absolute path, with a fixed environment, and with
// everything off by which a repository can make git run a program, ask the network or write.
import { execFile } from 'node:child_process';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { exists, gitFoldersOf, looksLikeGitFolder } from './gitFolders.ts';
import { isAtOrBelow } from '../platform/realPath.ts';

export interface GitLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const run = promisify(execFile);
/** For the settings alone, which are a few small files: one that they include may be a pipe. */
const settingsMs = 2_000;
const patternFiles: readonly string[] = ['.git', '.gitignore', '.gitattributes'];
const filesOfGit: readonly string[] = [
  'HEAD',
  'config',
  'config.worktree',
  'index',
  'packed-refs',
  'info/attributes',
  'info/exclude',
];
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
  const place = await plainRepository(folder);
  if (git === undefined || place === undefined || (await isHeldUp(place, folder))) return undefined;
  const ask = async (
    options: readonly string[],
    asked: readonly string[],
    timeout = timeoutMs,
  ): Promise<string | undefined> => {
    try {
      const all = [...options.flatMap((option) => ['-c', option]), ...asked];
      const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: maxBytes } as const;
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
  const settings = settingsIn(await ask(fixedOptions, ['config', '--list', '-z'], Math.min(timeoutMs, settingsMs)));
  if (settings === undefined) return undefined;
  const filters = filterNames([...settings.keys()]);
  if (filters === undefined) return undefined;
  const off = [
    ...filters.flatMap((name) =>
      ['clean=', 'smudge=', 'process=', 'required=false'].map((setting) => `filter.${name}.${setting}`),
    ),
    ...(await endlessFiles(place, settings)),
  ];
  if (settings.has('core.worktree')) {
    // A repository may say that its files are elsewhere: nothing outside of the folder's own tree is looked at.
    const top = (await ask([...fixedOptions, ...off], ['rev-parse', '--show-toplevel']))?.replace(/\r?\n$/, '');
    const [real, tree] = await Promise.all([realpath(folder), top ? realpath(top) : undefined].map(orUndefined));
    if (real === undefined || tree === undefined || !isAtOrBelow(tree, real)) return undefined;
  }
  return ask([...fixedOptions, ...off], ['--no-pager', ...args]);
}

/** All settings as `config --list -z` writes them; of one that is set more than once, the last. */
function settingsIn(output: string | undefined): ReadonlyMap<string, string> | undefined {
  if (output === undefined) return undefined;
  const lines = output.split('\0').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const end = line.indexOf('\n');
      return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

/** The options that switch off the files of patterns which git would wait on, such as a named pipe. */
async function endlessFiles(place: string, settings: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const off = await Promise.all(
    ['core.excludesfile', 'core.attributesfile'].map(async (name) => {
      const value = settings.get(name) ?? '';
      if (value === '') return [];
      const path = value.startsWith('~/') ? join(homedir(), value.slice(2)) : resolve(place, value);
      const isKnown = !/^(?:~(?!\/)|%\(|:\()/.test(value);
      return isKnown && !(await isEndless(path)) ? [] : [`${name}=`];
    }),
  );
  return off.flat();
}

/** The filters that any configuration names; undefined when one has a name that an option cannot carry. */
function filterNames(settings: readonly string[]): readonly string[] | undefined {
  const names = new Set<string>();
  for (const setting of settings) {
    const name = /^filter\.(.*)\.[^.]*$/s.exec(setting)?.[1];
    if (name === undefined) continue;
    if (/[=\n]/.test(name)) return undefined;
    names.add(name);
  }
  return [...names];
}

/** Where the repository is that git would find from here, if it is one with a `.git` and not a folder that only looks like one. */
async function plainRepository(folder: string): Promise<string | undefined> {
  for (let place = folder; ; place = dirname(place)) {
    if (await exists(join(place, '.git'))) return place;
    if ((await looksLikeGitFolder(place)) || dirname(place) === place) return undefined;
  }
}

/** Whether one of the files that git reads first is a pipe or a device, which may never end. Deeper ones meet the time limit. */
async function isHeldUp(place: string, folder: string): Promise<boolean> {
  const around = [...new Set([place, folder])].flatMap((each) => patternFiles.map((name) => join(each, name)));
  const inGit = (await gitFoldersOf(place)).flatMap((each) => filesOfGit.map((name) => join(each, name)));
  return (await Promise.all([...around, ...inGit].map(isEndless))).includes(true);
}

async function isEndless(path: string): Promise<boolean> {
  const stats = await orUndefined(stat(path));
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Undefined where the system refuses. */
async function orUndefined<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
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
  return (await found).find((git) => !isAtOrBelow(root, git));
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
