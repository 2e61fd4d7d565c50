import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { proposeRules } from '../../src/core/approval/proposals.ts';
import { coveredBy, type ApprovalRule } from '../../src/core/approval/rules.ts';
import { parseCommand, plainText, printCommand } from '../../src/core/approval/shellCommand.ts';

const npmTest: readonly ApprovalRule[] = [{ kind: 'program', words: ['npm', 'test'] }];
const covered = (command: string, rules = npmTest): string | undefined =>
  coveredBy({ kind: 'command', command, syntax: 'posix' }, rules);

/** Text as a shell might be given it: much punctuation, few letters. */
const shellText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...'ab1 =/.-'.split('')) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          ...'\'"\\$`;&|<>(){}[]*?~#!\n\t'.split(''),
          '&&',
          '||',
          '2>&1',
          '>/dev/null',
          '$x',
          '${x}',
          '$?',
          '\\\n',
          'A=b ',
          '"a b"',
          "'$x'",
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom('ä', '🎉', '\u00a0', '\r', '\u200b', '；') },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

const wordCharacters = fc.constantFrom(...'ab1=/.-_,:@%+ \'"\\$`;&|<>(){}[]*?~#!\n'.split(''), 'ä', '🎉');
const wordText = fc.array(wordCharacters, { maxLength: 6 }).map((parts) => parts.join(''));

/** One word with this value, in some way of quoting. */
function spelled(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    `'${text.replaceAll("'", "'\\''")}'`,
    `"${text.replace(/["\\$`]/g, '\\$&')}"`,
    text === '' ? "''" : text.replace(/[\s\S]/gu, (c) => (c === '\n' ? "'\n'" : `\\${c}`)),
  );
}

describe('approval rules: fuzzed', () => {
  it('never throw, and print what they parsed so that it parses to the same', () => {
    fc.assert(
      fc.property(shellText, (text) => {
        const parsed = parseCommand(text);
        if (parsed.kind === 'unclear') return;
        const printed = printCommand(parsed.line);
        const again = parseCommand(printed);
        assert.deepEqual(again, parsed, printed);
        assert.equal(printCommand(again.line), printed);
      }),
      { numRuns: 4_000 },
    );
  });

  it('whatever is joined to an allowed command by something that means anything to a shell is asked about', () => {
    const joints = fc.constantFrom(
      ...[
        ';',
        '&',
        '&&',
        '||',
        '|',
        '\n',
        '|&',
        ' ; ',
        '\n\n',
        ';\n',
        ' &\n',
        '$(',
        '`',
        '<(',
        '>',
        '>>',
        '<',
        '<<',
        '${',
      ],
    );
    const other = fc.constantFrom('rm', 'rm -rf x', 'x)', 'x`', 'sh', 'EOF', 'PATH=/tmp', '/tmp/npm test', 'x}');
    fc.assert(
      fc.property(fc.constantFrom('npm test', 'npm test -- a'), joints, other, (command, joint, more) => {
        assert.equal(covered(`${command}${joint}${more}`), undefined);
        assert.equal(covered(`${command} ${joint} ${more}`), undefined);
        assert.equal(covered(`${more}${joint}${command}`), undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('whatever is put anywhere into an allowed command runs no other program', () => {
    fc.assert(
      fc.property(shellText, fc.nat(12), (text, at) => {
        const command = 'npm test -- x';
        const changed = command.slice(0, at) + text + command.slice(at);
        if (covered(changed) === undefined) return;
        const parsed = parseCommand(changed);
        assert.ok(parsed.kind === 'line');
        for (const { assignments, words } of parsed.line.commands) {
          assert.deepEqual(assignments, []);
          assert.deepEqual(words.slice(0, 2).map(plainText), ['npm', 'test']);
        }
      }),
      { numRuns: 4_000 },
    );
  });

  it('what is offered covers what was asked, and not the same with another command behind it', () => {
    fc.assert(
      fc.property(shellText, (text) => {
        const proposal = proposeRules({ kind: 'command', command: text, syntax: 'posix' });
        for (const { rules } of proposal.kind === 'choices' ? proposal.choices : []) {
          assert.notEqual(covered(text, rules), undefined);
          assert.equal(covered(`${text}\nother-program`, rules), undefined);
          assert.equal(covered(`other-program;${text}`, rules), undefined);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  const bash = '/bin/bash';
  const shells = [bash, '/bin/sh'].filter((shell) => existsSync(shell));

  /** The words that a shell makes of each line; one process for all lines. */
  function wordsBy(shell: string, lines: readonly string[]): readonly (readonly string[])[] {
    const script = lines.map((line) => `printf '%s\\0' ${line}\nprintf '\\1'`).join('\n');
    const { stdout, stderr, status } = spawnSync(shell, ['-c', script], { encoding: 'utf8', cwd: '/' });
    assert.equal(status, 0, stderr);
    return stdout
      .split('\u0001')
      .slice(0, -1)
      .map((words) => words.split('\0').slice(0, -1));
  }

  for (const shell of shells) {
    it(`split words as ${shell} does`, () => {
      const word = wordText.chain((value) => spelled(value).map((text) => ({ value, text })));
      const lines = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), { numRuns: 300, seed: 7 });
      const texts = lines.map((line) => line.map(({ text }) => text).join(' '));
      const split = wordsBy(shell, texts);
      assert.equal(split.length, texts.length);
      texts.forEach((text, index) => {
        assert.deepEqual(
          split[index],
          lines[index]?.map(({ value }) => value),
          'the generator spells right',
        );
        const parsed = parseCommand(`printf ${text}`);
        assert.ok(parsed.kind === 'line', `${text} is clear`);
        assert.deepEqual(parsed.line.commands.length, 1);
        assert.deepEqual(parsed.line.commands[0]?.words.slice(1).map(plainText), split[index]);
      });
    });

    it(`agree with ${shell} on what was generated freely: the same words, or it is asked about`, () => {
      // Whatever runs or writes something is unclear or has an operator: only plain lines get to the shell.
      const plain = fc.sample(shellText, { numRuns: 3_000, seed: 11 }).flatMap((text) => {
        const parsed = parseCommand(`printf ${text}`);
        if (parsed.kind === 'unclear' || parsed.line.commands.length > 1) return [];
        const [command] = parsed.line.commands;
        const words = command?.words.slice(1).map(plainText) ?? [];
        if (!command || command.redirections.length > 0 || words.length === 0 || words.includes(undefined)) return [];
        return [{ text, words }];
      });
      assert.ok(plain.length > 200, String(plain.length));
      const split = wordsBy(
        shell,
        plain.map(({ text }) => text),
      );
      plain.forEach(({ text, words }, index) => {
        assert.deepEqual(split[index], words, JSON.stringify(text));
      });
    });
  }

  if (existsSync(bash)) {
    it('take for clear only what bash can parse', () => {
      const clear = fc
        .sample(shellText, { numRuns: 3_000, seed: 13 })
        .filter((text) => parseCommand(text).kind === 'line');
      assert.ok(clear.length > 200, String(clear.length));
      // Each in a function that is never called, so that bash checks all of them in one process.
      const script = clear.map((text, index) => `f${String(index)}() {\n${text}\n}`).join('\n');
      const { status, stderr } = spawnSync(bash, ['-n'], { input: script, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    });
  }
});
