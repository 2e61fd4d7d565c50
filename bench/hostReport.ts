// What the host program is told to do and what it says of it.
import { z } from 'zod';

const jobSchema = z.discriminatedUnion('job', [
  /** Resumes a session; its first request is answered by whoever waits there. */
  z.object({ job: z.literal('resume'), baseURL: z.string(), sessionId: z.string() }),
  /** The least that a resume could do: read the trace, parse it, send the request. */
  z.object({ job: z.literal('bare'), baseURL: z.string(), journal: z.string(), body: z.string() }),
  /** Lists the sessions of the folder, again and again. */
  z.object({ job: z.literal('list'), times: z.number() }),
  /** Runs a session of so many steps. */
  z.object({ job: z.literal('steps'), steps: z.number(), tool: z.string(), input: z.record(z.string(), z.unknown()) }),
]);
export type HostJob = Readonly<z.infer<typeof jobSchema>>;
export const setupSchema = z.object({
  root: z.string(),
  folder: z.string(),
  supervisorScript: z.string(),
  job: jobSchema,
});

export const reportSchema = z.object({
  /** When what is measured began, in milliseconds since 1970 with fractions. */
  began: z.number(),
  /** Milliseconds of each time. */
  times: z.array(z.number()),
  /** Bytes that were read, each time. */
  readBytes: z.array(z.number()),
  /** Bytes that were written meanwhile. */
  writtenBytes: z.number(),
  /** Memory before the work began and at its peak, in bytes. */
  idleMemory: z.number(),
  peakMemory: z.number(),
  /** Sessions that were listed, or steps that were made. */
  count: z.number(),
});
export type HostReport = Readonly<z.infer<typeof reportSchema>>;
