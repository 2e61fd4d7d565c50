import assert from 'node:assert/strict';
import { proposeRules } from '../../../src/core/approval/proposals.ts';
import { commandRule, coveredBy, editsRule, ruleText, type Asked } from '../../../src/core/approval/rules.ts';
import { alwaysView } from '../../../src/projection/approvalView.ts';

function offered(asked: Asked): readonly string[] {
  const proposal = proposeRules(asked);
  return proposal.kind === 'choices' ? proposal.choices.map(({ key }) => key) : [];
}

const command = (text: string): Asked => ({ kind: 'command', command: text, syntax: 'posix' });

describe('approval rules: what is offered', () => {
  const table: readonly (readonly [command: string, offered: readonly string[]])[] = [
    ['npm test', ['npm test …', 'npm test']],
    ['npm t', ['npm t …', 'npm t']],
    ['npm run lint -- --fix', ['npm run lint …', 'npm run lint -- --fix']],
    ['pnpm run build', ['pnpm run build …', 'pnpm run build']],
    ['npm install left-pad', ['npm install left-pad']],
    ['npm exec rimraf .', ['npm exec rimraf .']],
    ['npm --prefix x test', ['npm --prefix x test']],
    ['npx jest', ['npx jest']],
    ['git status --short', ['git status …', 'git status --short']],
    ['git -c a=b status', ['git -c a=b status']],
    ['git push --force', ['git push --force']],
    ['git log --output=x', ['git log --output=x']],
    ['cargo test --release', ['cargo test …', 'cargo test --release']],
    ['cargo test --config x', ['cargo test --config x']],
    ['go test ./...', ['go test …', 'go test ./...']],
    ['go test -exec x ./...', ['go test -exec x ./...']],
    ['pytest -q tests/a.py', ['pytest …', 'pytest -q tests/a.py']],
    ['python3 check.py --fast', ['python3 check.py --fast']],
    ['python -m pytest -q', ['python -m pytest …', 'python -m pytest -q']],
    ['python -m http.server', ['python -m http.server']],
    ["python -c 'print(1)'", ["python -c 'print(1)'"]],
    ['python -', ['python -']],
    ['node scripts/x.mjs a', ['node scripts/x.mjs a']],
    ["node -e 'x'", ['node -e x']],
    ['node --require x y.js', ['node --require x y.js']],
    ["bash -c 'ls'", ['bash -c ls']],
    ['bash run.sh', ['bash run.sh']],
    [
      'python3 tune.py --fast --lr 0.1 --trials=50',
      ['python3 tune.py --fast …', 'python3 tune.py --fast --lr 0.1 --trials=50'],
    ],
    ['./run.sh a', ['./run.sh a']],
    ['./run.sh train --epochs 3', ['./run.sh train …', './run.sh train --epochs 3']],
    ["./manage.py shell -c 'x'", ['./manage.py shell -c x']],
    ['node_modules/.bin/mocha --bail', ['node_modules/.bin/mocha …', 'node_modules/.bin/mocha --bail']],
    ['node_modules/.bin/esbuild a.ts --outfile=b.js', ['node_modules/.bin/esbuild a.ts --outfile=b.js']],
    ['.venv/bin/python -m pytest -q', ['.venv/bin/python -m pytest …', '.venv/bin/python -m pytest -q']],
    ['uv run pytest -q', ['uv run pytest …', 'uv run pytest -q']],
    ['uv run --with x pytest', ['uv run --with x pytest']],
    ['poetry run python -m pytest', ['poetry run python -m pytest …', 'poetry run python -m pytest']],
    ['pytest -p evil', ['pytest -p evil']],
    ['/opt/run.sh a', ['/opt/run.sh a']],
    ['../run.sh a', ['../run.sh a']],
    ['sudo ls', ['sudo ls']],
    ['/usr/bin/sudo ls', ['/usr/bin/sudo ls']],
    ['SUDO ls', ['SUDO ls']],
    ['find . -name x -delete', ['find . -name x -delete']],
    ['rm -rf build', ['rm -rf build']],
    ['make', ['make']],
    ['unknown-tool a b', ['unknown-tool a b']],
    ['npm test > log.txt', ['npm test >log.txt']],
    ['CI=1 npm test', ['CI=1 npm test']],
    ['cd web && npm test', ['cd web && npm test']],
    ['npm test && npm run build', ['npm test …, npm run build …', 'npm test && npm run build']],
    ['npm test; npm test', ['npm test …', 'npm test; npm test']],
    ['npm test 2>&1 | tail -5', ['npm test …, tail …', 'npm test 2>&1 | tail -5']],
    ['npm test && rm x', ['npm test && rm x']],
    ['npm test "$X"', ['npm test "${X}"']],
    ['echo $(date)', []],
    ['for x in a; do npm test; done', []],
    ['npm test &', []],
    ['nрm test', []],
  ];
  for (const [text, expected] of table) {
    it(`${JSON.stringify(text)}: ${expected.join(' | ') || 'nothing'}`, () => {
      assert.deepEqual(offered(command(text)), expected);
    });
  }

  it('each choice covers what was asked', () => {
    for (const [text] of table) {
      const proposal = proposeRules(command(text));
      for (const { rules } of proposal.kind === 'choices' ? proposal.choices : []) {
        assert.notEqual(coveredBy(command(text), rules), undefined, text);
      }
    }
  });

  it('an edit: the file, or all below its folder', () => {
    assert.deepEqual(offered({ kind: 'edit', path: 'src/a/b.ts' }), ['edits of src/a/b.ts', 'edits below src/a/']);
    assert.deepEqual(offered({ kind: 'edit', path: 'note.txt' }), ['edits of note.txt', 'edits in this folder']);
    assert.deepEqual(offered({ kind: 'edit', path: '.vscode/tasks.json' }), [
      'edits of .vscode/tasks.json',
      'edits below .vscode/',
    ]);
  });

  it('where commands are not parsed: the very text', () => {
    assert.deepEqual(offered({ kind: 'command', command: 'npm test; del x', syntax: 'other' }), ['npm test; del x']);
  });

  it('says in words what it would allow, or why nothing', () => {
    assert.deepEqual(alwaysView(command('npm test && make'))?.choices, [
      { key: 'npm test && make', rules: [{ code: 'npm test && make', after: 'exactly so' }] },
    ]);
    assert.deepEqual(alwaysView(command('npm test'))?.choices[0]?.rules, [
      { code: 'npm test', after: 'with safe arguments' },
    ]);
    assert.equal(
      alwaysView(command('echo `date`'))?.none,
      'It cannot be allowed always: it has a command substitution. You are asked each time.',
    );
    assert.equal(alwaysView(undefined), undefined);
  });
});

describe('approval rules: written by hand', () => {
  const good: readonly (readonly [written: string, text: string])[] = [
    ['npm test', 'npm test'],
    ['npm test …', 'npm test …'],
    ['  npm test   ...  ', 'npm test …'],
    ["mytool 'a b'", "mytool 'a b'"],
    ['./run.sh ...', './run.sh …'],
    ['go test ./...', 'go test ./...'],
    ['npm run x && make', 'npm run x && make'],
    ['FOO=1 make > log', 'FOO=1 make >log'],
  ];
  for (const [written, text] of good) {
    it(`takes ${JSON.stringify(written)}`, () => {
      const draft = commandRule(written, 'posix');
      assert.ok(draft.ok);
      assert.equal(ruleText(draft.rule), text);
      const again = commandRule(ruleText(draft.rule), 'posix');
      assert.deepEqual(again.ok && again.rule, draft.rule, 'what is shown for editing is the same rule');
    });
  }

  const bad: readonly (readonly [written: string, why: RegExp])[] = [
    ['', /Write a command/],
    ['…', /Write a command|unusual characters/],
    ['bash …', /could run anything/],
    ['git …', /could run anything/],
    ['npm …', /could run anything/],
    ['mytool a …', /not known which arguments/],
    ['node_modules/.bin/esbuild …', /not known which arguments/],
    ['/usr/bin/git status …', /could run anything/],
    ['sudo ls ...', /could run anything/],
    ['python ...', /could run anything/],
    ['npm test && ls ...', /only follow one command/],
    ['A=b npm test ...', /cannot follow/],
    ['npm test > x ...', /cannot follow/],
    ['npm test $X ...', /plain text/],
    ['echo $(x)', /command substitution/],
    ['npm test &', /background/],
  ];
  for (const [written, why] of bad) {
    it(`does not take ${JSON.stringify(written)}, and says why`, () => {
      const draft = commandRule(written, 'posix');
      assert.ok(!draft.ok);
      assert.match(draft.why, why);
    });
  }

  const paths: readonly (readonly [written: string, path: string | undefined])[] = [
    ['src/', 'src/'],
    ['./src/', 'src/'],
    ['src\\a\\', 'src/a/'],
    ['docs/a.md', 'docs/a.md'],
    ['.', '.'],
    ['./', '.'],
    ['', undefined],
    ['/etc', undefined],
    ['..', undefined],
    ['../x/', undefined],
    ['a/../b', undefined],
    ['C:\\x', undefined],
    ['\\\\server\\share', undefined],
    ['a//b', undefined],
    ['.git/', undefined],
    ['a/.GIT/b', undefined],
    ['a\u0000b', undefined],
  ];
  for (const [written, path] of paths) {
    it(`edits: ${path === undefined ? 'does not take' : 'takes'} ${JSON.stringify(written)}`, () => {
      const draft = editsRule(written);
      assert.deepEqual(draft.ok ? draft.rule : undefined, path === undefined ? undefined : { kind: 'edits', path });
    });
  }
});
