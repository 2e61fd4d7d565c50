// Output of commands as text that can be shown and sent: as a terminal would have left it, cut between code points, with what was
// left out counted. Pure: bytes in, text out. Must never know where the bytes come from.

import { ellipsis, tailOf } from './wellFormed.ts';

/** How much of an output's start and end is wanted, in bytes. */
export interface OutputLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
  /** False: the lines between are not counted, which would mean to read them all. */
  readonly countsOmitted?: boolean;
}

/** Start and end of an output. When nothing is left out, all of it is in `head` and `tail` is empty. */
export interface OutputWindow {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly totalBytes: number;
  /** Line feeds between head and tail; absent when there was too much to count. */
  readonly omittedLines?: number;
}

export interface ShapedOutput {
  /** Well-formed plain text, with a line that says what was left out. Empty when there was no output. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  /** Absent when they were not counted. */
  readonly omittedLines?: number;
  /** The output is not text; `text` only says so. */
  readonly isBinary: boolean;
}

/** The last lines of an output that is still growing. */
export interface LiveTail {
  /** Takes the next bytes; a chunk may end anywhere, also inside a character or an escape sequence. */
  push(chunk: Uint8Array): void;
  /** The last lines as a terminal would show them, an unfinished one included. */
  lines(): readonly string[];
}

const lineFeed = 10;
const longestRawLine = 8_192;
const longestShownLine = 2_000;
/** More than this share of control and undecodable characters, and it is not text. */
const binaryShare = 0.1;

const esc = '\u001b';
const bell = '\u0007';
/** Each may be cut off at the end of the text; a string without its terminator ends with the line. */
const escapeSequences = new RegExp(
  [
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]?`, // CSI: colours, cursor, erasing
    `${esc}[\\]PX^_][^${bell}${esc}\n]*(?:${bell}|${esc}\\\\)?`, // OSC, DCS and the like: titles, links
    `${esc}[ -/]+[0-~]?`, // character sets
    `${esc}[0-~]?`, // two-character sequences
  ].join('|'),
  'g',
);
const backspace = '\b';
/** What shows as nothing: control characters but tab, line feed and carriage return. */
const controls = new RegExp(`[${range(0x01, 0x08)}${range(0x0b, 0x1f)}${range(0x7f, 0x9f)}]`, 'g');
/** What text seldom holds: control characters that move nothing and ring nothing, and bytes that are not UTF-8. */
const suspects = new RegExp(`[${range(0x00, 0x06)}${range(0x0e, 0x1a)}${range(0x1c, 0x1f)}\u007f\ufffd]`, 'g');

/** Text for a model or a reader from the start and the end of an output. */
export function shapeOutput(window: OutputWindow): ShapedOutput {
  const { totalBytes } = window;
  const isWhole = window.tail.length === 0 && window.head.length >= totalBytes;
  const head = isWhole ? window.head : cutEnd(window.head);
  const tail = cutStart(window.tail);
  const omittedBytes = Math.max(totalBytes - head.length - tail.length, 0);
  const rawHead = decode(head);
  const rawTail = decode(tail);
  if (isBinary(countSuspects(rawHead) + countSuspects(rawTail), rawHead.length + rawTail.length)) {
    return { text: describeBinary(totalBytes), totalBytes, omittedBytes: totalBytes, isBinary: true };
  }
  if (isWhole) return { text: cleanOutput(rawHead), totalBytes, omittedBytes: 0, omittedLines: 0, isBinary: false };
  const cutLines = countLines(window.head) - countLines(head) + countLines(window.tail) - countLines(tail);
  const omittedLines = window.omittedLines === undefined ? undefined : window.omittedLines + cutLines;
  const parts = [cleanOutput(rawHead), describeOmitted(omittedBytes, omittedLines), cleanOutput(rawTail)];
  const text = parts
    .filter((part) => part !== '')
    .reduce((all, part) => `${all}${all.endsWith('\n') ? '' : '\n'}${part}`);
  return { text, totalBytes, omittedBytes, ...(omittedLines === undefined ? {} : { omittedLines }), isBinary: false };
}

/** The window of an output that is all in memory. */
export function windowOf(bytes: Uint8Array, { headBytes, tailBytes }: OutputLimits): OutputWindow {
  const totalBytes = bytes.length;
  if (totalBytes <= headBytes + tailBytes) return { head: bytes, tail: new Uint8Array(), totalBytes, omittedLines: 0 };
  const tailFrom = totalBytes - tailBytes;
  const omittedLines = countLines(bytes.subarray(headBytes, tailFrom));
  return { head: bytes.subarray(0, headBytes), tail: bytes.subarray(tailFrom), totalBytes, omittedLines };
}

/** Plain text as a terminal would have left it: no escape sequences, of a line that was written over only the last state. */
export function cleanOutput(text: string): string {
  const plain = text.replace(escapeSequences, '');
  return plain.split('\n').map(cleanLine).join('\n');
}

/** Keeps the last `lineCount` lines of a growing output. */
export function createLiveTail(lineCount: number): LiveTail {
  const decoder = new TextDecoder();
  let finished: string[] = [];
  let current = '';
  let bytes = 0;
  let characters = 0;
  let suspicious = 0;
  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      characters += text.length;
      suspicious += countSuspects(text);
      const lines = `${current}${text}`.split('\n');
      current = shortenRaw(lines.pop() ?? '');
      finished = [...finished, ...lines.slice(-lineCount).map(shortenRaw)].slice(-lineCount);
    },
    lines() {
      if (isBinary(suspicious, characters)) return [describeBinary(bytes)];
      const raw = current === '' ? finished : [...finished, current];
      return raw.slice(-lineCount).map((line) => ellipsis(cleanOutput(line), longestShownLine));
    },
  };
}

/** Bounds a line that never ends; of one that is written over again and again, only the last states matter. */
function shortenRaw(line: string): string {
  if (line.length <= longestRawLine) return line;
  return tailOf(line.slice(line.lastIndexOf('\r', line.length - 2) + 1), longestRawLine);
}

function cleanLine(line: string): string {
  const states = line.split('\r');
  const last = states.findLast((state) => state !== '') ?? '';
  const typed = last.includes(backspace) ? applyBackspaces(last) : last;
  return typed.replaceAll('\0', '\u2400').replace(controls, '');
}

function applyBackspaces(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === backspace) kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** The end of a head is put between two lines, or at least between two characters. */
function cutEnd(bytes: Uint8Array): Uint8Array {
  const lastLine = bytes.lastIndexOf(lineFeed) + 1;
  if (lastLine > bytes.length * 0.75) return bytes.subarray(0, lastLine);
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const isComplete = start + lengthOfCharacter(bytes[start]) <= bytes.length;
  return isComplete ? bytes : bytes.subarray(0, start);
}

/** The start of a tail, likewise. */
function cutStart(bytes: Uint8Array): Uint8Array {
  const firstLine = bytes.indexOf(lineFeed) + 1;
  if (firstLine > 0 && firstLine < bytes.length * 0.25) return bytes.subarray(firstLine);
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lengthOfCharacter(first: number | undefined): number {
  if (first === undefined || first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

function countSuspects(text: string): number {
  return text.match(suspects)?.length ?? 0;
}

function isBinary(suspicious: number, characters: number): boolean {
  return suspicious > characters * binaryShare;
}

function range(first: number, last: number): string {
  return `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;
}

function describeBinary(bytes: number): string {
  return `binary output, ${formatCount(bytes)} bytes`;
}

function describeOmitted(bytes: number, lines: number | undefined): string {
  const counted = lines === undefined ? '' : `, ${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;
  return `[… ${formatCount(bytes)} bytes${counted} left out …]`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
