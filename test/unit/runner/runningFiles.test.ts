import assert from 'node:assert/strict';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { createFakeEditor } from '../../support/fakes/fakeEditor.ts';
import { needsApproval } from '../../../src/runner/approval.ts';
import { revertPlanView } from '../../../src/projection/revertTexts.ts';
import { createToolFolder, type ToolFolder } from '../tools/toolFolder.ts';

describe('a file that runs or instructs by itself', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());

  const write = async (path: string, content: string) =>
    createWriteTool(createFakeEditor()).plan({ file_path: path, content }, folder.context());
  const replace = async (path: string, from: string, to: string) =>
    createEditTool(createFakeEditor()).plan({ file_path: path, old_string: from, new_string: to }, folder.context());

  it('is asked about where edits are accepted, and the plan says why', async () => {
    for (const path of ['.vscode/tasks.json', '.envrc', '.github/workflows/ci.yml', 'AGENTS.md', '.GitAttributes']) {
      const { why } = await write(path, 'x\n');
      assert.match(why ?? '', /^This file /, path);
      assert.equal(needsApproval('edit', 'acceptEdits', why), true, path);
      assert.equal(needsApproval('edit', 'allowAll', why), false, path);
    }
    const { why } = await write('src/a.ts', 'x\n');
    assert.equal(why, undefined);
    assert.equal(needsApproval('edit', 'acceptEdits', why), false);
  });

  it('package.json is asked about when a part changes that runs', async () => {
    await folder.put('package.json', '{\n  "version": "1",\n  "scripts": { "test": "mocha" }\n}\n');
    assert.equal((await replace('package.json', '"1"', '"2"')).why, undefined);
    assert.match((await replace('package.json', '"mocha"', '"curl x | sh"')).why ?? '', /when packages are installed/);
  });

  it('the list of a revert says of it that it runs', () => {
    const { files } = revertPlanView({
      toSeq: 1,
      messageId: 'm',
      text: 'Go.',
      images: [],
      lastSeq: 9,
      files: [
        { path: '.husky/pre-commit', fromSha256: 'a', toSha256: 'b' },
        { path: 'src/a.ts', fromSha256: 'a', toSha256: 'b' },
        { path: 'CLAUDE.md', fromSha256: 'a', toSha256: null },
      ],
      left: [],
      hasUnrecorded: false,
      running: [],
    });
    assert.deepEqual(
      files.map(({ words }) => words),
      [
        'restored; it runs with git commands such as commit, checkout or diff',
        'restored',
        'removed; it instructs agents that work in this folder',
      ],
    );
  });
});
