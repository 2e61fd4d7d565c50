// The commands of git that look, and `add`. Left out of the tables: whatever writes a file, starts a program, reads a
// list from a file, or compares what is not in the repository.
import { matching, number, oneOf, path, revision, tableOf, text, type ArgumentTable } from './argumentTable.ts';

const colors = oneOf('always never auto');
const letters = matching(/^[A-Za-z*]+$/);
const dates = oneOf('relative local iso iso8601 iso-strict rfc short raw human unix default');

const listing =
  '--oneline --graph --all --no-merges --merges --first-parent --reverse --follow --abbrev-commit --no-abbrev-commit --branches --tags --remotes --no-decorate --left-right --cherry-pick --boundary --topo-order --date-order --full-history --simplify-merges --no-notes --parents --children --walk-reflogs -g --source --relative-date';
const patches =
  '-p -u --patch -s --no-patch --stat --shortstat --numstat --dirstat --summary --name-only --name-status --raw --check --no-color --no-ext-diff --no-textconv --no-renames --minimal --patience --histogram -w -b --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol -W --function-context --full-index -z -R -a --text --pickaxe-all --pickaxe-regex --no-prefix --compact-summary --cc -c -m';
const patchOptional = [
  ['--color', colors],
  ['--word-diff', oneOf('plain color porcelain none')],
  ['--color-moved', oneOf('no default plain blocks zebra dimmed-zebra')],
  ['--stat --abbrev -M -C --find-renames --find-copies', matching(/^[\d,]+%?$/)],
  ['--submodule', oneOf('short log diff')],
] as const;
const patchValues = [
  ['-U --unified --inter-hunk-context', number],
  ['--diff-filter', letters],
  ['--diff-algorithm', oneOf('default myers minimal patience histogram')],
  ['-S -G', text],
] as const;
const which = [
  ['-n --max-count --skip --min-parents --max-parents', number],
  ['--since --until --after --before --author --committer --grep', text],
  ['--date', dates],
] as const;

const log = tableOf({
  flags: `${listing} ${patches} -i --regexp-ignore-case -E -F --invert-grep --all-match`,
  values: [...which, ...patchValues, ['--format', text]],
  optional: [...patchOptional, ['--pretty', text], ['--decorate', oneOf('short full auto no')]],
  words: [revision],
  joins: true,
  bareNumber: true,
});

const show = tableOf({
  flags: `${patches} --oneline --abbrev-commit --no-notes`,
  values: [...patchValues, ['--format', text], ['--date', dates]],
  optional: [...patchOptional, ['--pretty', text], ['--decorate', oneOf('short full auto no')]],
  words: [revision],
  joins: true,
});

const diff = tableOf({
  flags: `${patches} --cached --staged --merge-base --exit-code --quiet -q`,
  values: patchValues,
  optional: patchOptional,
  words: [revision],
  joins: true,
});

const status = tableOf({
  flags:
    '-s --short -b --branch --show-stash --ahead-behind --no-ahead-behind --long --ignored --no-renames --renames -z -v --verbose --no-column',
  optional: [
    ['--porcelain', oneOf('v1 v2 1 2')],
    ['-u --untracked-files', oneOf('no normal all')],
    ['--ignored', oneOf('traditional no matching')],
    ['--ignore-submodules', oneOf('none untracked dirty all')],
  ],
  words: [path],
  joins: true,
});

const revParse = tableOf({
  flags:
    '--show-toplevel --verify --is-inside-work-tree --is-inside-git-dir --is-bare-repository --git-dir --absolute-git-dir --git-common-dir --show-prefix --show-cdup -q --quiet --symbolic --symbolic-full-name --all --branches --tags --remotes --show-superproject-working-tree --is-shallow-repository',
  optional: [
    ['--abbrev-ref', oneOf('strict loose')],
    ['--short', number],
  ],
  words: [revision],
});

const lsFiles = tableOf({
  flags:
    '-c -d -m -o -s -u -k -i -t -v -z --cached --deleted --modified --others --stage --unmerged --killed --ignored --exclude-standard --error-unmatch --full-name --directory --no-empty-directory --deduplicate --eol',
  values: [['-x --exclude', path]],
  words: [path],
  joins: true,
});

const blame = tableOf({
  flags:
    '-w -l -t -e -s -f -n -c -b --show-email --show-name --show-number --line-porcelain --porcelain -p --incremental --root --first-parent',
  values: [
    ['-L', matching(/^\d+(?:,[+-]?\d+)?$/)],
    ['--since', text],
    ['--date', dates],
  ],
  optional: [
    ['-M -C', number],
    ['--abbrev', number],
  ],
  words: [revision],
  joins: true,
});

const describe = tableOf({
  flags: '--tags --all --always --long --exact-match --contains --first-parent',
  values: [
    ['--candidates --abbrev', number],
    ['--match --exclude', path],
  ],
  optional: [['--dirty --broken', matching(/^[\w.+-]+$/)]],
  words: [revision],
  joins: true,
});

const shortlog = tableOf({
  flags: '-s -n -e -c --summary --numbered --email --committer --all --no-merges --merges --first-parent',
  values: which,
  words: [revision],
  joins: true,
});

const add = tableOf({
  flags:
    '-A --all -u --update -v --verbose -n --dry-run -N --intent-to-add --no-all --refresh --ignore-errors --ignore-removal',
  words: [path],
  joins: true,
});

/** By their verb. */
export const gitVerbs: ReadonlyMap<string, ArgumentTable> = new Map([
  ['status', status],
  ['log', log],
  ['show', show],
  ['diff', diff],
  ['rev-parse', revParse],
  ['ls-files', lsFiles],
  ['blame', blame],
  ['describe', describe],
  ['shortlog', shortlog],
  ['add', add],
]);
