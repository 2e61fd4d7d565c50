// What an edit changes in a text file: a unified diff for people, and the lines added and removed.
// Knows nothing of files: two texts in, plain data out.
import { OMIT_HEADERS, formatPatch, structuredPatch, type StructuredPatch } from 'diff';
import { countOf } from './words.ts';
import { headOf } from './wellFormed.ts';

const contextLines = 3;
/** Above this many changed lines the smallest diff is not searched for: it would block for too long. */
const searchLimit = 600;
/** Characters, old and new together, above which a changed region is counted and not shown. */
const shownRegion = 1_000_000;

export interface FileDiff {
  /** Unified diff with its two header lines, at most `limit` characters; what was left out is counted. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/**
 * Compares two texts line by line.
 * @param before null when there was no file
 * @param limit characters of `text` at most, without the line that says what was left out
 */
export function fileDiff(path: string, before: string | null, after: string, limit = 40_000): FileDiff {
  const header = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ b/${path}\n`;
  const region = changedRegion(before ?? '', after);
  if (region.oldText.length + region.newText.length > shownRegion) {
    const { removed, added } = region;
    const words = `(${countOf(removed, 'line')} replaced by ${countOf(added, 'line')}: too many to show)\n`;
    return { text: header + words, added, removed };
  }
  const patch = regionPatch(region);
  let added = 0;
  let removed = 0;
  for (const hunk of patch.hunks) {
    for (const line of hunk.lines) {
      if (line.startsWith('+')) added += 1;
      else if (line.startsWith('-')) removed += 1;
    }
  }
  const body = patch.hunks.length === 0 ? '(no change)\n' : formatPatch(patch, OMIT_HEADERS);
  return { text: capped(header + body, limit), added, removed };
}

/** What differs, in whole lines, with some lines of context around it. */
interface Region {
  readonly oldText: string;
  readonly newText: string;
  /** Lines in front of it. */
  readonly skipped: number;
  /** Lines without the context, if all of the old ones were replaced by all of the new ones. */
  readonly removed: number;
  readonly added: number;
}

/** Common lines at both ends are set aside first, so that a small edit of a large file costs little. */
function changedRegion(before: string, after: string): Region {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const from = backLines(before, start, contextLines);
  const oldEnd = forwardLines(before, before.length - end, contextLines);
  const newEnd = after.length - (before.length - oldEnd);
  return {
    oldText: before.slice(from, oldEnd),
    newText: after.slice(from, newEnd),
    skipped: countLineFeeds(before, from),
    removed: lineCount(before.slice(start, before.length - end)),
    added: lineCount(after.slice(start, after.length - end)),
  };
}

function regionPatch({ oldText, newText, skipped }: Region): StructuredPatch {
  const patch = searchedPatch(oldText, newText) ?? replacedPatch(oldText, newText);
  return {
    ...patch,
    hunks: patch.hunks.map((hunk) => ({
      ...hunk,
      oldStart: hunk.oldStart + skipped,
      newStart: hunk.newStart + skipped,
    })),
  };
}

function searchedPatch(before: string, after: string): StructuredPatch | undefined {
  return structuredPatch('', '', before, after, undefined, undefined, {
    context: contextLines,
    maxEditLength: searchLimit,
  });
}

/** Everything old removed, everything new added: a valid diff, if not the smallest. */
function replacedPatch(before: string, after: string): StructuredPatch {
  const removal = structuredPatch('', '', before, '', undefined, undefined, { context: 0 }).hunks;
  const addition = structuredPatch('', '', '', after, undefined, undefined, { context: 0 }).hunks;
  const lines = [...removal, ...addition].flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return {
    oldFileName: '',
    newFileName: '',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [{ oldStart: 1, oldLines: count('-'), newStart: 1, newLines: count('+'), lines }],
  };
}

/** Length of the common start, cut back to the end of a line. */
function commonStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let same = 0;
  while (same < limit && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  if (same === a.length && same === b.length) return same;
  return same === 0 ? 0 : a.lastIndexOf('\n', same - 1) + 1;
}

/** Length of the common end after `start`, cut to whole lines in both. */
function commonEnd(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let same = 0;
  while (same < limit && a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same)) same += 1;
  for (;;) {
    const startsLine = (text: string): boolean => {
      const at = text.length - same;
      return at === start || text.charCodeAt(at - 1) === 10;
    };
    if (same === 0 || (startsLine(a) && startsLine(b))) return same;
    const next = a.indexOf('\n', a.length - same);
    same = next === -1 ? 0 : a.length - next - 1;
  }
}

function backLines(text: string, at: number, lines: number): number {
  let from = at;
  for (let n = 0; n < lines && from > 0; n++) from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
  return from;
}

function forwardLines(text: string, at: number, lines: number): number {
  let to = at;
  for (let n = 0; n < lines && to < text.length; n++) {
    const next = text.indexOf('\n', to);
    to = next === -1 ? text.length : next + 1;
  }
  return to;
}

function lineCount(text: string): number {
  return countLineFeeds(text, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

function countLineFeeds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function capped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = headOf(text, limit);
  const whole = head.slice(0, head.lastIndexOf('\n') + 1);
  const left = countLineFeeds(text, text.length) - countLineFeeds(whole, whole.length);
  return `${whole === '' ? `${head}\n` : whole}(${countOf(left, 'more line')} of the diff left out)\n`;
}
