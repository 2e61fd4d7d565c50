import assert from 'node:assert/strict';
import { coveredBy, type ApprovalRule } from '../../../src/core/approval/rules.ts';
import { runsOrInstructs } from '../../../src/core/approval/runningFiles.ts';

const list = (text: string): readonly string[] => text.split(/\s+/).filter((each) => each !== '');

/** Each in its ordinary spelling. */
const running = list(`
  .vscode/settings.json .vscode/tasks.json pkg/.vscode/launch.json .idea/workspace.xml .devcontainer/devcontainer.json
  .devcontainer.json app.code-workspace .dir-locals.el eslint.config.mjs .eslintrc .eslintrc.cjs .prettierrc.js
  tailwind.config.ts .cargo/config.toml build.rs crates/a/build.rs build.gradle.kts gradlew gradle/wrapper/gradle-wrapper.properties
  pom.xml .mvn/extensions.xml CMakeLists.txt .envrc sub/.envrc .mise.toml mise.local.toml .tool-versions flake.nix .bashrc
  .profile .zshenv .ssh/authorized_keys .config/fish/config.fish .git/config .git/hooks/pre-commit .gitattributes
  docs/.gitattributes .gitmodules .gitconfig .husky/pre-commit .githooks/x .pre-commit-config.yaml lefthook.yml
  .lefthook-local.toml .lintstagedrc.json commitlint.config.js .npmrc pkg/.npmrc .yarnrc.yml .yarn/releases/yarn.cjs
  .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml binding.gyp package.json pkg/a/package.json node_modules/a/index.js
  .venv/bin/activate setup.py sitecustomize.py x.pth .github/workflows/ci.yml .github/actions/a/action.yml .gitlab-ci.yml
  .gitlab/ci/a.yml .circleci/config.yml Jenkinsfile azure-pipelines.yml .travis.yml netlify.toml vercel.json
  .claude/settings.json .claude/agents/a.md .ratchet/agents/a.md AGENTS.md sub/AGENTS.md CLAUDE.md CLAUDE.local.md
  GEMINI.md .cursorrules .cursor/rules/a.mdc .windsurfrules .clinerules/a.md .mcp.json .codex/config.toml
  Cargo.toml crates/a/Cargo.toml app.csproj src/App/App.fsproj a.vcxproj Custom.targets Directory.Packages.props Directory.Build.props
  Package.swift mix.exs build.zig dependencies.gradle conventions.gradle.kts buildSrc/src/main/A.kt buildSrc/a.gradle project/plugins.sbt
  build.sbt compile_commands.json .bsp/sbt.json .clangd vitest.config.ts vitest.workspace.ts
  playwright.config.ts graphql.config.js .graphqlrc.ts cspell.config.cjs .markdownlint.cjs .markdownlint-cli2.cjs uno.config.ts .lintr
  .Rprofile .Renviron .pryrc .irbrc .gdbinit .lldbinit .pdbrc .bazelrc .hg/hgrc .ghci .iex.exs
  opencode.json .opencode/agent/a.md QWEN.md .qwen/settings.json .rules CRUSH.md .crush.json .trae/rules/a.md .factory/droids/a.md
  .openhands/microagents/a.md SKILL.md skills/a/SKILL.md
  .github/copilot-instructions.md .github/instructions/a.md a.instructions.md .github/agents/a.md x.prompt.md
`);

const ordinary = list(`
  a.ts src/vscode/a.ts vscode/settings.json .vscodeignore src/git/a.ts git.md .gitignore .nvmrc .editorconfig Makefile justfile
  Dockerfile docker-compose.yml tox.ini conftest.py tests/conftest.py vite.config.ts webpack.config.js jest.config.js
  tsconfig.json pyproject.toml Cargo.lock go.mod src/props.ts project/a.ts src/Main.scala rules hg/hgrc a.gradle.md skill.ts README.md docs/agents/a.md agents.ts claude.ts package-lock.json
  src/package.json.ts packages.json workflows/ci.yml .github/ISSUE_TEMPLATE.md .github/CODEOWNERS action.ts src/husky.ts
  envrc src/setup.ts my-setup.py.txt profile .env a~1.ts notes~1.md x:y.txt
`);

/** Other spellings of the same names, on one system or another. */
const spellings: readonly string[] = [
  '.VSCODE/tasks.json',
  '.vſcode/tasks.json',
  '.vscode\u200b/tasks.json',
  '.vs\u00adcode/tasks.json',
  '.\ufeffvscode/tasks.json',
  '.vscode./tasks.json',
  '.vscode /tasks.json',
  '.vscode. . /tasks.json',
  '.vscode\\tasks.json',
  './.vscode/tasks.json',
  'a/../.vscode/tasks.json',
  './/.vscode//tasks.json',
  '.vscode::$INDEX_ALLOCATION/tasks.json',
  'VSCODE~1/tasks.json',
  'vscode~2/tasks.json',
  '.git::$INDEX_ALLOCATION/config',
  'GIT~1/config',
  '.GIT/hooks/post-checkout',
  '.gi\u200dt/config',
  '.git\u200c./config',
  '.G\u0130T/config',
  '.g\u0131thub/workflows/ci.yml',
  '.g\u0131t/config',
  'APP~1.CSP',
  'BUILD~1.GRA',
  'PACKAG~1.JSO',
  'PA3F2C~1.JSO',
  'package.json::$DATA',
  'package.json.',
  'Package.JSON ',
  '\uff50ackage.json',
  'pac\u212aage.json',
  'HUSKY~1/pre-commit',
  'AGENTS.MD',
  'agents.md:x',
  'ENVRC~1',
  '.envrc\u0000',
  'GITATT~1',
  'ESLINT~1.MJS',
  'node_modules/.bin/x',
  'NODE_M~1/x',
  '.github\\workflows\\ci.yml',
  'GITHUB~1/workflows/ci.yml',
  '.github/WORKFL~1/ci.yml',
  '.github./workflows./ci.yml',
];

describe('files that run or instruct by themselves', () => {
  for (const path of running) {
    it(`has ${path}, and says when`, () => {
      assert.match(runsOrInstructs(path)?.why ?? '', /^This file (runs|instructs|decides) .*\.$/);
    });
  }
  for (const path of spellings) {
    it(`has ${JSON.stringify(path)}, which is the same to some file system`, () => {
      assert.notEqual(runsOrInstructs(path), undefined);
    });
  }
  for (const path of ordinary) {
    it(`does not have ${path}`, () => {
      assert.equal(runsOrInstructs(path), undefined);
    });
  }

  const json = JSON.stringify;
  const packages: readonly (readonly [
    what: string,
    before: string | null | undefined,
    after: string | null | undefined,
    runs: boolean,
  ])[] = [
    ['its version', json({ version: '1', scripts: { a: 'b' } }), json({ version: '2', scripts: { a: 'b' } }), false],
    ['its description and files', json({ name: 'a' }), json({ name: 'a', description: 'x', files: ['y'] }), false],
    ['only its spaces', json({ scripts: { a: 'b' } }), json({ scripts: { a: 'b' } }, undefined, 2), false],
    ['a new file that only describes', null, json({ name: 'a', version: '1' }), false],
    ['a script', json({ scripts: { a: 'b' } }), json({ scripts: { a: 'c' } }), true],
    ['a script of an installation', json({ name: 'a' }), json({ name: 'a', scripts: { postinstall: 'x' } }), true],
    ['a dependency', json({ dependencies: {} }), json({ dependencies: { a: 'git+https://x' } }), true],
    ['an override', json({}), json({ overrides: { a: '1' } }), true],
    ['the package manager', json({}), json({ packageManager: 'x@1' }), true],
    ['a hook of git', json({}), json({ 'lint-staged': { '*': 'x' } }), true],
    ['a program', json({}), json({ bin: './x' }), true],
    ['a field that is not known', json({}), json({ somethingNew: 1 }), true],
    [
      'a script by a second field of the name',
      json({ scripts: { a: 'b' } }),
      '{"scripts":{"a":"b"},"scripts":{"a":"c"}}',
      true,
    ],
    ['a file that cannot be read afterwards', json({}), '{', true],
    ['a file that could not be read before', '{', json({}), true],
    ['a file whose content is not at hand', undefined, json({}), true],
    ['no object', json({}), '[]', true],
  ];
  for (const [what, before, after, runs] of packages) {
    it(`a change of package.json: ${what} ${runs ? 'runs' : 'does not run'}`, () => {
      assert.equal(runsOrInstructs('package.json', { before, after }) !== undefined, runs);
    });
  }

  it('a package.json below a folder that runs is one whatever is in it', () => {
    const contents = { before: json({ version: '1' }), after: json({ version: '2' }) };
    assert.notEqual(runsOrInstructs('node_modules/a/package.json', contents), undefined);
  });

  const edits = (path: string): ApprovalRule => ({ kind: 'edits', path });
  const covers = (rule: string, path: string): boolean =>
    coveredBy({ kind: 'edit', path }, [edits(rule)]) !== undefined;

  it('no rule for a folder reaches one of them, in any spelling', () => {
    for (const path of [...running, ...spellings]) {
      assert.equal(covers('.', path), false, path);
      assert.equal(covers('pkg/', `pkg/${path}`), false, path);
    }
  });

  it('a rule that names one covers it, and a rule for such a folder what is in it', () => {
    assert.ok(covers('package.json', 'package.json'));
    assert.ok(covers('.github/workflows/', '.github/workflows/ci.yml'));
    assert.ok(covers('.claude/agents/', '.claude/agents/a.md'));
    assert.ok(!covers('.github/', '.github/workflows/ci.yml'));
    assert.ok(!covers('.vscode/', '.vscode/.envrc'));
    assert.ok(!covers('.claude/', '.claude/.git/config'));
  });
});
