import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lookalikeWarning } from '../../../src/core/lookalikes.ts';
import {
  shownParts,
  visibleLabel,
  visibleLine,
  visibleText,
  withoutTurns,
  type TextKind,
} from '../../../src/core/visibleText.ts';

describe('visible text', () => {
  const table: readonly (readonly [what: string, text: string, shown: string, kind?: TextKind])[] = [
    ['plain words', 'npm test -- "a b"', 'npm test -- "a b"'],
    ['lines and a few blanks', 'a\n\n  b\tc', 'a\n\n  b\tc'],
    ['letters of any language', 'größe 数据 русский עברית हिन्दी', 'größe 数据 русский עברית हिन्दी'],
    ['pictures with selectors and joiners', '❤️ 👩‍💻 👍🏽 1️⃣', '❤️ 👩‍💻 👍🏽 1️⃣'],
    ['a joiner that Persian needs', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['what turns the line around', 'a \u202e b \u202c', 'a ⟨U+202E⟩ b ⟨U+202C⟩'],
    ['isolates and marks of direction', '\u2066a\u2069\u200e\u200f\u061c', '⟨U+2066⟩a⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩'],
    ['zero width', 'r\u200bm\u200d \u2060\ufeff\u00ad', 'r⟨U+200B⟩m⟨U+200D⟩ ⟨U+2060⟩⟨U+FEFF⟩⟨U+00AD⟩'],
    ['fillers', '\u115f\u1160\u3164\uffa0\u2800\u034f', '⟨U+115F⟩⟨U+1160⟩⟨U+3164⟩⟨U+FFA0⟩⟨U+2800⟩⟨U+034F⟩'],
    ['tags', 'a\u{e0072}\u{e006d}', 'a⟨U+E0072⟩⟨U+E006D⟩'],
    ['selectors in excess', 'a\ufe0f❤️\ufe0f\u{e0101}', 'a⟨U+FE0F⟩❤️⟨U+FE0F⟩⟨U+E0101⟩'],
    ['a carriage return and an escape', 'a\rb\u001b[2K\u0007\0\u007f', 'a⟨CR⟩b⟨ESC⟩[2K⟨U+0007⟩⟨NUL⟩⟨DEL⟩'],
    ['a carriage return at the end of a line of a command', 'a\r\nb', 'a⟨CR⟩\nb'],
    ['line ends of Windows in a diff', '+a\r\n-b\rc', '+a\r\n-b⟨CR⟩c', 'diff'],
    ['blanks that are none', 'a\u00a0b\u3000c\u2003d\u2028e', 'a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2003⟩d⟨U+2028⟩e'],
    ['such blanks in prose', 'Oui\u00a0! \u202fa', 'Oui !  a', 'prose'],
    ['a half of a pair', 'a\ud83d', 'a⟨U+D83D⟩'],
    ['letters for private use', '\ue000', '⟨U+E000⟩'],
    ['signs that are piled up', `a${'\u0301'.repeat(6)}`, `a${'\u0301'.repeat(4)}⟨U+0301⟩⟨U+0301⟩`],
    ['a mark that somebody wrote', '⟨U+202E⟩', '⟨U+27E8⟩U+202E⟨U+27E9⟩'],
    ['many blanks', `a${' '.repeat(40_000)}; rm -rf x`, 'a ⟨40,000 blanks⟩; rm -rf x'],
    ['many tabs', `a${'\t'.repeat(90)}b`, 'a ⟨90 blanks⟩b'],
    ['many line ends', `a${'\n'.repeat(60)}rm x`, 'a\n⟨59 empty lines⟩\nrm x'],
    ['line ends with blanks between', `a${'\n \t'.repeat(60)}\nrm x`, 'a\n⟨60 empty lines⟩\nrm x'],
  ];
  for (const [what, text, expected, kind] of table) {
    it(`${what}: ${JSON.stringify(expected)}`, () => {
      assert.equal(visibleText(text, kind), expected);
    });
  }

  it('nothing is left that is not drawn, and what is drawn is left as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const all = visibleText(text);
        assert.doesNotMatch(all, /[[\p{Cc}--[\n\t]]\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/v);
        const plain = shownParts(text, 'code').filter(({ isMark }) => !isMark);
        for (const part of plain) for (const letter of part.text.trim()) assert.ok(text.includes(letter));
      }),
      { numRuns: 3_000 },
    );
  });

  it('printable ASCII is never changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), (text) => {
        assert.equal(visibleText(text), text);
      }),
    );
  });

  it('an answer keeps its markup and its blanks, and says what turns its lines around', () => {
    assert.equal(withoutTurns('a **b**\u00a0\u200bc \u202ed'), 'a **b**\u00a0\u200bc ⟨U+202E⟩d');
  });

  it('one line for titles and lists, in which nothing becomes a picture or a link', () => {
    assert.equal(visibleLine(`a${'\n'.repeat(60)}b\u202e`), 'a ⏎ b⟨U+202E⟩');
    assert.equal(visibleLabel('$(trash) [Allow](command:x) $(a b)'), '\\$(trash) [Allow] (command:x) $(a b)');
  });
});

describe('letters that look like others', () => {
  const warned: readonly (readonly [text: string, says: RegExp])[] = [
    ['cаt x', /а \(Cyrillic\)/],
    ['сору x', /: с, о, р, у \(Cyrillic\) in "сору"\.$/],
    ['rm αbc', /α \(Greek\)/],
    ['./ѕсrірt.sh', /Cyrillic/],
    ['ｒｍ -rf x', /ｒ \(U\+FF52\)/],
    ['ls；rm x', /； \(U\+FF1B\)/],
    ['rm ‑rf x', /‑ \(U\+2011\)/],
    ['cat a∕b', /∕ \(U\+2215\)/],
    ['𝚛𝚖 x', /U\+1D69B/],
    ['ɡit push', /ɡ \(U\+0261\) in "ɡit"/],
    ['ꜱudo x', /ꜱ \(U\+A731\)/],
    ['ɑwk x', /ɑ \(U\+0251\)/],
    ['ıs', /ı \(U\+0131\)/],
    ['rm fıle', /ı \(U\+0131\)/],
    ['ⲥat x', /ⲥ \(Coptic\)/],
    ['ⲥⲁⲧ x', /Coptic/],
    ['ᴄat x', /ᴄ \(U\+1D04\)/],
    ['git ‐‐force', /‐ \(U\+2010\) in "‐‐force"/],
    ['git checkout ‐‐ x', /‐ \(U\+2010\) in "‐‐"/],
    ['git −−force', /− \(U\+2212\)/],
    ['git ˗˗force', /˗ \(U\+02D7\)/],
    ['cat\u0338 x', /\u25cc\u0338 \(U\+0338\)/],
    ['echo a; gịt push', /ị \(U\+1ECB\) in "gịt"/],
    ['X=1 sudo łs', /ł \(U\+0142\)/],
    ['git --fߊrce', /U\+07CA/],
    ['cat a\u0337b', /U\+0337/],
    ['аb аc аd аe аf', /and in 2 more words/],
  ];
  for (const [text, says] of warned) {
    it(`says so of ${text}`, () => assert.match(lookalikeWarning(text) ?? '', says));
  }
  for (const text of [
    'npm test',
    'git commit -m "Исправить ошибку а не сор"',
    'echo größe',
    'cat 数据.txt',
    'echo "a – b"',
    'echo κόσμε',
    'git commit -m "Türkçe satırı düzelt"',
    'cat zażółć.txt',
    'cat Việt.txt e\u0301te\u0301.txt',
    'größe.txt',
    'cat v2数据.txt',
    'echo "データー"',
    'echo 1️⃣ ❤️',
    'echo हिन्दी',
    'cat øre.txt łódź.txt',
    '',
  ]) {
    it(`says nothing of ${JSON.stringify(text)}`, () => assert.equal(lookalikeWarning(text), undefined));
  }
});
