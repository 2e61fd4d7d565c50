// From the resume of an interrupted session in a window that was just loaded, to its first request at the strict server.
// Against the least that could be done: read the trace, parse it, send the same request.
import { writeFile } from 'node:fs/promises';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { defaultModels } from '../test/support/messagesServer/models.ts';
import { text } from '../test/support/messagesServer/reply.ts';
import { startMessagesServer, type MessagesServer } from '../test/support/messagesServer/startMessagesServer.ts';
import { runHost, type Programs } from './hostProcess.ts';
import type { HostJob, HostReport } from './hostReport.ts';
import { compare, spreadOf } from './measure.ts';
import { quietMachine } from './quietMachine.ts';
import { makeArtifacts, storeSession } from './recordedSession.ts';
import { megabytes, timeResult, type BenchContext, type Result } from './result.ts';
import { folderIdentity, openStore } from '../test/support/window/window.ts';
import { benchModel, windowPrompt } from './window.ts';

/** For how long a pair waits for others to leave the machine alone. */
const longestWaitMs = 20_000;
/** The real models take less than 2,000 steps of 2 KB. */
const longConversations = defaultModels.map((model) => ({ ...model, max_input_tokens: 10_000_000 }));

export async function resumeBench(context: BenchContext, programs: Programs): Promise<readonly Result[]> {
  const server = await startMessagesServer({ script: () => text('Done.'), rules: { models: longConversations } });
  try {
    const short = await resume(context, programs, server, 5);
    const long = await resume(context, programs, server, context.quick ? 50 : 2_000);
    return [
      timeResult(
        'Resume of 5 steps to the first request, against parsing the trace and sending it',
        short.comparison,
        100,
      ),
      timeResult(`Resume of ${long.steps} steps of 2 KB to the first request, against the same`, long.comparison, 300),
      {
        what: `Memory at the peak of that resume, above the same window idle`,
        measured: megabytes(long.memory),
        baseline: `${megabytes(long.idleMemory)} idle`,
        ratio: '',
        target: 'under 150 MB',
        met: long.memory < 150 * 1024 * 1024,
      },
    ];
  } finally {
    await server.close();
  }
}

interface Resumed {
  readonly steps: number;
  readonly comparison: Awaited<ReturnType<typeof compare>>;
  /** Bytes. */
  readonly memory: number;
  readonly idleMemory: number;
}

async function resume(
  { quick, scratch }: BenchContext,
  programs: Programs,
  server: MessagesServer,
  steps: number,
): Promise<Resumed> {
  const place = { root: join(scratch, `resume-${steps}`), folder: join(scratch, 'workspace') };
  await makeArtifacts(place.folder, steps);
  const store = openStore(place.root, place.folder);
  const body = join(scratch, `body-${steps}.json`);
  const memory: number[] = [];
  const idle: number[] = [];
  let journal = '';
  const resumed = async (): Promise<number> => {
    const session = { steps, outputLength: 2_048, model: benchModel, prompt: windowPrompt(place.folder), ended: false };
    const stored = await storeSession(store, folderIdentity(place.folder), session);
    journal = stored.journal;
    const { report, ms } = await untilRequest(server, programs, place, {
      job: 'resume',
      baseURL: server.url,
      sessionId: stored.id,
    });
    await writeFile(body, server.messageRequests.at(-1)?.raw ?? '');
    memory.push(report.peakMemory - report.idleMemory);
    idle.push(report.idleMemory);
    return ms;
  };
  const bare = async (): Promise<number> =>
    (await untilRequest(server, programs, place, { job: 'bare', baseURL: server.url, journal, body })).ms;
  await resumed();
  // A burst of somebody else's work would count as the resume's own.
  const quiet = (): Promise<unknown> => (quick ? Promise.resolve() : quietMachine(longestWaitMs, 300));
  const comparison = await compare(quick ? 1 : 15, resumed, bare, quiet);
  if (server.refused.length > 0) throw new Error(`The server refused: ${server.refused[0]?.error?.message ?? ''}`);
  return { steps, comparison, memory: spreadOf(memory).median, idleMemory: spreadOf(idle).median };
}

/** Runs the job and takes the time from its beginning to when its request was here in full. */
async function untilRequest(
  server: MessagesServer,
  programs: Programs,
  place: { readonly root: string; readonly folder: string },
  job: HostJob,
): Promise<{ readonly report: HostReport; readonly ms: number }> {
  let arrived: number | undefined;
  const onRequest = (message: unknown): void => {
    if (!isStart(message)) return;
    message.request.once('end', () => {
      arrived ??= performance.timeOrigin + performance.now();
    });
  };
  subscribe('http.server.request.start', onRequest);
  try {
    const report = await runHost(programs, place, job);
    if (arrived === undefined) throw new Error(`No request came to ${server.url}.`);
    return { report, ms: arrived - report.began };
  } finally {
    unsubscribe('http.server.request.start', onRequest);
  }
}

function isStart(message: unknown): message is { readonly request: IncomingMessage } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'request' in message &&
    message.request instanceof IncomingMessage
  );
}
