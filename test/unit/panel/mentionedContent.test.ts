import assert from 'node:assert/strict';
import { mentionedContent } from '../../../src/panel/mentionedContent.ts';
import type { EditorProblem } from '../../../src/panel/mentionSources.ts';
import { suggestionsFor } from '../../../src/panel/suggestions.ts';
import { folder } from '../../support/fakes/bench.ts';
import { mentionSources } from '../../support/fakes/mentionSources.ts';

const files = {
  'src/app.ts': 'let app;',
  'src/lib/words.ts': 'let words;',
  'logo.png': { kind: 'binary', path: 'logo.png', bytes: 12_000 },
  'my notes.md': 'Notes.',
} as const;

describe('mentioned content', () => {
  const sources = mentionSources(files);
  const problemsOf = async (text: string, picked: readonly string[] = []): Promise<unknown> =>
    (await mentionedContent(sources, folder, text, picked)).map(({ label, problem }) => [label, problem]);

  it('is what the files and folders of the text hold, each once', async () => {
    const attached = await mentionedContent(
      sources,
      folder,
      'See @src/app.ts, @./src/app.ts, @src/ and @"my notes.md"',
    );
    assert.deepEqual(
      attached.map(({ kind, label }) => [kind, label]),
      [
        ['file', 'src/app.ts'],
        ['folder', 'src/'],
        ['file', 'my notes.md'],
      ],
    );
    assert.match(attached[0]?.text ?? '', /let app;/);
    assert.match(attached[1]?.text ?? '', /note="2 files">\nsrc\/app\.ts\nsrc\/lib\/words\.ts\n/);
  });

  it('leaves words alone that only look like mentions, unless they were chosen from the list', async () => {
    assert.deepEqual(await problemsOf('Use @angular/core and @param, mail me@example.com'), []);
    assert.deepEqual(await problemsOf('See @old.ts', ['old.ts']), [
      ['old.ts', 'It was not there when the message was sent.'],
    ]);
  });

  it('names what is not text', async () => {
    assert.deepEqual(await problemsOf('@logo.png'), [
      ['logo.png', 'It is not text (12 KB), so only its name is attached.'],
    ]);
  });

  it('says what the editor does not have', async () => {
    const [selection, problems, terminal] = await mentionedContent(sources, folder, '@selection @problems @terminal');
    assert.equal(selection?.problem, 'Nothing was selected in the editor.');
    assert.equal(problems?.problem, 'The editor reports no problems in the folder.');
    assert.equal(terminal?.problem, 'No terminal is open.');
    const silent = mentionSources({}, { terminal: () => ({ name: 'bash', runs: [] }) });
    const [nothing] = await mentionedContent(silent, folder, '@terminal');
    assert.match(nothing?.problem ?? '', /only commands run since Ratchet started, with shell integration/);
  });

  it('is the selection with its lines, the problems with the worst first, and the last output', async () => {
    const problem = (severity: EditorProblem['severity'], message: string): EditorProblem => ({
      ...{ path: 'src/app.ts', line: 3, column: 5, severity, message },
      source: 'ts(2345)',
    });
    const editor = mentionSources(files, {
      selection: () => ({ path: 'src/app.ts', firstLine: 3, lastLine: 9, text: 'let x;', isUnsaved: true }),
      problems: () => [problem('warning', 'slow'), problem('error', 'broken\n  here')],
      terminal: () => ({
        name: 'bash',
        runs: [
          { command: 'make', output: 'built\n', exitCode: 0 },
          { command: 'make test', output: '1 failed\n', exitCode: 2 },
          { command: 'true', output: '', exitCode: 0 },
        ],
      }),
    });
    const attached = await mentionedContent(editor, folder, '@selection, @problems and @terminal');
    assert.deepEqual(
      attached.map(({ label, text }) => [label, text.split('\n').slice(1, -1)]),
      [
        ['src/app.ts:3-9', ['let x;']],
        ['2 problems', ['src/app.ts:3:5 error: broken here [ts(2345)]', 'src/app.ts:3:5 warning: slow [ts(2345)]']],
        [
          'terminal bash',
          ['$ make', 'built', '', '$ make test', '1 failed', '(exit code 2)', '', '$ true', '(no output was seen)'],
        ],
      ],
    );
    assert.match(attached[0]?.text ?? '', /note="with changes that are not saved"/);
  });

  it('is suggested: the words of the editor with what they hold, then paths that fit', async () => {
    const names = async (query: string): Promise<readonly string[]> =>
      (await suggestionsFor(sources, folder, query)).map(({ name }) => name);
    assert.deepEqual((await names('')).slice(0, 3), ['selection', 'problems', 'terminal']);
    assert.deepEqual(await names('s/wo'), ['src/lib/words.ts']);
    assert.deepEqual(await names('src/'), ['src/', 'src/lib/', 'src/app.ts', 'src/lib/words.ts']);
    const [selection] = await suggestionsFor(sources, folder, 'sel');
    assert.equal(selection?.unavailable, 'nothing is selected');
  });
});
