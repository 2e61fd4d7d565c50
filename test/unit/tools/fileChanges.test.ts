import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolInputError, type ToolPlan } from '../../../src/runner/ports.ts';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { RunStopped } from '../../../src/runner/runStopped.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { allPaths, call, createToolFolder, cutStep, readStep, type ToolFolder } from './toolFolder.ts';

describe('write and edit', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());
  const text = (path: string) => readFile(folder.at(path), 'utf8');
  const haveRead = (path: string, content: string | Uint8Array) =>
    folder.context({ done: () => [readStep(path, content)] });

  it('touch nothing before they are executed, and say what they will do', async () => {
    await folder.put('src/a.txt', 'one\ntwo\n');
    const plan = await createEditTool().plan(
      { file_path: 'src/a.txt', old_string: 'two', new_string: 'three\nfour' },
      folder.context(),
    );
    assert.deepEqual(plan.intent, {
      kind: 'file',
      path: 'src/a.txt',
      beforeSha256: hashBytes('one\ntwo\n'),
      afterSha256: hashBytes('one\nthree\nfour\n'),
    });
    assert.equal(plan.preview, '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n');
    assert.equal(await text('src/a.txt'), 'one\ntwo\n');
    assert.deepEqual(await allPaths(folder.folder), ['src', 'src/a.txt']);
    assert.deepEqual(await allPaths(folder.storage), ['staging']);
  });

  it('record what they made, keep what was there, and leave nothing behind', async () => {
    await folder.put('src/a.txt', 'one\ntwo\n');
    await chmod(folder.at('src/a.txt'), 0o751);
    const result = await call(
      createEditTool(),
      { file_path: folder.at('src/a.txt'), old_string: 'two', new_string: 'three\nfour' },
      folder.context(),
    );
    const after = 'one\nthree\nfour\n';
    assert.deepEqual(result, {
      outcome: 'succeeded',
      content: 'edited src/a.txt (1 replacement(s))',
      // A program before is one after.
      artifacts: [
        { path: 'src/a.txt', change: 'changed', size: after.length, sha256: hashBytes(after), executable: true },
      ],
      lines: { added: 2, removed: 1 },
    });
    assert.equal(await text('src/a.txt'), after);
    assert.equal((await stat(folder.at('src/a.txt'))).mode & 0o777, 0o751);
    const kept = join(folder.storage, 'kept', hashBytes('one\ntwo\n'));
    assert.equal(await readFile(kept, 'utf8'), 'one\ntwo\n');
    assert.equal((await stat(kept)).mode & 0o777, 0o600);
    assert.equal((await stat(folder.storage)).mode & 0o777, 0o700);
    assert.deepEqual(await allPaths(folder.folder), ['src', 'src/a.txt']);
    assert.deepEqual(await allPaths(join(folder.storage, 'staging')), []);
  });

  it('make a new file with its folders', async () => {
    const result = await call(createWriteTool(), { file_path: 'a/b/c.txt', content: 'x\n' }, folder.context());
    assert.equal(result.content, 'wrote 2 bytes to a/b/c.txt');
    assert.deepEqual(result.artifacts, [{ path: 'a/b/c.txt', change: 'created', size: 2, sha256: hashBytes('x\n') }]);
    assert.deepEqual(result.lines, { added: 1, removed: 0 });
    assert.equal(await text('a/b/c.txt'), 'x\n');
  });

  it('say so when the content is the same as before', async () => {
    await folder.put('a.txt', 'x');
    const result = await call(createWriteTool(), { file_path: 'a.txt', content: 'x' }, folder.context());
    assert.equal(result.outcome, 'succeeded');
    assert.match(result.content, /already has this content: nothing was written/);
    assert.equal(result.artifacts, undefined);
  });

  for (const [what, change] of [
    ['changed', (path: string) => writeFile(path, 'by hand')],
    ['deleted', (path: string) => rm(path)],
  ] as const) {
    it(`leave a file alone that was ${what} after the plan`, async () => {
      const path = await folder.put('a.txt', 'old');
      const plan = await createWriteTool().plan({ file_path: 'a.txt', content: 'new' }, haveRead('a.txt', 'old'));
      await change(path);
      const paths = await allPaths(folder.folder);
      const result = await plan.execute();
      assert.equal(result.outcome, 'failed');
      assert.match(result.content, /changed by someone else meanwhile.*Read it again/);
      assert.deepEqual(await allPaths(folder.folder), paths);
      if (what === 'changed') assert.equal(await text('a.txt'), 'by hand');
    });
  }

  it('leave a file alone that appeared after the plan', async () => {
    const plan = await createWriteTool().plan({ file_path: 'a.txt', content: 'new' }, folder.context());
    await folder.put('a.txt', 'by hand');
    assert.equal((await plan.execute()).outcome, 'failed');
    assert.equal(await text('a.txt'), 'by hand');
  });

  it('fail with the file as it was when a folder stands where the new file goes', async () => {
    const plan = await createWriteTool().plan({ file_path: 'a.txt', content: 'new' }, folder.context());
    await mkdir(folder.at('a.txt'));
    const result = await plan.execute();
    assert.equal(result.outcome, 'failed');
    assert.ok(!result.content.includes(folder.base), result.content);
    assert.deepEqual(await allPaths(folder.folder), ['a.txt']);
  });

  it('do nothing after a stop', async () => {
    const stop = new AbortController();
    const plan = await createWriteTool().plan(
      { file_path: 'a.txt', content: 'x' },
      folder.context({ signal: stop.signal }),
    );
    stop.abort(new RunStopped('user'));
    assert.equal((await plan.execute()).outcome, 'not_started');
    assert.deepEqual(await allPaths(folder.folder), []);
  });

  it('replace a binary file with words instead of a diff', async () => {
    await folder.put('a.bin', new Uint8Array(10));
    const plan = await createWriteTool().plan(
      { file_path: 'a.bin', content: 'x' },
      haveRead('a.bin', new Uint8Array(10)),
    );
    assert.match(plan.preview, /^a\.bin: 10 bytes → 1 byte /);
    assert.equal((await plan.execute()).lines, undefined);
  });

  const refused: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['a text that is not there', { file_path: 'a.txt', old_string: 'zzz', new_string: '' }, /not found in a\.txt/],
    ['a text that is there twice', { file_path: 'a.txt', old_string: 'x', new_string: '' }, /appears 2 times/],
    ['a file that is not there', { file_path: 'b.txt', old_string: 'x', new_string: '' }, /no such file/],
    ['bytes that are not UTF-8', { file_path: 'latin.txt', old_string: 'b', new_string: 'c' }, /not a UTF-8 text file/],
    ['an edit that changes nothing', { file_path: 'a.txt', old_string: 'x', new_string: 'x' }, /nothing to change/],
    ['an empty old_string', { file_path: 'a.txt', old_string: '', new_string: 'x' }, /old_string/],
    ['a folder', { file_path: 'sub', old_string: 'a', new_string: 'x' }, /not a regular file/],
    ['the workspace folder', { file_path: '.', old_string: 'a', new_string: 'x' }, /workspace folder itself/],
    ['a path through a file', { file_path: 'a.txt/b', old_string: 'a', new_string: 'x' }, /not a folder/],
  ];
  for (const [what, input, told] of refused) {
    it(`refuse ${what}`, async () => {
      await folder.put('a.txt', 'x y x');
      await folder.put('latin.txt', new Uint8Array([0x61, 0xff, 0x62]));
      await mkdir(folder.at('sub'));
      await assert.rejects(call(createEditTool(), input, folder.context()), (error) => {
        assert.ok(error instanceof ToolInputError);
        assert.match(error.message, told);
        assert.ok(!error.message.includes(folder.base));
        return true;
      });
      assert.deepEqual(await allPaths(join(folder.storage, 'staging')), []);
    });
  }

  describe('after an interruption', () => {
    const input = { file_path: 'a.txt', content: 'new\n' };

    async function cutAndRecover(meanwhile: () => Promise<unknown>) {
      const tool = createWriteTool();
      const context = haveRead('a.txt', 'old\n');
      const plan = await tool.plan(input, context);
      await meanwhile();
      return tool.recover(cutStep(tool, input, plan, context), context);
    }

    it('a write that was done is taken as done, with its artifact', async () => {
      const tool = createWriteTool();
      await folder.put('a.txt', 'old\n');
      const context = haveRead('a.txt', 'old\n');
      const plan = await tool.plan(input, context);
      await plan.execute();
      assert.deepEqual(await tool.recover(cutStep(tool, input, plan, context), context), {
        kind: 'settled',
        result: {
          outcome: 'succeeded',
          content: 'a.txt has the intended content: this was done before the interruption.',
          artifacts: [{ path: 'a.txt', change: 'changed', size: 4, sha256: hashBytes('new\n') }],
          lines: { added: 1, removed: 1 },
          note: 'was done before the interruption',
        },
      });
    });

    it('a write that was not done is done again', async () => {
      assert.deepEqual(await cutAndRecover(() => Promise.resolve()), { kind: 'rerun' });
      await folder.put('a.txt', 'old\n');
      assert.deepEqual(await cutAndRecover(() => Promise.resolve()), { kind: 'rerun' });
    });

    it('a file that someone else changed is left alone', async () => {
      await folder.put('a.txt', 'old\n');
      const recovery = await cutAndRecover(() => folder.put('a.txt', 'by hand\n'));
      assert.ok(recovery.kind === 'settled');
      assert.equal(recovery.result.outcome, 'cut');
      assert.match(recovery.result.content, /changed by someone else meanwhile; it is left as it is. Read it again/);
      assert.equal(await text('a.txt'), 'by hand\n');
    });

    it('a path that leads outside by now is left alone', async () => {
      const recovery = await cutAndRecover(async () => {
        const { symlink } = await import('node:fs/promises');
        await writeFile(join(folder.base, 'outside.txt'), 'new\n');
        await symlink(join(folder.base, 'outside.txt'), folder.at('a.txt'));
      });
      assert.ok(recovery.kind === 'settled' && recovery.result.outcome === 'cut');
    });

    it('what the cut attempt left half made in the folder is cleared away', async () => {
      const recovery = await cutAndRecover(async () => {
        await folder.put(`.ratchet-${hashBytes('toolu_step1').slice(0, 12)}.tmp`, 'half');
        await folder.put('.ratchet-000000000000.tmp', 'of another step');
      });
      assert.equal(recovery.kind, 'rerun');
      assert.deepEqual(await allPaths(folder.folder), ['.ratchet-000000000000.tmp']);
    });

    it('a step without a recorded intent is not guessed at', async () => {
      const tool = createEditTool();
      const recovery = await tool.recover(
        cutStep(tool, input, { preview: '', execute: () => Promise.reject(new Error()) }, folder.context()),
        folder.context(),
      );
      assert.ok(recovery.kind === 'settled' && recovery.result.outcome === 'cut');
    });
  });
});

describe('a write that changes nothing', () => {
  let place: ToolFolder;

  beforeEach(async () => {
    place = await createToolFolder();
  });
  afterEach(() => place.remove());

  it('says so in its plan, so that nobody is asked about it, and fails when the file is another one by then', async () => {
    const path = await place.put('a.txt', 'same\n');
    const planned = (content: string): Promise<ToolPlan> =>
      createWriteTool().plan({ file_path: 'a.txt', content }, place.context());
    const plan = await planned('same\n');
    assert.equal(plan.changesNothing, true);
    assert.equal((await plan.execute()).content, 'a.txt already has this content: nothing was written.');
    await writeFile(path, 'theirs\n');
    assert.equal((await plan.execute()).outcome, 'failed');
    assert.equal(await readFile(path, 'utf8'), 'theirs\n');
  });
});
