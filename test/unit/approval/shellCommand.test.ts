import assert from 'node:assert/strict';
import { parseCommand, printCommand } from '../../../src/core/approval/shellCommand.ts';

/** The canonical spelling, or why there is none. */
function canonical(text: string): string {
  const parsed = parseCommand(text);
  return parsed.kind === 'line' ? printCommand(parsed.line) : `unclear: ${parsed.why}`;
}

describe('a command line', () => {
  const clear: readonly (readonly [text: string, spelled: string])[] = [
    ['a  b\tc', 'a b c'],
    ['a;b', 'a; b'],
    ['a\n\nb\n', 'a; b'],
    ['a&&b||c|d', 'a && b || c | d'],
    ['a |\n# why\nb', 'a | b'],
    ['a #b;c', 'a'],
    ['a b#c', "a 'b#c'"],
    [`a 'b c' "d e" f\\ g`, "a 'b c' 'd e' 'f g'"],
    [`a "b'c" 'd"e'`, `a 'b'\\''c' 'd"e'`],
    ['a "\\$x \\"y\\" \\\\ \\z"', `a '$x "y" \\ \\z'`],
    ['a "x$" "$ y"', "a 'x$' '$ y'"],
    ['a \'\' b""', "a '' b"],
    ['a $x "$y" ${z}w', 'a ${x} "${y}" ${z}w'],
    ['a *.[ch] {b,c} ~/d', 'a *.[ch] {b,c} ~/d'],
    ['a \'*\' \\? "["', "a '*' '?' '['"],
    ['A=1 B="x y" a C=2', "A=1 B='x y' a C=2"],
    ['A= a', 'A= a'],
    ['a>b', 'a >b'],
    ['>b a 2>&1 c', 'a c >b 2>&1'],
    ['a 1>b 0<c >>d', 'a >b <c >>d'],
    ["a 2 >b '2'>c", 'a 2 2 >b >c'],
    ['a \\\nb', 'a b'],
    ['a\\\nb', 'ab'],
    ['a "b\\\nc"', 'a bc'],
    ["a 'b\\\nc'", "a 'b\\\nc'"],
  ];
  for (const [text, spelled] of clear) {
    it(`${JSON.stringify(text)} is ${JSON.stringify(spelled)}`, () => {
      assert.equal(canonical(text), spelled);
    });
  }

  const unclear: readonly (readonly [text: string, why: RegExp])[] = [
    ['a <2>&1', /redirects/],
    ['a >2>b', /redirects/],
    ['a <\\\n#b', /redirects/],
    ['a 12>b', /redirects/],
    ['a {x}>b', /redirects/],
    ['a > *', /redirects to/],
    ['a <<b', /here-document/],
    ['a >&3', /unusual redirection/],
    ['a >&-', /unusual redirection/],
    ['a &', /background/],
    ['a;;b', /operator ";;"/],
    ['a |& b', /operator "\|&"/],
    ['a &&', /missing/],
    ['| a', /missing/],
    ['a $((1))', /arithmetic/],
    ['a $(b)', /command substitution/],
    ['a "`b`"', /command substitution/],
    ['a ${b:-c}', /expansion/],
    ['a "$"\'b\'$', /expansion/],
    ['a $@', /expansion/],
    ['(a)', /parentheses/],
    ['a() { b; }', /parentheses/],
    ['if a', /control structure/],
    ['! a', /control structure/],
    ['"if" a', /control structure/],
    ['{ a; }', /not plain text/],
    ['[ a ]', /not plain text/],
    ['$a b', /not plain text/],
    ["'' a", /not plain text/],
    ['A[0]=1', /not plain text/],
    ['A+=1 b', /assigns/],
    ['"A"=1 b', /assigns/],
    ['á b', /unusual characters/],
    ['a\rb', /control characters/],
    ["a '\u200b'", /control characters/],
    ["a 'b", /not closed/],
    ['a \\', /backslash/],
    ['', /no command/],
  ];
  for (const [text, why] of unclear) {
    it(`${JSON.stringify(text)} is not certain: ${why.source}`, () => {
      const parsed = parseCommand(text);
      assert.ok(parsed.kind === 'unclear', canonical(text));
      assert.match(parsed.why, why);
    });
  }
});
