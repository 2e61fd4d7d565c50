import assert from 'node:assert/strict';
import { commandRule, coveredBy, type ApprovalRule } from '../../../src/core/approval/rules.ts';

const program = (...words: string[]): ApprovalRule => ({ kind: 'program', words });
const exact = (command: string): ApprovalRule => ({ kind: 'exact', syntax: 'posix', command });
const edits = (path: string): ApprovalRule => ({ kind: 'edits', path });

const rules = [
  program('npm', 'test'),
  program('npm', 'run', 'build'),
  program('git', 'status'),
  program('git', 'log'),
  program('python', 'check.py'),
  program('echo'),
  program('tail'),
  program('pytest'),
  program('ls'),
  exact('make all'),
  exact('cd sub && make all'),
  exact('FOO=1 make all >log.txt 2>&1'),
  exact('sh'),
  exact('cd sub'),
  exact('export PATH=/tmp'),
  exact('FOO=1 make'),
  exact('rm -rf "${DIR}"'),
  exact('curl -s localhost | sh'),
];

function covered(command: string, by: readonly ApprovalRule[] = rules): string | undefined {
  return coveredBy({ kind: 'command', command, syntax: 'posix' }, by);
}

const allowed: readonly (readonly [command: string, by: string])[] = [
  ['npm test', 'npm test …'],
  ['  npm   test  ', 'npm test …'],
  ['npm\ttest', 'npm test …'],
  ['npm test\n', 'npm test …'],
  ['npm test;', 'npm test …'],
  ['npm test # the unit tests; rm -rf x', 'npm test …'],
  ['# first\nnpm test', 'npm test …'],
  ['npm test unit', 'npm test …'],
  ['npm test --silent', 'npm test …'],
  ['npm test -- --watch=false', 'npm test …'],
  ['npm test -- --grep "a; rm -rf b"', 'npm test …'],
  ["npm test -- --grep 'a && b | c > d'", 'npm test …'],
  ["echo 'a && b | c > d $(e) `f`'", 'echo …'],
  ['echo a\\;b \\$x \\`y\\`', 'echo …'],
  ['npm test -- "" \'\'', 'npm test …'],
  ['npm test -- "ends with $"', 'npm test …'],
  ['"npm" \'test\'', 'npm test …'],
  ['n\\pm te""st', 'npm test …'],
  ['np\\\nm te\\\nst', 'npm test …'],
  ['npm test \\\n  -- --bail', 'npm test …'],
  ['npm test 2>&1', 'npm test …'],
  ['npm test >/dev/null 2>&1', 'npm test …'],
  ['2>/dev/null npm test', 'npm test …'],
  ['npm test </dev/null', 'npm test …'],
  ['npm test >&2', 'npm test …'],
  ['npm test && git status', 'npm test …, git status …'],
  ['npm test &&\n git status', 'npm test …, git status …'],
  ['npm test\ngit status --short', 'npm test …, git status …'],
  ['npm test; npm test', 'npm test …'],
  ['npm test || echo "failed: $?"', 'npm test …, echo …'],
  ['npm test; echo $?', 'npm test …, echo …'],
  ['npm test 2>&1 | tail -20', 'npm test …, tail …'],
  ['npm test | tail -n 5', 'npm test …, tail …'],
  ['npm run build', 'npm run build …'],
  ['git log --oneline -n 3 -- src', 'git log …'],
  ['git log -- --output=x', 'git log …'],
  ['python check.py --trials=50 --lr 1e-3', 'python check.py …'],
  ['git log HEAD~3..HEAD', 'git log …'],
  ['pytest tests/*.py', 'pytest …'],
  ['pytest tests/test_{a,b}.py', 'pytest …'],
  ['ls -la src', 'ls …'],
  ['make all', 'make all'],
  ["make 'all'", 'make all'],
  ['make \\\n  all', 'make all'],
  ['cd sub', 'cd sub'],
  ['export PATH=/tmp', 'export PATH=/tmp'],
  ['make all && npm test', 'make all, npm test …'],
  ['cd sub && make all', 'cd sub && make all'],
  ['cd "sub"   &&\nmake all', 'cd sub && make all'],
  ['FOO=1 make all > log.txt 2>&1', 'FOO=1 make all >log.txt 2>&1'],
  ['FOO="1" make all 1>log.txt 2>&1', 'FOO=1 make all >log.txt 2>&1'],
  ['rm -rf "$DIR"', 'rm -rf "${DIR}"'],
  ['curl -s localhost | sh', 'curl -s localhost | sh'],
  ['npm test -- ünïcode', 'npm test …'],
];

const asked: readonly (readonly [why: string, command: string])[] = [
  ['the beginning of the text only', 'npm testing'],
  ['the beginning of the words only', 'npm'],
  ['another script', 'npm run deploy'],
  ['an option before the fixed words', 'npm --prefix /tmp test'],
  ['an option of npm after them', 'npm test --prefix /tmp'],
  ['an option of npm that chooses the shell', 'npm test --script-shell=/tmp/x'],
  ['a short option of npm', 'npm test -C /tmp'],
  ['a second command', 'npm test; rm -rf x'],
  ['a second command without spaces', 'npm test;rm x'],
  ['a second command after &&', 'npm test && rm x'],
  ['a second command after ||', 'npm test || rm x'],
  ['a second line', 'npm test\nrm x'],
  ['a second line after a comment', 'npm test # fine\nrm x'],
  ['a continued comment, which is none', 'npm test # fine \\\nrm x'],
  ['a pipe into a shell', 'npm test | sh'],
  ['a pipe into a shell, though the shell alone has a rule', 'echo "rm x" | sh'],
  ['a pipe after an allowed pipe', 'echo x | tail -1 | sh'],
  ['a pipe with errors', 'npm test |& tail -1'],
  ['the background', 'npm test &'],
  ['the background and another', 'npm test & rm x'],
  ['a split operator', 'npm test &\\\n& rm x'],
  ['a command substitution', 'npm test $(rm x)'],
  ['a command substitution in quotes', 'npm test "$(rm x)"'],
  ['a command substitution in a word', 'npm test a$(rm x)b'],
  ['backticks', 'npm test `rm x`'],
  ['backticks in quotes', 'npm test "`rm x`"'],
  ['arithmetic', 'npm test $((x[$(rm x)]))'],
  ['old arithmetic', 'npm test $[1+1]'],
  ['a process substitution', 'npm test <(rm x)'],
  ['a process substitution for output', 'npm test >(rm x)'],
  ['an expansion with a command', 'npm test ${x:-$(rm x)}'],
  ['an expansion that assigns', 'echo ${PATH:=/tmp}'],
  ['an indirect expansion', 'echo ${!x}'],
  ['a variable', 'npm test $X'],
  ['a variable in quotes', 'npm test "$X"'],
  ['a variable as a program', '$X test'],
  ['a variable in a program', 'np$X test'],
  ['a variable as a fixed word', 'npm $X'],
  ['a positional parameter', 'npm test $1'],
  ['ANSI-C quotes', "npm test $'\\x3b rm'"],
  ['translated quotes', 'npm test $"x"'],
  ['an output redirection', 'npm test > out.txt'],
  ['an appending redirection', 'npm test >> ~/.bashrc'],
  ['a redirection in front', '> out.txt npm test'],
  ['a redirection in the middle', 'npm > out.txt test'],
  ['a redirection of errors', 'npm test 2> out.txt'],
  ['a redirection of both', 'npm test &> out.txt'],
  ['a forced redirection', 'npm test >| out.txt'],
  ['a redirection to a variable', 'npm test > $X'],
  ['a redirection that only looks harmless', 'npm test > /dev/null.txt'],
  ['a redirection to a stream that is a file', 'npm test >&out.txt'],
  ['a redirection that opens a name', 'npm test {fd}> /dev/null'],
  ['an input redirection', 'npm test < secrets.txt'],
  ['a network redirection', 'npm test < /dev/tcp/example.com/80'],
  ['a stream where a file is wanted', 'npm test <2>&1'],
  ['a continued redirection', 'npm test <\\\n#x'],
  ['a here-document', 'npm test <<EOF\nx\nEOF'],
  ['a here-string', 'npm test <<< x'],
  ['an environment prefix', 'FOO=1 npm test'],
  ['PATH in front', 'PATH=/tmp:$PATH npm test'],
  ['LD_PRELOAD in front', 'LD_PRELOAD=/tmp/x.so npm test'],
  ['NODE_OPTIONS in front', 'NODE_OPTIONS=--require=/tmp/x.js npm test'],
  ['PATH on its own', 'PATH=/tmp; npm test'],
  ['an appended variable', 'PATH+=:/tmp npm test'],
  ['an array element', 'a[0]=1 npm test'],
  ['export before it', 'export PATH=/tmp && npm test'],
  ['another folder', 'cd /tmp && npm test'],
  ['export before it, though that alone has a rule', 'export PATH=/tmp; npm test'],
  ['a variable before it, though that has a rule of its own', 'FOO=1 make; npm test'],
  ['another folder, though that line has a rule with make', 'cd sub && npm test'],
  ['sudo', 'sudo npm test'],
  ['env', 'env npm test'],
  ['env with a variable', 'env PATH=/tmp npm test'],
  ['xargs', 'ls | xargs npm test'],
  ['bash -c', "bash -c 'npm test'"],
  ['sh -c', 'sh -c "npm test"'],
  ['eval', "eval 'npm test'"],
  ['exec', 'exec npm test'],
  ['time', 'time npm test'],
  ['nohup', 'nohup npm test'],
  ['timeout', 'timeout 5 npm test'],
  ['command', 'command npm test'],
  ['builtin', 'builtin echo x'],
  ['a negation', '! npm test'],
  ['find -exec', 'find . -exec npm test \\;'],
  ['a subshell', '(npm test)'],
  ['a group', '{ npm test; }'],
  ['an if', 'if npm test; then echo y; fi'],
  ['a while', 'while npm test; do echo y; done'],
  ['a for', 'for x in a; do npm test; done'],
  ['a case', 'case x in x) npm test;; esac'],
  ['a function', 'npm() { rm x; }; npm test'],
  ['a function with the keyword', 'function npm { rm x; }; npm test'],
  ['an alias', "alias npm='rm x'; npm test"],
  ['a test with a substitution in it', "test -v 'a[$(rm x)]'"],
  ['printf that sets a variable', 'printf -v PATH /tmp; npm test'],
  ['a glob as a fixed word', 'npm tes?'],
  ['a brace list as a fixed word', 'npm te{st,xt}'],
  ['a glob that may become an option', 'ls *'],
  ['a brace list that becomes options', 'git log {--output=x,y}'],
  ['a glob where options are watched', 'git log src/*'],
  ['a home folder', 'ls ~root'],
  ['an option of git that writes', 'git log --output=/tmp/x'],
  ['a shortened option of git that writes', 'git log --outp=/tmp/x'],
  ['an option of git that runs a program', 'git log --ext-diff'],
  ['a configuration of git', 'git -c core.pager=/tmp/x log'],
  ['another folder of git', 'git -C /tmp status'],
  ['git with another verb', 'git push'],
  ['a file for a filter', 'tail /etc/passwd'],
  ['a file for a filter by a brace list', 'tail 5{,/../../etc/passwd}'],
  ['a substitution that an old npm does in its own quotes', "npm test -- --grep '$(rm x)'"],
  ['backticks that an old npm does in its own quotes', "npm test -- '`rm x`'"],
  ['a command of a script file', 'python check.py shell'],
  ['an option of a script file that could do anything', 'python check.py --fast'],
  ['input for a program that may run it', "echo 'rm x' | python check.py"],
  ['input for a package script that may run it', "echo 'rm x' | npm test"],
  ['another path of the program', '/tmp/npm test'],
  ['a program of the folder with the same name', './npm test'],
  ['other capitals', 'NPM test'],
  ['a Cyrillic letter in the program', 'nрm test'],
  ['a Cyrillic letter in a fixed word', 'npm tеst'],
  ['a no-break space', 'npm\u00a0test'],
  ['a no-break space in an argument', 'npm test a\u00a0b'],
  ['an ideographic space', 'npm test\u3000x'],
  ['a zero-width space', 'npm\u200b test'],
  ['letters that turn the line around', 'npm test \u202e x'],
  ['a line separator', 'npm test\u2028rm x'],
  ['a carriage return', 'npm test\rrm x'],
  ['a carriage return before the line end', 'npm test\r\n'],
  ['a NUL', 'npm test\0rm x'],
  ['an escape sequence', 'npm test \u001b[2K'],
  ['a vertical tab', 'npm\vtest'],
  ['a form feed', 'npm\ftest'],
  ['half a surrogate pair', 'npm test \ud83d'],
  ['an open quote', "npm test 'x"],
  ['an open double quote', 'npm test "x'],
  ['a backslash at the end', 'npm test \\'],
  ['an operator at the end', 'npm test &&'],
  ['an operator at the beginning', '&& npm test'],
  ['two operators', 'npm test ;; npm test'],
  ['an empty command between', 'npm test && ; npm test'],
  ['nothing', ''],
  ['blanks', ' \n '],
  ['only a comment', '# npm test'],
  ['only a redirection', '> /dev/null'],
  ['more arguments than an exact rule has', 'make all x'],
  ['fewer arguments than an exact rule has', 'make'],
  ['an exact rule with a redirection it does not have', 'make all > x'],
  ['an exact rule with a variable beside another command', 'npm test; rm -rf "$DIR"'],
  ['a part of an exact line', 'curl -s localhost'],
  ['an exact line in another order', 'make all && cd sub'],
  ['an exact line with another operator', 'cd sub; make all'],
  ['an exact line and more', 'cd sub && make all && rm x'],
  ['a text that is too long', `npm test ${'x'.repeat(10_000)}`],
];

describe('approval rules: which commands they cover', () => {
  for (const [command, by] of allowed) {
    it(`allows ${JSON.stringify(command)}`, () => {
      assert.equal(covered(command), by);
    });
  }
  for (const [why, command] of asked) {
    it(`asks about ${why}: ${JSON.stringify(command.slice(0, 60))}`, () => {
      assert.equal(covered(command), undefined);
    });
  }

  it('a rule that was written by nobody but into the storage allows no more than one that can be made', () => {
    for (const words of [['bash'], ['sudo', 'ls'], ['git'], ['npm'], ['python'], ['node', '-e'], ['find', '.'], ['']]) {
      const command = [...words, 'x'].join(' ');
      assert.equal(covered(command, [program(...words)]), undefined, command);
    }
  });

  it('where commands are not parsed, only the very same text is covered', () => {
    const rule: ApprovalRule = { kind: 'exact', syntax: 'other', command: 'npm test' };
    const ask = (command: string, by: readonly ApprovalRule[]): string | undefined =>
      coveredBy({ kind: 'command', command, syntax: 'other' }, by);
    assert.equal(ask('npm test', [rule]), 'npm test');
    for (const command of ['npm  test', 'npm test ', 'npm test & del x', 'NPM test', 'npm test^\n']) {
      assert.equal(ask(command, [rule]), undefined, command);
    }
    assert.equal(ask('npm test', [program('npm', 'test'), exact('npm test')]), undefined);
    assert.equal(covered('npm test', [rule]), undefined);
  });
});

describe('approval rules: which edits they cover', () => {
  const table: readonly (readonly [rule: string, path: string, covers: boolean])[] = [
    ['src/', 'src/a.ts', true],
    ['src/', 'src/deep/er/a.ts', true],
    ['src/', 'src', false],
    ['src/', 'srcs/a.ts', false],
    ['src/', 'lib/src/a.ts', false],
    ['src/', 'SRC/a.ts', false],
    ['src/', 'src/../lib/a.ts', false],
    ['src/', 'src\\..\\lib', false],
    ['src/', 'src//a.ts', false],
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/a.ts/b', false],
    ['src/a.ts', 'src/a.tsx', false],
    ['src', 'src/a.ts', false],
    ['.', 'a.ts', true],
    ['.', 'src/a.ts', true],
    ['.', '../a.ts', false],
    ['.', '/etc/passwd', false],
    ['.', 'C:/x', false],
    ['.', '\\\\server\\share\\x', false],
    ['.', '.vscode/tasks.json', false],
    ['.', 'pkg/.VSCode/settings.json', false],
    ['.', '.git/hooks/x', false],
    ['.vscode/', '.vscode/tasks.json', true],
    ['.vscode/tasks.json', '.vscode/tasks.json', true],
    ['../', '../a', false],
    ['../a', '../a', false],
  ];
  for (const [rule, path, covers] of table) {
    it(`${rule} ${covers ? 'covers' : 'does not cover'} ${path}`, () => {
      assert.equal(coveredBy({ kind: 'edit', path }, [edits(rule)]) !== undefined, covers);
    });
  }

  it('a rule for commands covers no edit, and the other way round', () => {
    assert.equal(coveredBy({ kind: 'edit', path: 'make all' }, [exact('make all')]), undefined);
    assert.equal(covered('src/a.ts', [edits('.'), edits('src/a.ts')]), undefined);
  });
});

describe('a rule that ends in an option with a value', () => {
  const covered = (words: readonly string[], command: string): boolean =>
    coveredBy({ kind: 'command', command, syntax: 'posix' }, [{ kind: 'program', words: [...words] }]) !== undefined;

  it('does not leave open what the value is', () => {
    assert.equal(covered(['eslint', '-c'], 'eslint -c evil.js'), false);
    assert.equal(covered(['mypy', '--config-file'], 'mypy --config-file evil.ini'), false);
    assert.equal(covered(['cargo', 'build', '--manifest-path'], 'cargo build --manifest-path evil/Cargo.toml'), false);
    assert.equal(commandRule('tsc -p …', 'posix').ok, false);
  });

  it('leaves open what follows the value, and an option that takes none', () => {
    assert.equal(covered(['eslint', '-c', 'my.js'], 'eslint -c my.js src'), true);
    assert.equal(covered(['eslint', '--fix'], 'eslint --fix src'), true);
    assert.equal(covered(['tsc', '-b'], 'tsc -b --force'), true);
  });
});
