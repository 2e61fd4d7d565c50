// What goes along with a message of the user: text that a mention stands for, and images. Their recorded form, their
// limits, and the exact text that the model is sent. It must never know where a file, a terminal or an editor is.
import { z } from 'zod';
import { grouped } from './words.ts';
import { headOf, tailOf } from './wellFormed.ts';

export const attachmentKinds = ['file', 'folder', 'selection', 'problems', 'terminal'] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

export const attachmentSchema = z.object({
  kind: z.enum(attachmentKinds),
  /** What the panel calls it: a path, "src/app.ts:3-9", "problems". */
  label: z.string(),
  /** The block that is sent, tags included: made once, the same bytes ever after. */
  text: z.string(),
  /** Relative to the folder, with `/`; absolute for a selection outside of it. */
  path: z.string().optional(),
  /** First line of a selection, from 1. */
  line: z.number().optional(),
  /** Why it is not there, or not in full, in the user's words. */
  problem: z.string().optional(),
});
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>;

/** UTF-16 units of one attachment's content, and of all those of one message. */
export const attachmentLimits = { each: 60_000, all: 200_000, count: 20 } as const;

/** What a mention was found to stand for, before it is cut to the limits. */
export interface FoundContent {
  readonly kind: AttachmentKind;
  readonly label: string;
  readonly path?: string;
  /** From 1. */
  readonly firstLine?: number;
  readonly lastLine?: number;
  /** Empty when there is nothing; `problem` says why then. */
  readonly content: string;
  /** Bytes or units there are more of than `content` has. */
  readonly isPart?: boolean;
  /** The end counts, as in an output; the beginning when absent. */
  readonly keeps?: 'end';
  /** A few words for the tag: "with unsaved changes". */
  readonly note?: string;
  readonly problem?: string;
}

/** The attachments of one message, each cut to its limit and all of them to theirs. What is cut says so, to the model too. */
export function buildAttachments(found: readonly FoundContent[]): readonly Attachment[] {
  let left: number = attachmentLimits.all;
  return found.map((each, index) => {
    const limit = index >= attachmentLimits.count ? 0 : Math.min(left, attachmentLimits.each);
    const content =
      each.content === '' ? '' : each.keeps === 'end' ? tailOf(each.content, limit) : headOf(each.content, limit);
    left -= content.length;
    const isCut = content.length < each.content.length || each.isPart === true;
    const problem = each.problem ?? (isCut ? cutWords(content.length, each.keeps) : undefined);
    return {
      kind: each.kind,
      label: each.label,
      text: attachmentText(each, content, problem),
      ...(each.path !== undefined && { path: each.path }),
      ...(each.firstLine !== undefined && { line: each.firstLine }),
      ...(problem !== undefined && { problem }),
    };
  });
}

function cutWords(length: number, keeps: 'end' | undefined): string {
  if (length === 0) return 'Left out: this message has as much attached as it can carry.';
  return `Only the ${keeps === 'end' ? 'last' : 'first'} ${grouped(length)} characters are attached.`;
}

function attachmentText(found: FoundContent, content: string, problem: string | undefined): string {
  const lines =
    found.firstLine === undefined
      ? undefined
      : `${String(found.firstLine)}-${String(found.lastLine ?? found.firstLine)}`;
  const attributes = Object.entries({ kind: found.kind, path: found.path, lines, note: found.note })
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${attribute(value)}"`]))
    .join('');
  const body = [content, ...(problem === undefined ? [] : [`(${problem})`])].filter((part) => part !== '').join('\n');
  return `<attachment${attributes}>\n${body}\n</attachment>`;
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replace(/\s+/g, ' ');
}
