import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolInputError, type ToolPlan } from '../../../src/runner/ports.ts';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { createReadTool } from '../../../src/tools/readTool.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { createFakeEditor, type FakeEditor } from '../../support/fakes/fakeEditor.ts';
import { call, createToolFolder, cutStep, readStep, type ToolFolder } from './toolFolder.ts';

const onDisk = 'one\ntwo\n';
const typed = 'one\ntyped\ntwo\n';
const edited = 'one\ntyped\nthree\n';
const input = { file_path: 'a.txt', old_string: 'two', new_string: 'three' };

describe('a file with unsaved changes', () => {
  let folder: ToolFolder;
  let editor: FakeEditor;
  let path: string;
  beforeEach(async () => {
    folder = await createToolFolder();
    editor = createFakeEditor();
    path = await folder.put('a.txt', onDisk);
    editor.unsavedTexts.set(path, typed);
  });
  afterEach(() => folder.remove());
  const text = () => readFile(path, 'utf8');
  const planned = () => createEditTool(editor).plan(input, folder.context());
  async function saved(plan: ToolPlan): Promise<ToolPlan> {
    assert.ok(plan.first, 'something is done first');
    return plan.first.run();
  }

  it('is read as it is in the editor, which is said and remembered', async () => {
    const result = await call(createReadTool(editor), { file_path: 'a.txt' }, folder.context());
    assert.deepEqual(result, {
      outcome: 'succeeded',
      content: `(a.txt has unsaved changes in the editor; this is the text in the editor)\n${typed}`,
      seen: [{ path: 'a.txt', sha256: hashBytes(typed) }],
    });
    const range = await call(createReadTool(editor), { file_path: 'a.txt', view_range: [2, 2] }, folder.context());
    assert.match(range.content, /\ntyped$/);
  });

  it('is planned on the unsaved text, with the save said and nothing touched', async () => {
    const plan = await planned();
    assert.match(plan.first?.words ?? '', /unsaved changes in this file are saved first/);
    assert.match(plan.preview, / typed\n-two\n\+three\n/);
    assert.deepEqual(plan.intent, {
      kind: 'file',
      path: 'a.txt',
      beforeSha256: hashBytes(typed),
      afterSha256: hashBytes(edited),
      diskSha256: hashBytes(onDisk),
    });
    assert.equal(await text(), onDisk);
    assert.deepEqual(editor.saves, []);
  });

  it('is saved, then changed; what the user had typed is kept', async () => {
    const first = await planned();
    const plan = await saved(first);
    assert.equal(await text(), typed);
    assert.equal(plan.preview, first.preview);
    assert.equal(plan.first, undefined);
    const result = await plan.execute();
    assert.equal(result.outcome, 'succeeded');
    assert.match(result.content, /the user's unsaved changes in it were saved first/);
    assert.equal(result.note, 'your unsaved changes were saved first');
    assert.equal(await text(), edited);
    assert.equal(await readFile(join(folder.storage, 'kept', hashBytes(typed)), 'utf8'), typed);
  });

  it('is planned again on what a formatter made of it while it was saved', async () => {
    editor.format = (written) => written.replace('typed', 'typed and formatted');
    const tool = createEditTool(editor);
    const context = folder.context({ done: () => [readStep('a.txt', typed)] });
    const plan = await saved(await tool.plan(input, context));
    assert.ok(plan.intent?.kind === 'file');
    assert.equal(plan.intent.beforeSha256, hashBytes('one\ntyped and formatted\ntwo\n'));
    assert.match(plan.preview, / typed and formatted\n/);
    // Also when the user is asked once more in between.
    const again = await plan.again?.();
    assert.ok(again);
    assert.equal(again.preview, plan.preview);
    await again.execute();
    assert.equal(await text(), 'one\ntyped and formatted\nthree\n');
  });

  it('fails when the formatter removed what was to be replaced; what the user typed is on disk', async () => {
    editor.format = (written) => written.replace('two', '2');
    await assert.rejects(saved(await planned()), ToolInputError);
    assert.equal(await text(), 'one\ntyped\n2\n');
  });

  it('is left alone when it cannot be saved, with words for what to do', async () => {
    editor.refuses = true;
    await assert.rejects(saved(await planned()), (error) => {
      assert.ok(error instanceof ToolInputError);
      assert.match(error.message, /could not be saved: the file is read-only.*has to save or discard them/);
      return true;
    });
    assert.equal(await text(), onDisk);
    assert.equal(editor.unsavedTexts.get(path), typed);
  });

  it('is left alone when it changed on disk meanwhile', async () => {
    const plan = await planned();
    await folder.put('a.txt', 'by another program\n');
    await assert.rejects(saved(plan), /could not be saved: the file was changed on disk meanwhile/);
    assert.equal(await text(), 'by another program\n');
    assert.equal(editor.unsavedTexts.get(path), typed);
  });

  it('is planned anew when the user typed on, or saved, between the plan and the save', async () => {
    const plan = await planned();
    editor.unsavedTexts.set(path, 'two, typed on\n');
    const onward = await saved(plan);
    assert.deepEqual(editor.saves, []);
    assert.ok(onward.first);
    await editor.save(path, new AbortController().signal);
    const clean = await saved(onward);
    assert.equal(clean.first, undefined);
    await clean.execute();
    assert.equal(await text(), 'three, typed on\n');
  });

  it('is left alone when it got them between the save and the change', async () => {
    const plan = await saved(await planned());
    editor.unsavedTexts.set(path, 'typed in the last moment\n');
    const result = await plan.execute();
    assert.equal(result.outcome, 'failed');
    assert.match(result.content, /got unsaved changes in the editor meanwhile/);
    assert.equal(await text(), typed);
  });

  it('cannot be changed while they are in an editor that is no text editor', async () => {
    editor.unsaved = () => Promise.resolve({ kind: 'opaque' });
    await assert.rejects(planned(), /no text editor\. The user has to save or discard them/);
    const { content } = await call(createReadTool(editor), { file_path: 'a.txt' }, folder.context());
    assert.match(content, /^\(a\.txt has unsaved changes in an editor; this is what is on disk\)\none/);
  });

  describe('cut in the middle of a step', () => {
    const recoverAfter = async (meanwhile: (plan: ToolPlan) => Promise<unknown>) => {
      const tool = createEditTool(editor);
      const context = folder.context();
      const plan = await tool.plan(input, context);
      await meanwhile(plan);
      return tool.recover(cutStep(tool, input, plan, context), context);
    };

    it('before the save: is done again from the unsaved text', async () => {
      assert.deepEqual(await recoverAfter(() => Promise.resolve()), { kind: 'rerun' });
      const plan = await saved(await planned());
      await plan.execute();
      assert.equal(await text(), edited);
    });

    it('between the save and the change: is done again, from the saved text', async () => {
      assert.deepEqual(await recoverAfter(saved), { kind: 'rerun' });
      const plan = await planned();
      assert.equal(plan.first, undefined);
      await plan.execute();
      assert.equal(await text(), edited);
    });

    it('after the change: is taken as done', async () => {
      const recovery = await recoverAfter(async (plan) => (await saved(plan)).execute());
      assert.ok(recovery.kind === 'settled');
      assert.equal(recovery.result.outcome, 'succeeded');
    });

    it('after a save that formatted: is left alone, and the model has to look', async () => {
      editor.format = (written) => `${written}\n`;
      const recovery = await recoverAfter(saved);
      assert.ok(recovery.kind === 'settled');
      assert.equal(recovery.result.outcome, 'cut');
      assert.match(recovery.result.content, /or formatted as it was saved; it is left as it is\. Read it again/);
    });
  });

  it('is seen by a write too: unread unsaved text is not written over', async () => {
    const tool = createWriteTool(editor);
    const write = { file_path: 'a.txt', content: 'all new\n' };
    const sawDisk = folder.context({ done: () => [readStep('a.txt', onDisk)] });
    await assert.rejects(tool.plan(write, sawDisk), /has changed since you read it/);
    const sawEditor = folder.context({ done: () => [readStep('a.txt', typed)] });
    await (await saved(await tool.plan(write, sawEditor))).execute();
    assert.equal(await text(), 'all new\n');
    assert.equal(await readFile(join(folder.storage, 'kept', hashBytes(typed)), 'utf8'), typed);
  });
});
