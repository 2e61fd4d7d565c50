// What the input asks the host while something is written, and what it is told. Nothing of it belongs to the numbered
// changes: an answer that is lost costs a list of suggestions or a thumbnail, and is asked for again.
import { z } from 'zod';
import type { AttachmentKind } from '../core/attachments.ts';
import { imageSchema } from '../core/images.ts';
import { sendIdSchema } from '../core/sendIds.ts';
import { slashCommandNames } from '../core/slashCommands.ts';

/** One line of the list under an `@`. */
export interface Suggestion {
  readonly kind: AttachmentKind;
  /** The path or keyword that is written into the text; a mention of it begins with `@`. */
  readonly name: string;
  /** Beside the name: "lines 3-9 of src/app.ts", "12 problems". */
  readonly detail?: string;
  /** Why it would attach nothing now. */
  readonly unavailable?: string;
}

export type ComposerAnswer =
  /** Answers `complete` with the same number. */
  | { readonly type: 'suggestions'; readonly id: number; readonly suggestions: readonly Suggestion[] }
  /** Answers `dropped`: names to be written as mentions, and what could not be. */
  | { readonly type: 'mentionsDropped'; readonly names: readonly string[]; readonly problem?: string }
  /** Answers `previewWanted`. `source` is a data URL. */
  | {
      readonly type: 'imagePreview';
      readonly sessionId: string;
      readonly itemId: string;
      readonly index: number;
      readonly source: string;
    };

const place = { itemId: z.string(), index: z.number().int().min(0) };

export const sendSchema = z.object({
  type: z.literal('send'),
  /** The message's own, by which it is known when it comes again; left out by a caller that keeps nothing. */
  id: sendIdSchema.optional(),
  /** The session in which it was written; the one that is open, or a new one, where that is left out. */
  sessionId: z.string().optional(),
  /** The session is to be made, with that id. */
  isNew: z.literal(true).optional(),
  /** When it was sent, by the clock of the page. Milliseconds since 1970. */
  at: z.number().optional(),
  text: z.string(),
  /** Mentions that were chosen from the list: one that is not there any more is said to be missing. */
  picked: z.array(z.string()).optional(),
  images: z.array(imageSchema).optional(),
});

/** Messages about the input. @see panelMessageSchema */
export const composerRequestSchemas = [
  sendSchema,
  /** A command of the input. `text` is what was written, for when it is refused. */
  z.object({
    type: z.literal('slash'),
    name: z.enum(slashCommandNames),
    argument: z.string(),
    text: z.string(),
    id: sendIdSchema.optional(),
  }),
  z.object({ type: z.literal('complete'), id: z.number(), query: z.string().max(500) }),
  z.object({ type: z.literal('dropped'), uris: z.array(z.string()).max(200) }),
  z.object({ type: z.literal('previewWanted'), ...place }),
  z.object({ type: z.literal('openAttachment'), ...place }),
  z.object({ type: z.literal('openImage'), ...place }),
] as const;
