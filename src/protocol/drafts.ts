// What the panel and the host tell each other so that nothing typed or sent is lost: drafts that are kept on the disk, and
// what became of messages that were on their way when the page or the host ended.
import { z } from 'zod';
import { keptDraftSchema, type KeptDrafts } from '../core/keptDrafts.ts';
import { sendIdSchema } from '../core/sendIds.ts';

/** Messages about drafts. @see panelMessageSchema */
export const draftRequestSchemas = [
  /** Keeps what stands in the input. Images are left out where they are as they were. */
  z.object({ type: z.literal('keepDraft'), draft: keptDraftSchema }),
  /** Answered by `sendOutcomes`, when no message of them is on its way any more. */
  z.object({
    type: z.literal('sendOutcomesWanted'),
    sends: z.array(z.object({ id: sendIdSchema, sessionId: z.string() })).max(100),
  }),
  /** The message is back in the input, and kept as a draft. */
  z.object({ type: z.literal('draftReturned'), id: sendIdSchema }),
] as const;

export type DraftAnswer =
  /** After `ready`: what the host has kept. */
  | ({ readonly type: 'keptDrafts' } & KeptDrafts)
  /** The message is on the disk. */
  | { readonly type: 'sendRecorded'; readonly id: string }
  /** Of the messages that were asked for: those on the disk, and those that nobody has or will. */
  | { readonly type: 'sendOutcomes'; readonly recorded: readonly string[]; readonly unknown: readonly string[] };
