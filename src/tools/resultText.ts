// The text of a tool result: never empty, always well-formed, never longer than the model should get.
import { countOf, grouped } from '../core/words.ts';

/** Bytes (UTF-8) of a result at most. */
export const resultLimit = 48 * 1024;

/**
 * Makes a text fit to be a result. NUL becomes U+FFFD; a cut is at a code point and says how much was left out.
 * @param whenEmpty said instead of nothing, such as "(empty file)"
 * @param hint how to get at what was left out
 */
export function resultText(text: string, whenEmpty: string, hint = '', limit = resultLimit): string {
  const clean = text.toWellFormed().replaceAll('\0', '\uFFFD');
  if (clean.trim() === '') return clean === '' ? whenEmpty : `${whenEmpty.slice(0, -1)}, only white space)`;
  const bytes = Buffer.from(clean, 'utf8');
  if (bytes.length <= limit) return clean;
  const end = codePointStart(bytes, limit);
  const rest = bytes.subarray(end);
  let lines = 0;
  for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10, at + 1)) lines += 1;
  const left = `${grouped(rest.length)} more bytes, ${countOf(lines, 'line break')}, left out`;
  return `${bytes.toString('utf8', 0, end)}\n[${left}${hint === '' ? '' : `; ${hint}`}]`;
}

/** The start of the code point that the byte at `index` belongs to, in valid UTF-8. */
function codePointStart(bytes: Uint8Array, index: number): number {
  let at = index;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
