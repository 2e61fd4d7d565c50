import assert from 'node:assert/strict';
import { mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '../../../src/runner/ports.ts';
import { ToolInputError } from '../../../src/runner/ports.ts';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { createGlobTool } from '../../../src/tools/globTool.ts';
import { createGrepTool } from '../../../src/tools/grepTool.ts';
import { createReadTool } from '../../../src/tools/readTool.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { allPaths, call, createToolFolder, readStep, type ToolFolder } from './toolFolder.ts';

const secret = 'the secret outside';

/** The text that the model is told when a call does not succeed. */
async function refusal(tool: Tool, input: Record<string, unknown>, folder: ToolFolder): Promise<string> {
  try {
    const result = await call(tool, input, folder.context());
    assert.equal(result.outcome, 'failed', result.content);
    return result.content;
  } catch (error) {
    assert.ok(error instanceof ToolInputError);
    return error.message;
  }
}

describe('confinement of the file tools', () => {
  let folder: ToolFolder;
  let outside: string;
  beforeEach(async () => {
    folder = await createToolFolder();
    outside = join(folder.base, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), secret);
    await mkdir(join(folder.base, 'workspace-twin'));
    await writeFile(join(folder.base, 'workspace-twin', 'secret.txt'), secret);
    await symlink(outside, folder.at('link-out'));
    await symlink(join(outside, 'secret.txt'), folder.at('link-file'));
    await symlink(join(outside, 'not-there.txt'), folder.at('dangling'));
    await symlink('link-out', folder.at('chain'));
    await symlink('..', folder.at('up'));
    await folder.put('inside.txt', 'inside');
  });
  afterEach(() => folder.remove());

  const paths: readonly (readonly [string, (f: ToolFolder) => string])[] = [
    ['a path that goes up', () => '../outside/secret.txt'],
    ['a path that goes up inside', () => 'sub/../../outside/secret.txt'],
    ['an absolute path', (f) => join(f.base, 'outside', 'secret.txt')],
    ['a folder whose name starts the same', (f) => join(f.base, 'workspace-twin', 'secret.txt')],
    ['a link to a folder outside', () => 'link-out/secret.txt'],
    ['a link to a file outside', () => 'link-file'],
    ['a dangling link to outside', () => 'dangling'],
    ['a new file below a link to outside', () => 'link-out/new/file.txt'],
    ['a link to a link to outside', () => 'chain/secret.txt'],
    ['a link to the folder above', () => 'up/outside/secret.txt'],
    ['a path that goes up behind a link', () => 'up/workspace/../outside/secret.txt'],
    ['an absolute path with two slashes', (f) => `/${join(f.base, 'outside', 'secret.txt')}`],
    ['an absolute path that begins with the folder', (f) => `${f.folder}/../outside/secret.txt`],
  ];
  const tools: readonly (readonly [string, () => Tool, (path: string) => Record<string, unknown>])[] = [
    ['read', createReadTool, (file_path) => ({ file_path })],
    ['write', createWriteTool, (file_path) => ({ file_path, content: 'overwritten' })],
    ['edit', createEditTool, (file_path) => ({ file_path, old_string: 'secret', new_string: 'public' })],
    ['glob', createGlobTool, (path) => ({ path, pattern: '**/*' })],
    ['grep', createGrepTool, (path) => ({ path, pattern: 'secret' })],
  ];
  for (const [name, create, inputFor] of tools) {
    for (const [what, pathIn] of paths) {
      it(`${name} refuses ${what}`, async () => {
        const before = await allPaths(folder.base);
        const told = await refusal(create(), inputFor(pathIn(folder)), folder);
        assert.match(told, /outside/);
        assert.ok(!told.includes(secret));
        assert.equal(await readFile(join(outside, 'secret.txt'), 'utf8'), secret);
        const after = (await allPaths(folder.base)).filter((path) => !path.startsWith('storage'));
        assert.deepEqual(after, before);
      });
    }
  }

  it('glob does not list what a named link leads to', async () => {
    const { content } = await call(createGlobTool(), { pattern: 'link-out/*' }, folder.context());
    assert.equal(content, '(no matches)');
  });

  it('takes an absolute path that leads inside', async () => {
    const { content } = await call(createReadTool(), { file_path: folder.at('inside.txt') }, folder.context());
    assert.equal(content, 'inside');
  });

  it('writes through a link to a file inside, and keeps the link', async () => {
    await symlink('inside.txt', folder.at('link-in'));
    const result = await call(
      createWriteTool(),
      { file_path: 'link-in', content: 'new' },
      folder.context({ done: () => [readStep('inside.txt', 'inside')] }),
    );
    assert.equal(result.artifacts?.[0]?.path, 'inside.txt');
    assert.equal(await readFile(folder.at('inside.txt'), 'utf8'), 'new');
    assert.equal(await readlink(folder.at('link-in')), 'inside.txt');
  });

  it('does not follow a link that was put in place after the plan', async () => {
    const plan = await createWriteTool().plan({ file_path: 'late.txt', content: 'x' }, folder.context());
    await symlink(join(outside, 'secret.txt'), folder.at('late.txt'));
    const result = await plan.execute();
    assert.equal(result.outcome, 'failed');
    assert.match(result.content, /changed by someone else/);
    assert.equal(await readFile(join(outside, 'secret.txt'), 'utf8'), secret);
  });

  it('does not follow a folder that became a link after the plan', async () => {
    const plan = await createWriteTool().plan({ file_path: 'late/new.txt', content: 'x' }, folder.context());
    await symlink(outside, folder.at('late'));
    assert.equal((await plan.execute()).outcome, 'failed');
    assert.deepEqual(await allPaths(outside), ['secret.txt']);
  });

  for (const path of ['.git/hooks/pre-commit', 'sub/.GIT/config', '.git']) {
    it(`does not write to ${path}`, async () => {
      await mkdir(folder.at('.git'), { recursive: true });
      assert.match(await refusal(createWriteTool(), { file_path: path, content: 'x' }, folder), /\.git/i);
      assert.deepEqual(await allPaths(folder.at('.git')), []);
    });
  }
});
