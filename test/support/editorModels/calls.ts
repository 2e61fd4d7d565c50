// What the tests' extension asks the test for, over loopback, and what it is answered.
import { z } from 'zod';

/** Names the address at which the test listens. */
export const serviceVariable = 'RATCHET_TEST_MODEL_SERVICE';

export const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('call'), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({ kind: z.literal('result'), callId: z.string(), text: z.string() }),
]);
export type Part = z.infer<typeof partSchema>;

export const modelRequestSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), parts: z.array(partSchema) })),
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.unknown() })),
});
export type ModelRequest = z.infer<typeof modelRequestSchema>;

export const modelAnswerSchema = z.array(partSchema);
