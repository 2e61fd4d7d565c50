// Test runners and checkers of JavaScript. Left out of the tables: whatever names a module, a configuration, a file to
// write, or another folder.
import { matching, number, oneOf, path, tableOf, text, type Accepts, type ArgumentTable } from './argumentTable.ts';

/** A first word that is a command of the program, and not a file. */
const but =
  (words: string, accepts: Accepts): Accepts =>
  (value) =>
    !words.split(' ').includes(value) && accepts(value);
const names = matching(/^\.?[\w,.-]+$/);
const shard = matching(/^\d+\/\d+$/);

const mocha = tableOf({
  flags:
    '-b --bail --no-bail -c --color --colors --no-color --no-colors --check-leaks --dry-run --exit --forbid-only --forbid-pending --full-trace --inline-diffs -i --invert --diff --no-diff -p --parallel --no-parallel --recursive -S --sort -A --async-only --allow-uncaught --fail-zero --list-files -h --help -V --version',
  values: [
    ['-t --timeout -s --slow -j --jobs --retries', number],
    ['-g --grep -f --fgrep', text],
    ['--extension', names],
    ['--ignore --exclude', path],
    ['-R --reporter', oneOf('dot spec list min nyan tap progress landing json doc')],
    ['-u --ui', oneOf('bdd tdd qunit exports')],
  ],
  words: [but('init inspect debug', path)],
  globs: true,
});

const jest = tableOf({
  flags:
    '-b --bail --ci --clearMocks --colors --no-color --coverage --no-coverage --detectOpenHandles --errorOnDeprecated -e --expand --forceExit -i --runInBand --json --listTests --logHeapUsage --no-cache --noStackTrace -o --onlyChanged -f --onlyFailures --passWithNoTests --resetMocks --restoreMocks --silent --showConfig --showSeed --verbose --no-verbose -u --updateSnapshot --useStderr --no-watchman --watchAll=false --watch=false --ci=false --coverage=false --verbose=false -v --version -h --help',
  values: [
    ['-w --maxWorkers --maxConcurrency --testTimeout --seed', number],
    ['-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns', text],
    ['--shard', shard],
  ],
  optional: [['--bail', number]],
  words: [text],
  globs: true,
});

const vitest = tableOf({
  flags:
    '--run --coverage --no-coverage --passWithNoTests --silent --hideSkippedTests -u --update --globals --isolate --no-isolate --no-file-parallelism --no-color --allowOnly --logHeapUsage --disable-console-intercept --watch=false --no-watch -v --version -h --help',
  values: [
    [
      '--bail --retry --testTimeout --hookTimeout --maxWorkers --minWorkers --maxConcurrency --slowTestThreshold',
      number,
    ],
    ['-t --testNamePattern', text],
    ['--reporter', oneOf('default verbose dot basic tap tap-flat json junit hanging-process github-actions')],
    ['--shard', shard],
  ],
  words: [but('init dev watch bench', text)],
  globs: true,
});

const tsc = tableOf({
  flags:
    '--noEmit --pretty --skipLibCheck --strict --listFiles --listFilesOnly --showConfig --traceResolution --extendedDiagnostics --diagnostics --noErrorTruncation --noUnusedLocals --noUnusedParameters --noImplicitAny --noFallthroughCasesInSwitch --exactOptionalPropertyTypes --allowJs --checkJs --esModuleInterop --resolveJsonModule --isolatedModules --explainFiles --incremental -v --version -h --help --all',
  values: [
    // Another project says itself where it writes: only that of the folder, which is taken anyway.
    ['-p --project', oneOf('. ./')],
    ['-t --target', oneOf('es5 es6 es2015 es2016 es2017 es2018 es2019 es2020 es2021 es2022 es2023 es2024 esnext')],
    ['--pretty', oneOf('true false')],
  ],
  words: [path],
  globs: true,
});

/** Without a path: the projects that the one of the folder names. */
export const tscBuild: ArgumentTable = tableOf({
  flags: '--force -f --dry --verbose -v --pretty',
});

const eslint = tableOf({
  flags:
    '--fix --fix-dry-run --quiet --color --no-color --cache --no-cache --no-inline-config --no-error-on-unmatched-pattern --pass-on-no-patterns --report-unused-disable-directives --exit-on-fatal-error --no-warn-ignored --no-ignore --stats --debug -v --version -h --help',
  values: [
    ['--max-warnings', number],
    ['--ext', names],
    ['--fix-type', oneOf('directive problem suggestion layout')],
    ['-f --format', oneOf('stylish json html')],
  ],
  words: [path],
  globs: true,
});

const prettier = tableOf({
  flags:
    '-c --check -w --write -l --list-different -u --ignore-unknown --no-color --no-editorconfig --no-semi --single-quote --jsx-single-quote --use-tabs --no-error-on-unmatched-pattern -v --version -h --help',
  values: [
    ['--print-width --tab-width', number],
    ['--log-level --loglevel', oneOf('silent error warn log debug')],
    [
      '--parser',
      oneOf(
        'babel babel-ts typescript flow acorn espree css scss less json json5 jsonc markdown mdx html vue yaml graphql',
      ),
    ],
    ['--trailing-comma', oneOf('all es5 none')],
    ['--end-of-line', oneOf('lf crlf cr auto')],
    ['--prose-wrap', oneOf('always never preserve')],
  ],
  words: [path],
  globs: true,
});

const stylelint = tableOf({
  flags:
    '--fix -q --quiet --allow-empty-input --aei --cache --color --no-color --report-needless-disables --rd --report-invalid-scope-disables --risd -v --version -h --help',
  values: [
    ['--max-warnings --mw', number],
    ['-f --formatter', oneOf('string compact json verbose tap unix github')],
  ],
  words: [path],
  globs: true,
});

export const javascript: ReadonlyMap<string, ArgumentTable> = new Map([
  ['mocha', mocha],
  ['jest', jest],
  ['vitest', vitest],
  ['tsc', tsc],
  ['eslint', eslint],
  ['prettier', prettier],
  ['stylelint', stylelint],
]);
