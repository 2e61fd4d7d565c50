import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSpan } from '../../../src/core/fileVersions.ts';
import type { FinishedStep } from '../../../src/core/sessionState.ts';
import type { Tool } from '../../../src/runner/ports.ts';
import { diffContents, proposedContents, type DiffContents } from '../../../src/tools/diffContents.ts';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { createWriteTool } from '../../../src/tools/writeTool.ts';
import { createFakeEditor } from '../../support/fakes/fakeEditor.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

describe('the contents of a diff', () => {
  let folder: ToolFolder;
  let steps: FinishedStep[];
  beforeEach(async () => {
    folder = await createToolFolder();
    steps = [];
  });
  afterEach(() => folder.remove());

  async function made(tool: Tool, input: Readonly<Record<string, unknown>>): Promise<string> {
    const id = `toolu_${String(steps.length)}`;
    const plan = await tool.plan(input, folder.context({ stepId: id, done: () => steps }));
    const { outcome, content, artifacts } = await plan.execute();
    const result = { outcome, content, isError: false, ...(artifacts && { artifacts: [...artifacts] }) };
    const base = { id, runId: 'run', tool: tool.definition.name, input, startedAt: 1, finishedAt: 2 };
    steps.push({ ...base, ...(plan.intent && { intent: plan.intent }), status: 'finished', result });
    return id;
  }
  const write = (content: string, path = 'a.txt') => made(createWriteTool(), { file_path: path, content });
  const edit = (from: string, to: string) =>
    made(createEditTool(), { file_path: 'a.txt', old_string: from, new_string: to });
  async function diff(last: string, first = last): Promise<DiffContents> {
    const span = fileSpan(steps, 'a.txt', last, first);
    assert.ok(span);
    return diffContents(span, { ...folder, steps });
  }
  async function texts(contents: DiffContents): Promise<readonly (string | null)[]> {
    assert.ok(contents.kind === 'diff', contents.kind === 'words' ? contents.words : '');
    return Promise.all(
      [contents.before, contents.after].map(async (sha256) =>
        sha256 === null ? null : await readFile(join(folder.storage, 'kept', sha256), 'utf8'),
      ),
    );
  }
  const words = (contents: DiffContents): string => (contents.kind === 'words' ? contents.words : 'a diff');

  it('of a step are those right before and after it, whatever the file is today', async () => {
    const first = await write('one\n');
    const second = await edit('one', 'two');
    assert.deepEqual(await texts(await diff(second)), ['one\n', 'two\n']);
    await folder.put('a.txt', 'by hand\n');
    // The content after the last edit is nowhere on disk now: it is worked out again.
    await rm(join(folder.storage, 'kept', hashBytes('two\n')));
    assert.deepEqual(await texts(await diff(second)), ['one\n', 'two\n']);
    assert.deepEqual(await texts(await diff(first)), [null, 'one\n']);
  });

  it('of a run are those before its first step and after its last', async () => {
    const first = await write('one\n');
    await edit('one', 'two');
    const last = await edit('two', 'three');
    assert.deepEqual(await texts(await diff(last, first)), [null, 'three\n']);
  });

  it('of a deleted file have nothing after', async () => {
    await write('one\n');
    steps.push({
      ...{ id: 'toolu_rm', runId: 'run', tool: 'run_command', input: {}, status: 'finished' },
      ...{ startedAt: 1, finishedAt: 2 },
      result: {
        ...{ outcome: 'succeeded', content: '', isError: false },
        artifacts: [{ path: 'a.txt', change: 'deleted', size: 0, sha256: null }],
      },
    });
    await rm(folder.at('a.txt'));
    assert.deepEqual(await texts(await diff('toolu_rm')), ['one\n', null]);
  });

  it('are words where one is not kept any more, is not text or is too large', async () => {
    await write('one\n');
    const second = await edit('one', 'two');
    await rm(join(folder.storage, 'kept'), { recursive: true });
    // The content before can still be worked out: it was written by the step before.
    assert.deepEqual(await texts(await diff(second)), ['one\n', 'two\n']);
    steps.shift();
    await rm(join(folder.storage, 'kept'), { recursive: true });
    assert.match(words(await diff(second)), /^What was in a\.txt before this was not kept/);

    steps = [];
    const binary = await write('a\0b', 'b.bin');
    const span = fileSpan(steps, 'b.bin', binary);
    assert.ok(span);
    assert.match(words(await diffContents(span, { ...folder, steps })), /^b\.bin is not text/);
    const large = await write('x'.repeat(9 * 1024 * 1024), 'large.txt');
    const largeSpan = fileSpan(steps, 'large.txt', large);
    assert.ok(largeSpan);
    assert.match(
      words(await diffContents(largeSpan, { ...folder, steps })),
      /^(large\.txt has 9|What was in large\.txt)/,
    );
  });

  it('are not made up where a record does not give the content, as when a secret was redacted', async () => {
    const first = await write('key: secret\n');
    await folder.put('a.txt', 'by hand\n');
    steps = steps.map((step) => ({ ...step, input: { file_path: 'a.txt', content: 'key: [redacted]\n' } }));
    assert.match(words(await diff(first)), /^What was in a\.txt after this was not kept/);
  });

  describe('that is only proposed', () => {
    const proposal = (tool: string, input: Readonly<Record<string, unknown>>, editor = createFakeEditor()) =>
      proposedContents({ id: 'toolu_asked', tool, input }, folder, editor);

    it('are what is there now, with unsaved changes, and what it would be', async () => {
      const path = await folder.put('a.txt', 'one\n');
      const editor = createFakeEditor();
      editor.unsavedTexts.set(path, 'one\ntyped\n');
      const found = await proposal('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }, editor);
      assert.ok(found);
      assert.deepEqual(await texts(found), ['one\ntyped\n', '1\ntyped\n']);
      const made = await proposal('write', { file_path: 'new.txt', content: 'x' });
      assert.ok(made);
      assert.deepEqual(await texts(made), [null, 'x']);
      assert.equal(await readFile(path, 'utf8'), 'one\n');
    });

    it('are words where the change cannot be made any more, and nothing for a command', async () => {
      await folder.put('a.txt', 'one\n');
      const found = await proposal('edit', { file_path: 'a.txt', old_string: 'gone', new_string: '1' });
      assert.ok(found);
      assert.match(words(found), /^This change cannot be made as it stands\. .*not found in a\.txt/);
      assert.equal(await proposal('run_command', { command: 'make' }), undefined);
    });
  });
});
