// What is typed and not recorded yet, as it is kept: what stands in an input, and messages on their way.
import { z } from 'zod';
import { imageSchema, type MessageImage } from './images.ts';
import { sendIdSchema } from './sendIds.ts';

const contentShape = {
  text: z.string(),
  /** Mentions that were chosen from the list. */
  picked: z.array(z.string()).optional(),
  images: z.array(imageSchema).optional(),
  /** By the clock of the page, in milliseconds since 1970: of two copies the newer one counts. */
  at: z.number(),
};

/** What stands in the input of one session; an empty text says that it was cleared. */
export const keptDraftSchema = z.object({ key: z.string().min(1).max(200), ...contentShape });

/** A message from the key press that sends it until it is recorded. */
export const keptSendSchema = z.object({
  id: sendIdSchema,
  sessionId: z.string().min(1).max(200),
  /** The session is made by this message, under this id. */
  isNew: z.literal(true).optional(),
  ...contentShape,
});

interface KeptContent {
  readonly text: string;
  readonly picked?: readonly string[] | undefined;
  readonly images?: readonly MessageImage[] | undefined;
  readonly at: number;
}
export interface KeptDraft extends KeptContent {
  /** Of the session; of the one that does not exist yet, the panel's own word. */
  readonly key: string;
}
export interface KeptSend extends KeptContent {
  readonly id: string;
  readonly sessionId: string;
  readonly isNew?: true | undefined;
}

export interface KeptDrafts {
  readonly drafts: readonly KeptDraft[];
  readonly sends: readonly KeptSend[];
}

/** Kept drafts as a file or the panel has them. */
export const keptDraftsSchema = z.object({ drafts: z.array(keptDraftSchema), sends: z.array(keptSendSchema) });
