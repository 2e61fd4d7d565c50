// The files that run, or tell an agent what to do, without anybody starting them knowingly: the editor, a shell, git,
// a package manager, a build server or an agent does it when the file changes or the next time it looks. One list for the
// approval mode, rules, reverts and confinement. Not in it: what an approved command runs by its name or as its subject
// (a Makefile, a Dockerfile, conftest.py, the configuration of a bundler): the command is where that is asked about.
import { comparableParts, mayBeShortFor } from './comparablePath.ts';
import { packageJsonRuns } from './packageJson.ts';

export interface RunningFile {
  /** A whole sentence: "This file runs when the folder is opened in an editor." */
  readonly why: string;
  /** The same, to follow "path: ". */
  readonly short: string;
}

interface Row {
  /** Folders anywhere in a path, with all that is below. With `/`: one in the other. */
  readonly folders?: string;
  /** Names of files, anywhere; `*` for any letters. */
  readonly files?: string;
  readonly does: 'runs' | 'instructs' | 'decides';
  readonly when: string;
}

const rows: readonly Row[] = [
  {
    folders: '.vscode .idea .fleet .zed .vs .devcontainer .run .settings',
    files:
      '*.code-workspace *.sublime-project .devcontainer.json .exrc .nvimrc .vimrc .nvim.lua .dir-locals.el .dir-locals-2.el .lvimrc',
    does: 'decides',
    when: 'what an editor starts when the folder is opened',
  },
  {
    files:
      'eslint.config.* .eslintrc .eslintrc.* .prettierrc .prettierrc.* prettier.config.* .stylelintrc .stylelintrc.* stylelint.config.* tailwind.config.* svelte.config.* vitest.config.* vitest.workspace.* playwright.config.* playwright-ct.config.* graphql.config.* .graphqlrc .graphqlrc.* cspell.config.* .cspell.config.* .markdownlint.cjs .markdownlint.mjs .markdownlint-cli2.* uno.config.* unocss.config.* .lintr .solhint.* biome.json biome.jsonc',
    does: 'runs',
    when: 'when an editor extension checks, formats or tests a file',
  },
  {
    folders: '.cargo .mvn gradle/wrapper buildsrc .bsp .metals',
    files:
      'build.rs cargo.toml rust-toolchain rust-toolchain.toml build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle init.gradle.kts *.gradle *.gradle.kts gradle.properties gradlew gradlew.bat mvnw mvnw.cmd pom.xml build.sbt *.sbt build.sc build.mill cmakelists.txt cmakepresets.json cmakeuserpresets.json *.cmake compile_commands.json compile_flags.txt .clangd *.csproj *.fsproj *.vbproj *.vcxproj *.proj directory.build.props directory.build.targets *.props *.targets *.sln *.slnx global.json nuget.config package.swift mix.exs build.zig build.zig.zon *.cabal stack.yaml cabal.project hie.yaml dune-project rebar.config rebar.config.script project.clj deps.edn shadow-cljs.edn',
    does: 'runs',
    when: 'when an editor extension loads or checks the project',
  },
  {
    folders: '.direnv .mise .config/mise .config/fish .config/autostart .config/systemd .ssh .gnupg',
    files:
      '.envrc .direnvrc mise.toml .mise.toml mise.*.toml .mise.*.toml .rtx.toml .tool-versions flake.nix shell.nix .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xsession .xinitrc',
    does: 'runs',
    when: 'when a shell starts or enters the folder',
  },
  {
    folders: '.ipython',
    files:
      '.rprofile .renviron rprofile.site .pryrc .irbrc .iex.exs .ghci .gdbinit .lldbinit .pdbrc .pdbrc.py .bazelrc .bazeliskrc .psqlrc .sqliterc .perldb .rdbgrc .byebugrc',
    does: 'runs',
    when: 'when an interpreter, a debugger or a build tool starts in the folder',
  },
  {
    folders: '.git .hg .husky .githooks .git-hooks .config/git',
    files:
      '.hgrc .gitattributes .gitmodules .gitconfig .gitconfig.* .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml lefthook.* .lefthook.* lefthook-local.* .lefthook-local.* .lintstagedrc .lintstagedrc.* lint-staged.config.* .commitlintrc .commitlintrc.* commitlint.config.* .overcommit.yml .simple-git-hooks.* simple-git-hooks.*',
    does: 'runs',
    when: 'with git commands such as commit, checkout or diff',
  },
  {
    folders: '.yarn node_modules .venv',
    files:
      '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpmfile.js .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml binding.gyp composer.json setup.py pip.conf .pypirc sitecustomize.py usercustomize.py *.pth package.json',
    does: 'runs',
    when: 'when packages are installed or a tool of the project starts',
  },
  {
    folders:
      '.github/workflows .github/actions .gitlab .circleci .buildkite .azure-pipelines .woodpecker .teamcity .semaphore .gitea/workflows .forgejo/workflows',
    files:
      '.gitlab-ci.yml *.gitlab-ci.yml .gitlab-ci.yaml jenkinsfile jenkinsfile.* *.jenkinsfile azure-pipelines.yml azure-pipelines.yaml azure-pipelines-*.yml .travis.yml bitbucket-pipelines.yml .drone.yml .drone.star .woodpecker.yml .woodpecker.yaml appveyor.yml .appveyor.yml .cirrus.yml .cirrus.star cloudbuild.yaml cloudbuild.yml buildspec.yml netlify.toml vercel.json action.yml action.yaml',
    does: 'runs',
    when: 'on a build server, with its secrets, once it is pushed',
  },
  {
    folders:
      '.claude .ratchet .agents .codex .cursor .windsurf .clinerules .roo .continue .gemini .junie .kiro .amazonq .augment .opencode .qwen .crush .trae .factory .openhands .github/instructions .github/prompts .github/chatmodes .github/agents .github/skills .github/hooks',
    files:
      'agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md skill.md warp.md opencode.json opencode.jsonc crush.json .crush.json .rules .cursorrules .windsurfrules .clinerules .roorules .roorules-* .goosehints .aider.conf.yml .mcp.json mcp.json copilot-instructions.md *.instructions.md *.prompt.md *.chatmode.md *.agent.md',
    does: 'instructs',
    when: 'agents that work in this folder',
  },
];

/** Contents of a change: null for no file, undefined for what is not text or not at hand. */
export interface ChangedContents {
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/**
 * Why a file of the folder is one that runs or instructs; undefined for every other file.
 * @param path relative to the folder, in any spelling
 * @param contents where they are known: a change of `package.json` that touches nothing that runs is an ordinary one
 */
export function runsOrInstructs(path: string, contents?: ChangedContents): RunningFile | undefined {
  const parts = comparableParts(path);
  const row = patterns.find((each) => each.matches(parts))?.row;
  if (!row) return undefined;
  const isOnlyPackage =
    parts.at(-1) === 'package.json' && !patterns.some((each) => each.isFolder && each.matches(parts));
  if (isOnlyPackage && contents && !packageJsonRuns(contents.before, contents.after)) return undefined;
  return { why: `This file ${row.does} ${row.when}.`, short: `${row.does} ${row.when}` };
}

interface Pattern {
  readonly row: Row;
  readonly isFolder: boolean;
  readonly matches: (parts: readonly string[]) => boolean;
}

const patterns: readonly Pattern[] = rows.flatMap((row) => [
  ...listOf(row.folders).map((folder): Pattern => ({ row, isFolder: true, matches: inFolder(folder.split('/')) })),
  ...listOf(row.files).map((file): Pattern => ({ row, isFolder: false, matches: isNamed(file) })),
]);

function listOf(text = ''): readonly string[] {
  return text.split(' ').filter((each) => each !== '');
}

function isSame(part: string | undefined, name: string): boolean {
  return part !== undefined && (part === name || mayBeShortFor(part, name));
}

/** A file of that name is one as well: it may become a link, and the folder of a submodule is a file. */
function inFolder(names: readonly string[]): Pattern['matches'] {
  return (parts) => parts.some((_, at) => names.every((name, index) => isSame(parts[at + index], name)));
}

function isNamed(name: string): Pattern['matches'] {
  if (!name.includes('*')) return (parts) => isSame(parts.at(-1), name);
  const pattern = new RegExp(`^${name.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`);
  const start = name.slice(0, name.indexOf('*'));
  // Short names keep three letters of the ending: `app~1.csp`.
  const ending = /^\*\.([a-z]{3})[a-z]+$/.exec(name)?.[1];
  return (parts) => {
    const last = parts.at(-1) ?? '';
    // The short name of `eslint.config.mjs` begins as the pattern does.
    return (
      pattern.test(last) ||
      (ending !== undefined && /~\d/.test(last) && last.endsWith(`.${ending}`)) ||
      (start.length >= 6 && /~\d/.test(last) && mayBeShortFor(last.replace(/\..*$/, ''), start.replace(/\.$/, '')))
    );
  };
}
