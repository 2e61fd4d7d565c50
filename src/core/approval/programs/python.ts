// Test runners and checkers of Python. Left out of the tables: whatever names a module to load, a configuration, an
// interpreter, a file to write, or another folder.
import { matching, number, oneOf, path, tableOf, text, type Accepts, type ArgumentTable } from './argumentTable.ts';

const codes = matching(/^[A-Za-z0-9_,:* -]+$/);
const names = matching(/^[A-Za-z_][\w.]*$/);
const version = matching(/^\d+(?:\.\d+)?$/);
const targets = matching(/^py\d{2,3}$/);
const switchWords = oneOf('auto yes no always never');

/**
 * Names with `and`, `or`, `not` and brackets around them. Pytest before 5.4 evaluates it as Python: no calls, no strings,
 * no names of its own.
 */
const expression: Accepts = (value) =>
  /^[\w\s().[\]:,-]*$/.test(value) && !value.includes('__') && !/(?<!(?:^|\(|\b(?:and|or|not))\s*)\(/.test(value);

const pytest = tableOf({
  flags:
    '-q --quiet -v --verbose -x --exitfirst -s -l --showlocals --no-showlocals --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --stepwise-skip --co --collect-only --no-header --no-summary --disable-warnings --disable-pytest-warnings --strict-markers --strict-config --markers --fixtures --setup-show --setup-only --setup-plan --full-trace --runxfail --doctest-modules --no-cov -V --version -h --help',
  values: [
    ['--maxfail --durations --durations-min --timeout --verbosity --count', number],
    ['-n --numprocesses', (value) => number(value) || oneOf('auto logical')(value)],
    ['-k -m', expression],
    ['--deselect', text],
    ['--ignore', path],
    ['-r', matching(/^[A-Za-z]+$/)],
    ['--tb', oneOf('auto long short line native no')],
    ['--color', switchWords],
    ['--code-highlight', oneOf('yes no')],
    ['--capture', oneOf('fd sys no tee-sys')],
    ['--import-mode', oneOf('prepend append importlib')],
    ['--show-capture', oneOf('no stdout stderr log all')],
    ['--log-level --log-cli-level', matching(/^(?:debug|info|warning|error|critical|\d+)$/i)],
    ['--dist', oneOf('each load loadscope loadfile loadgroup worksteal no')],
    ['--cov-report', oneOf('term term-missing term:skip-covered term-missing:skip-covered')],
  ],
  optional: [['--cov', path]],
  words: [path],
  globs: true,
  joins: true,
});

const suiteName = matching(/^(?:tests|test_\w+)(?:\.\w+)*$/);
const unittest = tableOf({
  flags: '-v --verbose -q --quiet -f --failfast -b --buffer --locals -h --help',
  values: [
    ['-k', text],
    ['-p --pattern', matching(/^[\w*?.[\]-]+\.py$/)],
    ['-s --start-directory -t --top-level-directory', path],
    ['--durations', number],
  ],
  // Any other dotted name is looked up in all that is installed, and called.
  words: [(value) => value === 'discover' || suiteName(value) || (path(value) && /\/.*\.py$/.test(value))],
  globs: true,
});

const ruff = tableOf({
  flags:
    '--fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --diff --check -q --quiet -v --verbose -s --silent -n --no-cache --preview --no-preview --statistics -e --exit-zero --exit-non-zero-on-fix --isolated --force-exclude --respect-gitignore --show-files --all -V --version -h --help',
  values: [
    ['--select --ignore --extend-select --extend-ignore --fixable --unfixable', codes],
    ['--line-length', number],
    ['--target-version', targets],
    ['--exclude --extend-exclude', path],
    ['--output-format', oneOf('concise full json json-lines junit grouped github gitlab pylint sarif text')],
  ],
  words: [oneOf('check format rule linter version'), path],
  globs: true,
  joins: true,
});

const mypy = tableOf({
  flags:
    '--strict --pretty --show-error-codes --hide-error-codes --show-error-context --show-column-numbers --show-error-end --no-error-summary --ignore-missing-imports --check-untyped-defs --disallow-untyped-defs --disallow-untyped-calls --disallow-any-generics --no-implicit-optional --no-incremental --warn-unused-ignores --warn-unreachable --warn-redundant-casts --warn-return-any --namespace-packages --explicit-package-bases --no-color-output --strict-equality -v --verbose -V --version -h --help',
  values: [
    ['-p --package -m --module', names],
    ['--python-version', version],
    ['--platform', oneOf('linux darwin win32')],
    ['--follow-imports', oneOf('normal silent skip error')],
    ['--enable-error-code --disable-error-code', codes],
    ['--exclude', text],
    ['-O --output', oneOf('json')],
  ],
  words: [path],
  globs: true,
});

const pyright = tableOf({
  flags: '--stats --verbose --outputjson --warnings --skipunannotated --version -h --help',
  values: [
    ['--level', oneOf('error warning information')],
    ['--pythonversion', version],
    ['--pythonplatform', oneOf('Linux Darwin Windows All')],
    ['--threads', number],
  ],
  words: [path],
  globs: true,
});

const black = tableOf({
  flags:
    '--check --diff --color --no-color -q --quiet -v --verbose --fast --safe --preview --unstable -S --skip-string-normalization -C --skip-magic-trailing-comma --pyi --ipynb --no-cache --version -h --help',
  values: [
    ['-l --line-length -W --workers', number],
    ['-t --target-version', targets],
    ['--exclude --extend-exclude --include --force-exclude', text],
  ],
  words: [path],
  globs: true,
  joins: true,
});

const flake8 = tableOf({
  flags:
    '--count --statistics --show-source --no-show-source -q --quiet -v --verbose --exit-zero --benchmark --doctests --version -h --help',
  values: [
    ['--max-line-length --max-doc-length --max-complexity --indent-size', number],
    ['-j --jobs', (value) => number(value) || value === 'auto'],
    ['--select --ignore --extend-ignore --extend-select', codes],
    ['--exclude --extend-exclude --filename', path],
    ['--format', oneOf('default pylint quiet-filename quiet-nothing')],
    ['--color', switchWords],
  ],
  words: [path],
  globs: true,
});

const isort = tableOf({
  flags:
    '-c --check --check-only --diff --df --color -q --quiet -v --verbose --atomic --show-files --float-to-top --ca --combine-as --gitignore --skip-gitignore --vn --version-number --version -h --help',
  values: [
    ['--profile', oneOf('black django pycharm google open_stack plone attrs hug wemake appnexus')],
    ['-l --line-length --lines-after-imports -m --multi-line', number],
    ['-s --skip', path],
    ['-j --jobs', number],
  ],
  words: [path],
  globs: true,
});

const pylint = tableOf({
  flags: '-E --errors-only -v --verbose --recursive=y --recursive=yes --version -h --help',
  values: [
    ['--disable --enable', codes],
    ['-j --jobs --fail-under --max-line-length', number],
    ['-f --output-format', oneOf('text parseable colorized json json2 msvs')],
    ['-r --reports -s --score', oneOf('y n yes no')],
    ['--ignore', path],
  ],
  words: [path],
  globs: true,
});

export const python: ReadonlyMap<string, ArgumentTable> = new Map([
  ['pytest', pytest],
  ['ruff', ruff],
  ['mypy', mypy],
  ['pyright', pyright],
  ['black', black],
  ['flake8', flake8],
  ['isort', isort],
]);

/** What `python -m` may be followed by. `compileall` is none: without a path it writes into every installed package. */
export const pythonModules: ReadonlyMap<string, ArgumentTable> = new Map([
  ...[...python].filter(([name]) => name !== 'pyright'),
  ['unittest', unittest],
  ['pylint', pylint],
]);
