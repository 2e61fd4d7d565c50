// What is known about programs: with which of them "any further arguments" is a fair thing to allow, how many leading
// words it takes, and which arguments are never among the "any". In doubt a rule is for the exact command only.

interface Program {
  /** How many leading words (the program's name among them) have to be fixed; undefined: only the exact command. */
  readonly fixed: (words: readonly string[]) => number | undefined;
  /** Arguments, after the fixed words, that are not among "any arguments": they choose what is run or written. */
  readonly refuses?: (argument: string) => boolean;
  /** Words after `--` are no options of the program itself. */
  readonly freeAfterDashes?: true;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Take any argument by themselves: they print, list, check or run the tests of the folder. */
const openPrograms = setOf(
  'echo pwd true false ls pytest jest vitest mocha tsc eslint stylelint prettier ruff mypy pyright black flake8 isort',
);
/** Only with options, so that they read what is piped to them and no file. */
const filters = setOf('head tail wc');

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
const testModules = setOf('pytest unittest mypy ruff black flake8 isort pylint compileall');
const scriptName = /^[\w@+.:/-]*$/;

const changers = setOf(
  'cd pushd popd dirs export readonly declare typeset local set unset shopt alias unalias read mapfile readarray getopts let printf test eval exec source . : trap enable hash builtin command umask ulimit wait bind exit return break continue shift',
);

/** Whether a command may change what the commands after it mean: the folder, variables, functions, open files. */
export function changesShell(program: string): boolean {
  return changers.has(program);
}

/** Npm and the like read their own options anywhere before `--`; some of them choose the shell or another folder. */
const packageScripts: Program = {
  fixed: ([, verb = '', name = '']) => {
    if (verb === 'test' || verb === 't') return 2;
    return (verb === 'run' || verb === 'run-script') && isName(name) ? 3 : undefined;
  },
  refuses: (argument) => argument.startsWith('-') && !['--silent', '-s', '--if-present'].includes(argument),
  freeAfterDashes: true,
};

const gitLookers = setOf('status log diff show rev-parse ls-files blame describe shortlog add');
/** Git takes any beginning of a long option that is its only one. */
const gitOptions =
  'output output-directory ext-diff textconv exec upload-pack receive-pack open-files-in-pager config config-env no-index contents pathspec-from-file'.split(
    ' ',
  );
const git: Program = {
  fixed: ([, verb = '']) => (gitLookers.has(verb) ? 2 : undefined),
  refuses: (argument) => {
    if (/^-[OcCx]/.test(argument)) return true;
    const name = /^--([^=]+)/.exec(argument)?.[1];
    return name !== undefined && gitOptions.some((option) => option.startsWith(name));
  },
  freeAfterDashes: true,
};

const cargo: Program = {
  fixed: ([, verb = '']) => (setOf('build check test clippy fmt doc bench').has(verb) ? 2 : undefined),
  refuses: (argument) => /^(--config|--manifest-path|--target-dir|--artifact-dir|--out-dir|-Z|-C)/.test(argument),
  freeAfterDashes: true,
};

const go: Program = {
  fixed: ([, verb = '']) => (setOf('build test vet fmt').has(verb) ? 2 : undefined),
  refuses: (argument) =>
    /^--?(exec|toolexec|o|overlay|modfile|modcacherw|C|vettool|ldflags|gcflags|asmflags|gccgoflags|compiler|pkgdir|outputdir)(=|$)/.test(
      argument,
    ),
};

const filter: Program = {
  fixed: () => 1,
  refuses: (argument) => !/^(-[A-Za-z]?\d*|\d+)$/.test(argument),
};

const interpreter: Program = {
  fixed: ([, first = '', second = '']) => {
    if (first === '-m') return testModules.has(second) ? 3 : undefined;
    return scriptFile.test(first) && !first.startsWith('-') ? 2 : undefined;
  },
};

function isName(text: string): boolean {
  return text !== '' && !text.startsWith('-') && scriptName.test(text);
}

const known: ReadonlyMap<string, Program> = new Map([
  ['git', git],
  ['cargo', cargo],
  ['go', go],
  ...['npm', 'pnpm', 'yarn'].map((name) => [name, packageScripts] as const),
  ...[...filters].map((name) => [name, filter] as const),
]);

/** The last part of a path, in small letters: a disk may find `SUDO` as well as `sudo`. */
function baseName(program: string): string {
  return program
    .slice(program.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.(exe|cmd|bat)$/, '');
}

export type AnyArguments =
  /** Offered by itself. `fixed`: how many leading words the rule needs. */
  | { readonly kind: 'usual'; readonly fixed: number }
  /** Not offered, but a user may write such a rule. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' };

/** Whether "these words with any further arguments" can be a rule. `words`: the program and its first arguments. */
export function anyArguments(words: readonly string[]): AnyArguments {
  const [program = ''] = words;
  const name = baseName(program);
  if (program === '' || exactOnly.has(name) || exactOnly.has(name.replace(/[\d.-]+$/, ''))) {
    return { kind: 'never' };
  }
  const policy = policyOf(program);
  if (policy) {
    const fixed = policy.fixed(words);
    return fixed === undefined ? { kind: 'never' } : { kind: 'usual', fixed };
  }
  if (openPrograms.has(program) || isScriptOfFolder(program)) return { kind: 'usual', fixed: 1 };
  return { kind: 'unknown' };
}

function policyOf(program: string): Program | undefined {
  const name = baseName(program);
  return interpreters.test(name) ? interpreter : known.get(name);
}

function isScriptOfFolder(program: string): boolean {
  return program.includes('/') && !program.startsWith('/') && !program.split('/').includes('..');
}

/**
 * Whether these are among the "any further arguments" of a rule that fixes the words before them.
 * @param following the arguments; undefined for one that the shell makes, such as a glob
 */
export function mayFollow(program: string, following: readonly (string | undefined)[]): boolean {
  const policy = policyOf(program);
  if (!policy?.refuses) return true;
  const dashes = policy.freeAfterDashes ? following.indexOf('--') : -1;
  const own = dashes < 0 ? following : following.slice(0, dashes);
  return !own.some((argument) => argument === undefined || policy.refuses?.(argument));
}
