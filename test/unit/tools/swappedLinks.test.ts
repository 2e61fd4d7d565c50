// Another process puts links in the place of a folder, over and over, while files in it are written, read, reverted and
// removed: nothing may leave the workspace.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolInputError } from '../../../src/runner/ports.ts';
import { noEditorFiles } from '../../../src/tools/editorFiles.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { keepContent } from '../../../src/tools/keptContent.ts';
import { lookAtPath } from '../../../src/tools/mentionedPath.ts';
import { createReadTool } from '../../../src/tools/readTool.ts';
import { createRevertFiles } from '../../../src/tools/revertFiles.ts';
import { readFileUpTo } from '../../../src/tools/workspaceFile.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { call, createToolFolder, type ToolFolder } from './toolFolder.ts';

/** Has `<folder>/dir` be a folder and a link to the outside by turns, and says when it has begun. */
const swapper = `
  const fs = require('node:fs');
  const [dir, outside] = process.argv.slice(1);
  process.stdout.write('begun');
  // A write may make the folder anew while it is away: that one is put away then.
  const past = (step) => {
    for (let tries = 0; ; tries++) {
      try {
        return step();
      } catch (error) {
        if (tries > 100 || !/EEXIST|ENOTEMPTY|ENOTDIR|ENOENT/.test(error.code)) throw error;
        try { fs.renameSync(dir, dir + '-made-' + Math.random()); } catch {}
      }
    }
  };
  for (;;) {
    fs.renameSync(dir, dir + '-aside');
    past(() => fs.symlinkSync(outside, dir));
    fs.unlinkSync(dir);
    past(() => fs.renameSync(dir + '-aside', dir));
  }
`;

describe('a link that is put in the place of a folder', function () {
  this.timeout(240_000);
  let place: ToolFolder;
  let outside: string;
  let swapping: ChildProcess;

  beforeEach(async () => {
    place = await createToolFolder();
    outside = join(place.base, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'outside');
    await writeFile(join(outside, 'gone.txt'), 'outside');
    await place.put('dir/secret.txt', 'inside');
    swapping = spawn(process.execPath, ['-e', swapper, place.at('dir'), outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(swapping.stdout);
    await once(swapping.stdout, 'data');
  });
  afterEach(async () => {
    if (swapping.exitCode === null && swapping.signalCode === null) {
      swapping.kill('SIGKILL');
      await once(swapping, 'exit');
    }
    assert.equal(swapping.signalCode, 'SIGKILL', 'it swapped until the end');
    await place.remove();
  });

  /** What a call of a tool ended with; a refusal is as good as a failed result. */
  async function outcome(work: () => Promise<{ readonly outcome: string; readonly content: string }>): Promise<string> {
    try {
      const result = await work();
      return result.outcome === 'succeeded' ? `succeeded ${result.content}` : result.outcome;
    } catch (error) {
      if (error instanceof ToolInputError) return 'refused';
      throw error;
    }
  }

  const outsideNow = async (): Promise<readonly (readonly [string, string])[]> => {
    const names = (await readdir(outside)).sort();
    return Promise.all(names.map(async (name) => [name, await readFile(join(outside, name), 'utf8')] as const));
  };
  const untouched = [
    ['gone.txt', 'outside'],
    ['secret.txt', 'outside'],
  ];

  it('leads none of 2,000 writes outside', async () => {
    let written = 0;
    for (let number = 0; number < 2_000; number++) {
      const input = { file_path: `dir/new-${String(number)}.txt`, content: 'from the agent' };
      const ended = await outcome(() => call(createWriteTool(), input, place.context()));
      if (ended.startsWith('succeeded')) written += 1;
    }
    assert.deepEqual(await outsideNow(), untouched);
    assert.ok(written > 0, 'some were done');
  });

  it('leads none of 2,000 reads outside, of any that read for themselves', async () => {
    let read = 0;
    for (let number = 0; number < 2_000; number++) {
      const ended = await outcome(() => call(createReadTool(), { file_path: 'dir/secret.txt' }, place.context()));
      assert.doesNotMatch(ended, /outside/);
      if (ended.includes('inside')) read += 1;
      assert.doesNotMatch(String(await readFileUpTo(place.folder, 'dir/secret.txt', 100)), /outside/);
      const look = await lookAtPath(place.folder, 'dir/secret.txt', 100);
      assert.ok(look.kind !== 'file' || look.content === 'inside');
    }
    assert.ok(read > 0, 'some were done');
  });

  it('leads no revert outside, neither one that writes nor one that removes', async () => {
    const revert = createRevertFiles(noEditorFiles);
    const at = { folder: place.folder, storage: place.storage, steps: [] };
    const before = hashBytes('before');
    await keepContent(place.storage, before, Buffer.from('before'));
    let done = 0;
    for (let number = 0; number < 700; number++) {
      const path = `dir/back-${String(number)}.txt`;
      const put = await revert.put(at, 'v1', { path, fromSha256: null, toSha256: before });
      if (put === 'done') done += 1;
      await revert.put(at, 'v2', { path: 'dir/gone.txt', fromSha256: hashBytes('outside'), toSha256: null });
      await revert.put(at, 'v3', { path: 'dir/secret.txt', fromSha256: hashBytes('outside'), toSha256: before });
    }
    assert.deepEqual(await outsideNow(), untouched);
    assert.ok(done > 0, 'some were done');
  });
});
