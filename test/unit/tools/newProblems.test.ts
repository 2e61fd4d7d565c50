import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { newProblems, problemsText, type Problem } from '../../../src/core/problems.ts';
import { createEditTool } from '../../../src/tools/editTool.ts';
import { createFakeEditor, type FakeEditor } from '../../support/fakes/fakeEditor.ts';
import { call, createToolFolder, type ToolFolder } from './toolFolder.ts';

const error = (line: number, message: string): Problem => ({ severity: 'error', line, message, source: 'ts' });
/** One problem for each line with a "!". */
const lint = (text: string): readonly Problem[] =>
  text.split('\n').flatMap((line, index) => (line.includes('!') ? [error(index + 1, `${line} is loud`)] : []));

describe('problems after an edit', () => {
  let folder: ToolFolder;
  let editor: FakeEditor;
  beforeEach(async () => {
    folder = await createToolFolder();
    editor = createFakeEditor();
    editor.lint = lint;
    await folder.put('a.txt', 'one\nold!\ntwo\n');
  });
  afterEach(() => folder.remove());
  const edit = (from: string, to: string, log: (message: string) => void = () => undefined) =>
    call(createEditTool(editor), { file_path: 'a.txt', old_string: from, new_string: to }, folder.context({ log }));

  it('are told to the model when they are new, with their lines', async () => {
    const { content } = await edit('one', 'before\nnew!');
    assert.equal(
      content,
      'edited a.txt (1 replacement(s))\nThe editor reports 1 new problem in a.txt after this change:\nline 2: error: new! is loud (ts)',
    );
    assert.equal(editor.disposed, 1);
  });

  it('are not told when they were there before, or are gone', async () => {
    assert.equal((await edit('one', 'one\nmore')).content, 'edited a.txt (1 replacement(s))');
    assert.equal((await edit('old!', 'quiet')).content, 'edited a.txt (1 replacement(s))');
  });

  for (const [when, fail] of [
    ['before the change', () => (editor.watchProblems = () => Promise.reject(new Error('no service')))],
    [
      'after it',
      () =>
        (editor.watchProblems = async () => ({
          before: [],
          settled: () => Promise.reject(new Error('no service')),
          dispose: () => undefined,
        })),
    ],
  ] as const) {
    it(`cost a line in the log when they cannot be looked up ${when}`, async () => {
      fail();
      const logged: string[] = [];
      const { outcome, content } = await edit('one', 'new!', (message) => logged.push(message));
      assert.equal(outcome, 'succeeded');
      assert.equal(content, 'edited a.txt (1 replacement(s))');
      assert.deepEqual(logged, ['The problems of a file could not be looked up']);
      assert.equal(await readFile(folder.at('a.txt'), 'utf8'), 'new!\nold!\ntwo\n');
    });
  }

  it('count one by one: a second one like the first is new', () => {
    assert.deepEqual(newProblems([error(1, 'x')], [error(4, 'x'), error(9, 'x')]), [error(9, 'x')]);
  });

  it('are cut to ten, errors first, in one line each', () => {
    const warnings = Array.from({ length: 11 }, (_, i): Problem => ({ ...error(i + 1, 'w'), severity: 'warning' }));
    const text = problemsText('a.txt', [...warnings, error(99, `two\n lines ${'x'.repeat(400)}`)]);
    const lines = text.split('\n');
    assert.equal(lines.length, 12);
    assert.match(lines[1] ?? '', /^line 99: error: two lines x+…? ?\(ts\)$/);
    assert.ok((lines[1] ?? '').length < 340);
    assert.equal(lines[11], '(2 more left out)');
    assert.equal(problemsText('a.txt', []), '');
  });
});
