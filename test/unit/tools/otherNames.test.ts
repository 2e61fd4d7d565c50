import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { coveredBy } from '../../../src/core/approval/rules.ts';
import { proposeRules } from '../../../src/core/approval/proposals.ts';
import { revertPlanView } from '../../../src/projection/revertTexts.ts';
import { noEditorFiles } from '../../../src/tools/editorFiles.ts';
import { createRevertFiles } from '../../../src/tools/revertFiles.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('a file that a link gives another name', () => {
  let folder: ToolFolder;
  const tool = createWriteTool(noEditorFiles);
  const link = async (name: string, target: string): Promise<void> => {
    await mkdir(dirname(folder.at(name)), { recursive: true });
    await symlink(target, folder.at(name));
  };
  before(async () => {
    folder = await createToolFolder();
    for (const name of ['docs', 'tools', 'ci', 'hooks', 'src/deep']) await mkdir(folder.at(name), { recursive: true });
    await link('AGENTS.md', 'docs/guide.md');
    await link('CLAUDE.md', 'AGENTS.md');
    await link('.claude', 'tools');
    await link('.github/workflows', '../ci');
    await link('.husky', 'hooks');
    await link('.envrc', 'env.sh');
    await link('.vscode', 'ed');
    await link('first', 'second');
    await link('second', '.idea');
    await link('src/CLAUDE.md', 'deep/notes.md');
    await link('top', '.');
    await link('other.ts', 'docs/plain.ts');
    assert.equal(await realpath(folder.folder), folder.folder);
  });
  after(() => folder.remove());

  const plan = (file_path: string) => tool.plan({ file_path, content: 'x' }, folder.context());
  const cases: readonly (readonly [path: string, asks: boolean])[] = [
    ['AGENTS.md', true],
    ['CLAUDE.md', true],
    ['docs/guide.md', true],
    ['top/docs/guide.md', true],
    ['.claude/agents/explore.md', true],
    ['tools/settings.json', true],
    ['.github/workflows/ci.yml', true],
    ['ci/ci.yml', true],
    ['.husky/pre-commit', true],
    ['hooks/pre-commit', true],
    ['.envrc', true],
    ['env.sh', true],
    ['.vscode/tasks.json', true],
    ['ed/tasks.json', true],
    ['first/workspace.xml', true],
    ['src/deep/notes.md', true],
    ['other.ts', false],
    ['docs/plain.ts', false],
    ['docs/other.md', false],
    ['top/docs/other.md', false],
    ['src/a.ts', false],
  ];
  for (const [path, asks] of cases) {
    it(`${path} is ${asks ? 'asked about, and the reason is said' : 'an ordinary file'}`, async () => {
      const { why } = await plan(path);
      if (asks) assert.match(why ?? '', /^This file .*(?:runs|instructs|decides) .*\.$/);
      else assert.equal(why, undefined);
    });
  }

  it('says which name that is', async () => {
    assert.equal(
      (await plan('.husky/pre-commit')).why,
      'This file is also .husky/pre-commit, which runs with git commands such as commit, checkout or diff.',
    );
  });

  it('is covered by no rule for the folder it lies in, only by one that names it or the link', async () => {
    const { asked } = await plan('tools/agents/a.md');
    assert.ok(asked);
    assert.deepEqual(asked, { kind: 'edit', path: 'tools/agents/a.md', name: '.claude/agents/a.md' });
    const covered = (path: string) => coveredBy(asked, [{ kind: 'edits', path }]) !== undefined;
    assert.equal(covered('.'), false);
    assert.equal(covered('tools/'), false);
    assert.equal(covered('tools/agents/a.md'), true);
    assert.equal(covered('.claude/agents/'), true);
    const proposal = proposeRules(asked);
    assert.ok(proposal.kind === 'choices');
    assert.deepEqual(
      proposal.choices.map(({ key }) => key),
      ['edits of tools/agents/a.md'],
    );
  });

  it('is named so where a revert would restore it', async () => {
    const place = { folder: folder.folder, storage: folder.storage, steps: [] };
    const none = { kind: 'none' } as const;
    const touched = { path: 'hooks/pre-push', before: none, after: none, isMixed: false };
    const [look] = await createRevertFiles(noEditorFiles).look(place, [touched]);
    assert.equal(look?.otherName, '.husky/pre-push');
    const file = { path: 'hooks/pre-push', fromSha256: 'a', toSha256: 'b' };
    const view = revertPlanView({
      ...{ toSeq: 1, messageId: 'm', text: 'x', images: [], lastSeq: 2, left: [], hasUnrecorded: false, running: [] },
      ...{ files: [file], otherNames: new Map([[file.path, look.otherName]]) },
    });
    assert.match(view.files[0]?.words ?? '', /^restored; it is also \.husky\/pre-push, which runs with git commands/);
  });
});
