// What goes to the thread that searches by a pattern, and what comes back.
import { z } from 'zod';

export const globTaskSchema = z.object({
  /** The workspace folder, links resolved. */
  root: z.string(),
  stepId: z.string(),
  input: z.object({ pattern: z.string(), path: z.string().optional() }),
});
export type GlobTask = z.infer<typeof globTaskSchema>;

export const globAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), text: z.string() }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);
export type GlobAnswer = z.infer<typeof globAnswerSchema>;
