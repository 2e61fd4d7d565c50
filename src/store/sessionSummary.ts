// A session in one row of a list, from the two ends of its journal: no list ever reads a trace whole.
// What is found is kept beside the journal as a cache that may be deleted at any time.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { folderIdentitySchema, sessionStates, type JournalHeader, type SessionEvent } from '../core/events.ts';
import { isRevertEvent } from '../core/reverts.ts';
import { usageSchema } from '../core/messages.ts';
import { stepsOfLastRun } from '../core/runSteps.ts';
import { foldEvents } from '../core/sessionFold.ts';
import { cutStep, hasWork, openRun, stateName, unknownTool } from '../core/sessionState.ts';
import { stepTitle } from '../core/stepTitles.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { readIfThere, replaceFile } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { readJournalPart } from './journalReader.ts';
import { parsedJson } from '../core/parsedJson.ts';

export const journalName = 'journal.jsonl';
const cacheName = 'summary.json';
const headBytes = 64 * 1024;
/** Holds the end of nearly every trace: a list of a thousand sessions reads this much of each that is new to it. */
const firstTailBytes = 64 * 1024;
/** Holds the longest step that a run can have. What is longer is damage. */
const longestTailBytes = 16 * 1024 * 1024;

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
  /** From when on the server takes requests again, when the last run ended to wait for that. */
  retryAt: z.number().optional(),
  /** Usage by model, where the trace was read whole. */
  spending: z.record(z.string(), usageSchema).optional(),
  /** Steps of the last run and when it began, where its beginning was read. */
  runSteps: z.number().optional(),
  runStartedAt: z.number().optional(),
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
  const cached = await readCache(join(sessionFolder, cacheName));
  if (cached?.size === size && cached.mtimeMs === mtimeMs) return cached.summary;
  const summary = await scan(journal, size, cached?.summary.title);
  if (summary) {
    const cache: z.infer<typeof cacheSchema> = { version: 1, size, mtimeMs, summary };
    try {
      crashPoint('before_summary_cache');
      await replaceFile(join(sessionFolder, cacheName), JSON.stringify(cache));
      crashPoint('after_summary_cache');
    } catch (error) {
      // A full or read-only disk makes the next list slower; it must not make the session unreadable.
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
  return summary;
}

/** What an earlier look found. A cache that cannot be read is none. */
async function readCache(file: string): Promise<z.infer<typeof cacheSchema> | undefined> {
  try {
    return cacheSchema.safeParse(parsedJson((await readIfThere(file)) ?? '')).data;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

async function scan(journal: string, size: number, lastTitle: string | undefined): Promise<SessionSummary | undefined> {
  const head: SessionEvent[] = [];
  const { header, position } = await readJournalPart(journal, 0, Math.min(size, headBytes), (event) =>
    head.push(event),
  );
  if (!header) return undefined;
  let tail: SessionEvent[] = [];
  let start = size;
  for (let length = firstTailBytes; start > position.offset && length <= longestTailBytes; length *= 4) {
    start = Math.max(position.offset, size - length);
    tail = [];
    await readJournalPart(journal, start, size, (event) => tail.push(event));
    // What a revert goes back to may stand anywhere.
    if (tail.some((event) => 'runId' in event) && !tail.some(isRevertEvent)) break;
  }
  if (start <= position.offset)
    return summarize(header, [...head, ...tail.filter(({ seq }) => seq > position.lastSeq)], true);
  // What stands between is not known: nothing that began in the head may count as going on.
  const lasting = head.filter(({ type }) => type === 'title_changed' || type === 'user_message_added');
  const ends = summarize(header, [...lasting, ...withRuns(tail)]);
  // A run begins with a message: one with images is longer than what was read of it.
  const summary = { ...ends, hasWork: ends.hasWork || head.some(({ type }) => type === 'run_started') };
  const renamed = tail.some(({ type }) => type === 'title_changed');
  return renamed || lastTitle === undefined || lastTitle === '' ? summary : { ...summary, title: lastTitle };
}

/** The events with a start for each run whose own start was not read. */
function withRuns(events: readonly SessionEvent[]): SessionEvent[] {
  const known = new Set<string>();
  return events.flatMap((event) => {
    if (!('runId' in event) || known.has(event.runId)) return [event];
    const { seq, at, runId } = event;
    known.add(runId);
    if (event.type === 'run_started') return [event];
    return [{ type: 'run_started', seq, at, runId, cause: 'message', model: '', thinking: 'off', maxTokens: 1 }, event];
  });
}

function summarize(header: JournalHeader, events: readonly SessionEvent[], isWhole = false): SessionSummary {
  const state = foldEvents(header, events);
  const name = stateName(state, false);
  const step =
    name === 'done' || name === 'created' || (name === 'failed' && !openRun(state)) ? undefined : cutStep(state);
  const title =
    step && step.tool !== unknownTool
      ? stepTitle(step.tool, step.input, step.status === 'waiting' ? 'asks' : 'running')
      : undefined;
  const run = state.runs.at(-1);
  const retryAt = run?.end?.error?.retryAt;
  // A run whose own start was not read has one without a model.
  const beginning = run?.model === '' ? undefined : run;
  return {
    id: header.sessionId,
    folder: header.folder,
    title: state.title,
    state: name,
    hasWork: hasWork(state),
    createdAt: header.createdAt,
    updatedAt: state.lastAt,
    ...(retryAt !== undefined && { retryAt }),
    ...(isWhole && state.spending.size > 0 && { spending: Object.fromEntries(state.spending) }),
    ...(title && { cut: `${title.verb.toLowerCase()} ${title.subject}` }),
    ...(beginning && { runSteps: stepsOfLastRun(state), runStartedAt: beginning.startedAt }),
  };
}
