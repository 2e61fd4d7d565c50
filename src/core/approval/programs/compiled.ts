// Cargo and go. Left out of the tables: whatever names a linker, a wrapper, a tool, a configuration, another manifest or
// a file to write.
import { matching, number, oneOf, path, tableOf, text, type ArgumentTable } from './argumentTable.ts';

const crateNames = matching(/^[\w@.,:/+*-]+$/);
const colors = oneOf('auto always never');
const names = (value: string): boolean => crateNames(value) && text(value);

const cargoFlags =
  '-r --release --workspace --all --all-targets --all-features --no-default-features --lib --bins --tests --examples --benches --locked --offline --frozen --keep-going -q --quiet -v --verbose -vv --ignore-rust-version -h --help';
const cargoValues = [
  ['-p --package --bin --test --example --bench --exclude -F --features --profile', names],
  ['-j --jobs', number],
  ['--message-format', oneOf('human short json')],
  ['--color', colors],
  // A triple: a file would describe a target, with a linker of its own.
  ['--target', matching(/^[a-z0-9_]+(?:-[a-z0-9_]+){1,3}$/)],
] as const;

const harness = tableOf({
  flags: '--nocapture --no-capture --ignored --include-ignored --list --exact --show-output -q --quiet --test',
  values: [
    ['--test-threads', number],
    ['--skip', text],
    ['--format', oneOf('pretty terse')],
    ['--color', colors],
  ],
  words: [text],
});

const lints = tableOf({
  values: [['-D -W -A -F --deny --warn --allow --forbid', matching(/^[a-z][\w:-]*$/)]],
  joins: true,
});

/** By their verb. */
export const cargoVerbs: ReadonlyMap<string, ArgumentTable> = new Map([
  ['build', tableOf({ flags: cargoFlags, values: cargoValues, joins: true })],
  ['check', tableOf({ flags: cargoFlags, values: cargoValues, joins: true })],
  ['doc', tableOf({ flags: `${cargoFlags} --no-deps --document-private-items`, values: cargoValues, joins: true })],
  [
    'clippy',
    tableOf({
      flags: `${cargoFlags} --fix --allow-dirty --allow-staged --no-deps`,
      values: cargoValues,
      joins: true,
      passed: lints,
    }),
  ],
  [
    'test',
    tableOf({
      flags: `${cargoFlags} --doc --no-run --no-fail-fast`,
      values: cargoValues,
      words: [names],
      most: 1,
      joins: true,
      passed: harness,
    }),
  ],
  [
    'bench',
    tableOf({
      flags: `${cargoFlags} --no-run --no-fail-fast`,
      values: cargoValues,
      words: [names],
      most: 1,
      joins: true,
      passed: harness,
    }),
  ],
  [
    'fmt',
    tableOf({
      flags: '--all --check -q --quiet -v --verbose -h --help',
      values: [['-p --package', names]],
      passed: tableOf({ flags: '--check -l -v -q', values: [['--color', colors]] }),
    }),
  ],
]);

/** `./...`, a folder, an import path; no version, which would be fetched. */
const packages = (value: string): boolean => path(value) && !value.includes('@');
const goFlags = '-v -x -n -a -race -msan -asan -trimpath -cover -work';
const goValues = [
  ['-p', number],
  ['-tags', matching(/^[\w,.!-]+$/)],
  ['-mod', oneOf('readonly vendor')],
  ['-covermode', oneOf('set count atomic')],
  ['-coverpkg', packages],
] as const;

/** By their verb. */
export const goVerbs: ReadonlyMap<string, ArgumentTable> = new Map([
  ['build', tableOf({ flags: goFlags, values: goValues, words: [packages] })],
  [
    'test',
    tableOf({
      flags: `${goFlags} -short -failfast -json -benchmem -fullpath`,
      values: [
        ...goValues,
        ['-run -bench -skip -list -fuzz', text],
        ['-count -parallel', number],
        ['-cpu', matching(/^\d+(?:,\d+)*$/)],
        ['-timeout -fuzztime', number],
        ['-benchtime', matching(/^\d+(?:\.\d+)?(?:ms|s|m|h|x)$/)],
        ['-shuffle', matching(/^(?:on|off|\d+)$/)],
        ['-vet', oneOf('off')],
        ['-coverprofile', (value) => path(value) && /^[\w./-]+\.(?:out|cov|coverprofile)$/.test(value)],
      ],
      words: [packages],
    }),
  ],
  ['vet', tableOf({ flags: '-v -x -n -json', values: [['-tags', matching(/^[\w,.!-]+$/)]], words: [packages] })],
  ['fmt', tableOf({ flags: '-n -x', words: [packages] })],
]);
