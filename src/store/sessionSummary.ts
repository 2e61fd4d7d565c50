// A session in one row of a list, from the two ends of its journal: no list ever reads a trace whole.
// What is found is kept beside the journal as a cache that may be deleted at any time.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { folderIdentitySchema, sessionStates, type JournalHeader, type SessionEvent } from '../core/events.ts';
import { cutStep, foldEvents, hasWork, openRun, stateName } from '../core/sessionState.ts';
import { stepTitle } from '../core/stepTitles.ts';
import { readIfThere, replaceFile } from '../jobs/durableFiles.ts';
import { readJournalPart } from './journalReader.ts';

export const journalName = 'journal.jsonl';
const cacheName = 'summary.json';
const headBytes = 64 * 1024;
const firstTailBytes = 256 * 1024;

const summarySchema = z.object({
  id: z.string(),
  folder: folderIdentitySchema,
  title: z.string(),
  /** As the trace tells it: `interrupted` stands for an open run, whether or not somebody owns it. */
  state: z.enum(sessionStates),
  hasWork: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** What the last run was doing when it was cut: "running python tune.py". */
  cut: z.string().optional(),
});
export type SessionSummary = Readonly<z.infer<typeof summarySchema>>;

const cacheSchema = z.object({ version: z.literal(1), size: z.number(), mtimeMs: z.number(), summary: summarySchema });

/**
 * The row of the session in a storage folder, or undefined when its header cannot be read.
 * @throws FutureFormatError, or the error of the file system
 */
export async function readSummary(sessionFolder: string): Promise<SessionSummary | undefined> {
  const journal = join(sessionFolder, journalName);
  const { size, mtimeMs } = await stat(journal);
  const cached = cacheSchema.safeParse(parse((await readIfThere(join(sessionFolder, cacheName))) ?? ''));
  if (cached.success && cached.data.size === size && cached.data.mtimeMs === mtimeMs) return cached.data.summary;
  const summary = await scan(journal, size);
  if (summary) {
    const cache: z.infer<typeof cacheSchema> = { version: 1, size, mtimeMs, summary };
    await replaceFile(join(sessionFolder, cacheName), JSON.stringify(cache));
  }
  return summary;
}

async function scan(journal: string, size: number): Promise<SessionSummary | undefined> {
  const events: SessionEvent[] = [];
  const take = (event: SessionEvent): void => void events.push(event);
  const { header, position } = await readJournalPart(journal, 0, Math.min(size, headBytes), take);
  if (!header) return undefined;
  let tail: SessionEvent[] = [];
  for (let length = firstTailBytes; position.offset < size; length *= 4) {
    const start = Math.max(position.offset, size - length);
    tail = [];
    await readJournalPart(journal, start, size, (event) => tail.push(event));
    if (start === position.offset || tail.some(({ type }) => type === 'run_started' || type === 'run_ended')) break;
  }
  return summarize(header, [...events, ...tail.filter(({ seq }) => seq > position.lastSeq)]);
}

function summarize(header: JournalHeader, events: readonly SessionEvent[]): SessionSummary {
  const state = foldEvents(header, events);
  const name = stateName(state, false);
  const step = name === 'done' || name === 'created' || (name === 'failed' && !openRun(state)) ? undefined : cutStep(state);
  const title = step && stepTitle(step.tool, step.input, step.status === 'waiting' ? 'asks' : 'running');
  return {
    id: header.sessionId,
    folder: header.folder,
    title: state.title,
    state: name,
    hasWork: hasWork(state),
    createdAt: header.createdAt,
    updatedAt: state.lastAt,
    ...(title && { cut: `${title.verb.toLowerCase()} ${title.subject}` }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
