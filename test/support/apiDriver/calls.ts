// What a test asks the driver extension for, and what it answers.
import { z } from 'zod';

/** Names the folder in which each extension host leaves a file, called as its process, with its port in it. */
export const foldersVariable = 'RATCHET_TEST_API_FOLDER';

const sessionId = z.string();
export const callSchema = z.discriminatedUnion('method', [
  z.object({ method: z.literal('create') }),
  /** The id of the session with this title. */
  z.object({ method: z.literal('find'), title: z.string() }),
  z.object({ method: z.literal('resume'), sessionId }),
  /** Answered when the run that it began has ended. */
  z.object({ method: z.literal('send'), sessionId, text: z.string() }),
  /** Shows a file in a text editor, with the cursor at its end. */
  z.object({ method: z.literal('open'), path: z.string() }),
  /** From now on, as a language service would: each line with this word in an open document is an error. */
  z.object({ method: z.literal('reportLinesWith'), word: z.string() }),
]);
export type Call = z.infer<typeof callSchema>;

export const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.string() }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
