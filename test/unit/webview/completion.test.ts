import assert from 'node:assert/strict';
import type { SlashCommand } from '../../../src/core/slashCommands.ts';
import {
  commandItems,
  fittingItems,
  mentionItems,
  modelItems,
  nothingFound,
  spanAt,
  withItem,
  withMentions,
  type CompletionItem,
  type Edited,
} from '../../../webview-ui/completion.ts';

/** `|` is the caret. */
function span(marked: string): unknown {
  const found = spanAt(marked.replace('|', ''), marked.indexOf('|'));
  return found && [found.kind, found.query];
}
function taken(marked: string, item: Pick<CompletionItem, 'insert'>, goesOn?: boolean): string {
  const text = marked.replace('|', '');
  const found = spanAt(text, marked.indexOf('|'));
  assert.ok(found);
  return shown(withItem(text, found, { key: '', icon: '', label: '', ...item }, goesOn));
}
const shown = ({ text, caret }: Edited): string => `${text.slice(0, caret)}|${text.slice(caret)}`;

describe('webview completion', () => {
  it('begins at an @ that begins a word, until a blank', () => {
    assert.deepEqual(span('@|'), ['mention', '']);
    assert.deepEqual(span('look at @src/a|pp.ts now'), ['mention', 'src/a']);
    assert.deepEqual(span('(@a|'), ['mention', 'a']);
    assert.deepEqual(span('@"my no|'), ['mention', 'my no']);
    for (const none of ['me@example|', '@a b|', '|@a', 'text|', '@"closed" |', ''])
      assert.equal(span(none === '' ? '|' : none), undefined, none);
  });

  it('begins at a / that begins the text, and for models behind /model', () => {
    assert.deepEqual(span('/|'), ['command', '']);
    assert.deepEqual(span('/re|sume'), ['command', 're']);
    assert.deepEqual(span('/model |'), ['model', '']);
    assert.deepEqual(span('/model claude-o|pus'), ['model', 'claude-o']);
    for (const none of [' /re|', 'a /re|', '/etc/ho|sts', '/new x|']) assert.equal(span(none), undefined, none);
  });

  it('replaces the whole word and goes on behind it', () => {
    assert.equal(taken('see @sr|c/old.ts now', { insert: '@src/a.ts' }), 'see @src/a.ts |now');
    assert.equal(taken('see @a|', { insert: '@src/a.ts' }), 'see @src/a.ts |');
    assert.equal(taken('@"my| no" x', { insert: '@"my notes.md"' }), '@"my notes.md" |no" x');
    assert.equal(taken('@a|\nnext', { insert: '@b' }), '@b |\nnext');
    assert.equal(taken('@s|', { insert: '@src/' }, true), '@src/|');
    assert.equal(taken('@m|', { insert: '@"my docs/"' }, true), '@"my docs/|');
    assert.equal(taken('/mo|', { insert: '/model' }), '/model |');
  });

  it('writes dropped names apart from the words around them', () => {
    assert.equal(shown(withMentions('see', 3, ['a.ts', 'b c.ts'])), 'see @a.ts @"b c.ts" |');
    assert.equal(shown(withMentions('', 0, ['a.ts'])), '@a.ts |');
    assert.equal(shown(withMentions('a  b', 2, ['x'])), 'a @x |b');
  });

  it('has the lines that fit, with what they say of themselves', () => {
    const commands: readonly SlashCommand[] = [
      { name: 'resume', description: 'Go on' },
      { name: 'retry', description: 'Again', unavailable: 'Nothing failed.' },
      { name: 'model', description: 'Choose', argument: 'model' },
    ];
    assert.deepEqual(
      commandItems(commands, 'RE').map(({ label, unavailable, isComplete }) => [label, unavailable, isComplete]),
      [
        ['/resume', undefined, true],
        ['/retry', 'Nothing failed.', true],
      ],
    );
    assert.equal(commandItems(commands, 'mod')[0]?.isComplete, false);
    assert.deepEqual(
      modelItems(['a-1', 'a-2', 'b'], 'a', 'a-2').map(({ label, detail }) => [label, detail]),
      [
        ['a-2', 'now'],
        ['a-1', undefined],
      ],
    );
    const [folder] = mentionItems([{ kind: 'folder', name: 'my docs/' }]);
    assert.deepEqual([folder?.insert, folder?.isFolder, folder?.mention], ['@"my docs/"', true, 'my docs/']);
    assert.equal(nothingFound({ kind: 'mention', query: 'x', start: 0, end: 2 }), 'No file or folder fits “x”.');
  });

  it('keeps of a list what has the typed letters in their order', () => {
    const items = mentionItems([
      { kind: 'file', name: 'src/Train.py' },
      { kind: 'file', name: 'docs/art.md' },
      { kind: 'terminal', name: 'terminal' },
    ]);
    const fitting = (typed: string): string[] => fittingItems(items, typed).map(({ label }) => label);
    assert.deepEqual(fitting('tr'), ['src/Train.py', 'terminal']);
    assert.deepEqual(fitting('SRTPY'), ['src/Train.py']);
    assert.deepEqual(fitting('aa'), []);
    assert.deepEqual(fitting(''), ['src/Train.py', 'docs/art.md', 'terminal']);
  });
});
