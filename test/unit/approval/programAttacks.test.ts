import assert from 'node:assert/strict';
import { coveredBy, type ApprovalRule } from '../../../src/core/approval/rules.ts';
import { basicsAttacks } from './attacks/basics.ts';
import { attackKinds, linesOf, type ProgramTable } from './attacks/attackTable.ts';
import { compiledAttacks } from './attacks/compiled.ts';
import { gitAttacks } from './attacks/git.ts';
import { javascriptAttacks } from './attacks/javascript.ts';
import { pythonAttacks } from './attacks/python.ts';
import { scriptAttacks } from './attacks/scripts.ts';

const tables: readonly ProgramTable[] = [
  ...basicsAttacks,
  ...javascriptAttacks,
  ...pythonAttacks,
  ...scriptAttacks,
  ...compiledAttacks,
  ...gitAttacks,
];

/** Any of them may stand beside the one that is tried, and none of them for less. */
const all: readonly ApprovalRule[] = tables.map(({ rule }) => ({ kind: 'program', words: rule.split(' ') }));
const npmTest: ApprovalRule = { kind: 'program', words: ['npm', 'test'] };

const covered = (command: string, rules: readonly ApprovalRule[]): string | undefined =>
  coveredBy({ kind: 'command', command, syntax: 'posix' }, rules);

/** What no argument of any program may be, wherever it stands. */
const outside = [
  '/etc/passwd',
  '../x',
  'a/../../x',
  '~/x',
  '~root',
  '$HOME/x',
  '"$HOME"',
  'file:///etc/passwd',
  'https://example.invalid/x',
  'C:\\\\x',
  '@/etc/passwd',
  '--out-of-nowhere',
  '--out-of-nowhere=x',
  '-Ω',
  '-',
  '-o/etc/x',
  '--config=/etc/x',
  '-I../x',
  '>x',
  '<x',
  '-- ../x',
  '-- /etc/passwd',
];

describe('rules with open arguments: what they must not cover', () => {
  for (const table of tables) {
    const rule: ApprovalRule = { kind: 'program', words: table.rule.split(' ') };
    for (const kind of attackKinds) {
      const lines = linesOf(table[kind]);
      if (lines.length === 0) continue;
      it(`${table.rule} …: ${kind}, ${String(lines.length)} lines`, () => {
        assert.deepEqual(
          lines.filter((line) => covered(line, [rule]) !== undefined),
          [],
        );
      });
    }
    it(`${table.rule} …: nothing that leads elsewhere, and no option that is not known`, () => {
      const isText = table.rule === 'echo';
      const lines = isText ? [] : outside.map((argument) => `${table.rule} ${argument}`);
      assert.deepEqual(
        lines.filter((line) => covered(line, [rule]) !== undefined),
        [],
      );
    });
    it(`${table.rule} …: still of use`, () => {
      const lines = linesOf(table.useful);
      assert.ok(lines.length >= 5);
      assert.deepEqual(
        lines.filter((line) => covered(line, [rule, npmTest]) === undefined),
        [],
      );
    });
  }

  it('a line for one program is not covered by the rules of all the others together', () => {
    const lines = tables
      .filter(({ rule }) => rule !== 'echo')
      .flatMap((table) => attackKinds.flatMap((kind) => linesOf(table[kind])));
    assert.ok(lines.length > 800, String(lines.length));
    const open = lines.filter((line) => covered(line, all) !== undefined);
    // Another program's own line, which that program's rule is for.
    assert.deepEqual(
      open.filter((line) => !tables.some(({ useful }) => linesOf(useful).includes(line))),
      [],
    );
  });

  it('a rule for a program that is not known covers its very words only', () => {
    const rule: ApprovalRule = { kind: 'program', words: ['mytool', 'check'] };
    assert.equal(covered('mytool check', [rule]), 'mytool check');
    for (const more of ['x', '--fast', '5', '""']) assert.equal(covered(`mytool check ${more}`, [rule]), undefined);
    assert.equal(covered('npm test | mytool check', [rule, npmTest]), undefined);
  });
});
