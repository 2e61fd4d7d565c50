// With which programs a rule may leave the arguments open, how many leading words it has to fix, and what may follow
// them: what the tables in `programs/` name. Every other program has rules for the exact command only.
import { fits, type Argument, type ArgumentTable } from './programs/argumentTable.ts';
import { basics, readsPipe } from './programs/basics.ts';
import { cargoVerbs, goVerbs } from './programs/compiled.ts';
import { gitVerbs } from './programs/git.ts';
import { javascript, tscBuild } from './programs/javascript.ts';
import { python, pythonModules } from './programs/python.ts';
import { areNumbers, packageScript } from './programs/scripts.ts';
import { isPathInside } from './insideFolder.ts';

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Run what their arguments, options or input say, change what later words mean, or do it as somebody else. Whatever
 * follows them is as free as a shell, so a rule can only be for the exact command.
 */
const exactOnly = setOf(
  [
    'sudo doas su pkexec runuser env xargs parallel nohup time timeout nice ionice chrt taskset setsid stdbuf unbuffer watch entr',
    'bash sh dash zsh fish ksh mksh csh tcsh ash busybox toybox rbash pwsh powershell cmd script expect screen tmux',
    'eval exec source . command builtin trap alias unalias export readonly declare typeset local set unset shopt enable hash',
    'cd pushd popd dirs read mapfile readarray getopts let printf test [ [[ umask ulimit wait bind complete compgen history fc jobs bg fg disown logout exit return break continue shift suspend times caller help type kill',
    'find fd fdfind awk gawk mawk nawk sed ed ex vi vim nvim view emacs nano less more most man tar gtar bsdtar zip unzip 7z rsync scp sftp ssh sshpass telnet nc ncat netcat socat curl wget ftp',
    'chroot unshare nsenter flock systemd-run systemctl service at batch crontab start-stop-daemon run-parts strace ltrace gdb lldb valgrind perf m4 make gmake cmake ninja bazel just task rake ant mvn gradle gradlew dotnet',
    'docker podman nerdctl kubectl helm vagrant ansible terraform npx bunx pnpx uvx pipx uv pip pip3 poetry pdm conda brew apt apt-get yum dnf pacman apk snap gem bundle composer',
    'sqlite3 psql mysql mariadb mongo mongosh redis-cli openssl gpg gh glab hg svn patch install ld ldconfig ld.so gcc g++ clang cc rg ag ack sort split shred dd mkfs mount umount rm rmdir mv cp ln chmod chown chgrp truncate tee',
    'osascript open xdg-open wsl code electron deno bun ts-node tsx dbus-send iptables',
  ].join(' '),
);
/** `[` cannot be written as a program anyway: it is a glob character. */
const interpreters =
  /^(python|pypy)[\d.]*$|^(node|nodejs|ruby|perl|php|lua|julia|rscript|tclsh|wish|guile|racket|swipl|octave|erl|elixir|iex|scala|kotlin|java|jshell|groovy|irb|ghci|runghc|ocaml|sbcl|clojure)[\d.]*$/;
const scriptFile = /^[\w@+./-]+\.(py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|jl|r)$/i;
const scriptName = /^[\w@+.:/-]*$/;

const changers = setOf(
  'cd pushd popd dirs export readonly declare typeset local set unset shopt alias unalias read mapfile readarray getopts let printf test eval exec source . : trap enable hash builtin command umask ulimit wait bind exit return break continue shift',
);

/** Whether a command may change what the commands after it mean: the folder, variables, functions, open files. */
export function changesShell(program: string): boolean {
  return changers.has(program);
}

/** A program whose arguments a rule may leave open. */
export interface OpenProgram {
  readonly kind: 'open';
  /** How many leading words the rule has to fix, the program among them. */
  readonly fixed: number;
  /** Whether these may follow. Undefined stands for a word that is not certain. */
  readonly takes: (following: readonly (Argument | undefined)[]) => boolean;
  /** What is piped into it is data, never a program. */
  readonly readsPipe: boolean;
  /** A script of which nothing is known: only numbers may follow, each for an option. */
  readonly isScript: boolean;
}

export type AnyArguments =
  | OpenProgram
  /** Nothing is known of it: a rule is for exactly its words. */
  | { readonly kind: 'exactly' }
  | { readonly kind: 'never' };

/** Whether "these words and what may follow them" can be a rule. `words`: the program and its first arguments. */
export function anyArguments(words: readonly string[]): AnyArguments {
  const [program = ''] = words;
  const name = baseName(program);
  const open = openBehindRunner(words) ?? openTool(words) ?? openPlain(words);
  if (open) return endsInOption(open, words) ? { kind: 'exactly' } : open;
  const known = interpreters.test(name) || verbs.has(name) || packageRunners.has(name);
  if (program === '' || known || exactOnly.has(name) || exactOnly.has(name.replace(/[\d.-]+$/, ''))) {
    return { kind: 'never' };
  }
  if (isScriptOfFolder(program)) return opened(1, areNumbers, { isScript: true });
  return { kind: 'exactly' };
}

/** Whether the last word is an option whose value would be the first word that is open: `eslint -c …`. */
function endsInOption({ fixed, takes, isScript }: OpenProgram, words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  if (isScript || words.length <= fixed || !/^-[^=]*$/.test(last)) return false;
  return !takes([{ text: last }]) && !takes(words.slice(fixed).map((text) => ({ text })));
}

function opened(
  fixed: number,
  takes: OpenProgram['takes'] | ArgumentTable,
  more: { readonly readsPipe?: boolean; readonly isScript?: boolean } = {},
): OpenProgram {
  return {
    kind: 'open',
    fixed,
    takes: typeof takes === 'function' ? takes : (following) => fits(takes, following),
    readsPipe: more.readsPipe ?? false,
    isScript: more.isScript ?? false,
  };
}

const verbs: ReadonlyMap<string, ReadonlyMap<string, ArgumentTable>> = new Map([
  ['git', gitVerbs],
  ['cargo', cargoVerbs],
  ['go', goVerbs],
]);
const packageRunners = setOf('npm pnpm yarn');

/** Programs that are found on the path: written as a bare name, in small letters. */
function openPlain(words: readonly string[]): OpenProgram | undefined {
  const [name = '', verb = '', script = ''] = words;
  const basic = basics.get(name);
  if (basic) return opened(1, basic, { readsPipe: readsPipe.has(name) });
  const table = verbs.get(name)?.get(verb);
  if (table) return opened(2, table);
  if (packageRunners.has(name)) {
    if (verb === 'test' || verb === 't') return opened(2, packageScript);
    const isScript = (verb === 'run' || verb === 'run-script') && isName(script);
    return isScript ? opened(3, packageScript) : undefined;
  }
  return interpreters.test(name) && isScriptFile(verb) ? opened(2, areNumbers, { isScript: true }) : undefined;
}

/** Folders of a project whose programs were installed for it. */
const binFolder = /^(?:\.\/)?(?:[\w@.-]+\/)*?(?:node_modules\/\.bin|\.?v?env\/(?:bin|Scripts))\/([^/]+)$/;
const pythonName = /^python(?:3(?:\.\d+)?)?$/;

/** Checkers and test runners, by a bare name or below a folder such as `node_modules/.bin`. */
function openTool(words: readonly string[]): OpenProgram | undefined {
  const [program = '', first = '', second = ''] = words;
  const isInside = program.includes('/') && isPathInside(program);
  const name = isInside ? binFolder.exec(program)?.[1] : program;
  if (name === undefined) return undefined;
  if (pythonName.test(name)) {
    const module = first === '-m' ? pythonModules.get(second) : undefined;
    if (module) return opened(3, module);
    return isScriptFile(first) ? opened(2, areNumbers, { isScript: true }) : undefined;
  }
  if (name === 'tsc' && (first === '-b' || first === '--build')) return opened(2, tscBuild);
  const table = javascript.get(name) ?? python.get(name);
  return table && opened(1, table);
}

/** They find a program among those of the project, and pass on all that follows its name. */
const runners = new Set(['uv run', 'poetry run', 'pdm run', 'pnpm exec']);

function openBehindRunner([runner = '', verb = '', ...words]: readonly string[]): OpenProgram | undefined {
  const [program = ''] = words;
  if (!runners.has(`${runner} ${verb}`) || program.includes('/')) return undefined;
  const inner = openTool(words);
  return inner && { ...inner, fixed: inner.fixed + 2 };
}

function isName(text: string): boolean {
  return text !== '' && !text.startsWith('-') && scriptName.test(text);
}

function isScriptFile(text: string): boolean {
  return scriptFile.test(text) && isPathInside(text);
}

/** The last part of a path, in small letters: a disk may find `SUDO` as well as `sudo`. */
function baseName(program: string): string {
  return program
    .slice(program.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.(exe|cmd|bat)$/, '');
}

function isScriptOfFolder(program: string): boolean {
  return program.includes('/') && isPathInside(program) && !binFolder.test(program);
}
