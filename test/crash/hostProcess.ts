// The host of a crash case: a window without an editor, with named places to die at in the model and the journal too. It
// goes on with the one session of the folder, or begins it, and says on stdout what it has acknowledged:
//   ready · ack <record as it stands in the journal> · doomed (a supervisor that will die was started) · ended <state>
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { builtInAgents } from '../../src/core/agentRoster.ts';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { createJobClient } from '../../src/jobs/jobClient.ts';
import type { JobPort } from '../../src/jobs/jobPort.ts';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { crashPoint, crashVariable } from '../../src/platform/crashPoint.ts';
import type { ModelPort } from '../../src/runner/ports.ts';
import type { ClaimedJournal, SessionStore, StoredSession } from '../../src/runner/sessionStore.ts';
import { openDesk } from './desk.ts';
import { featureNames, features } from './features/all.ts';
import { summaryPoint } from './features/compaction.ts';
import { folderIdentity, openStore, openWindow } from '../support/window/window.ts';
import { userMessage } from './job.ts';

const setupSchema = z.object({
  root: z.string(),
  folder: z.string(),
  baseURL: z.string(),
  model: z.string(),
  mode: z.enum(['resume', 'retry']),
  supervisorScript: z.string(),
  /** Tokens; the model's own when it is not given. */
  contextWindow: z.number().optional(),
  /** Whose user is at the desk; without one the job is begun or gone on with. */
  feature: z.enum(featureNames).optional(),
  /** Which job's supervisor is to die, from 1, and where. */
  doomed: z.object({ job: z.number(), at: z.string() }).optional(),
});
export type HostSetup = Readonly<z.infer<typeof setupSchema>>;

const setup = setupSchema.parse(JSON.parse(process.argv[2] ?? ''));
let jobsStarted = 0;
await main();
process.exit(0);

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function main(): Promise<void> {
  const folder = folderIdentity(setup.folder);
  const feature = setup.feature && features[setup.feature];
  const ports = feature?.window?.(setup.root);
  const sessions = openWindow({
    store: acknowledgingStore(openStore(setup.root, setup.folder, { now: ports?.clock?.now })),
    jobs,
    model: () => crashingModel(createAnthropicModel({ apiKey: 'test-key', baseURL: setup.baseURL })),
    modelName: setup.model,
    maxTokens: 4_096,
    agents: builtInAgents,
    ...(setup.contextWindow !== undefined && { contextWindow: setup.contextWindow }),
    ...(ports && { ports }),
  });
  say('ready');
  const rows = await sessions.list(folder.uri);
  const problem = rows.find((row) => row.problem !== undefined);
  if (problem) throw new Error(`A session is listed with a problem: ${problem.problem ?? ''}`);
  // Forks come later.
  const first = rows.toSorted((a, b) => a.createdAt - b.createdAt).find((row) => row.hasWork) ?? rows[0];
  const session = first ? await sessions.open(first.id) : await sessions.create(folder);
  const { id } = session;
  const desk = openDesk(sessions, session, setup.root, setup.mode);
  await (feature ? feature.user(desk) : desk.goOn(userMessage));
  // As the list tells it: from the disk.
  const after = (await sessions.list(folder.uri)).find((row) => row.id === id);
  say(`ended ${after?.state ?? 'gone'} ${session.state.runs.at(-1)?.end?.error?.message ?? ''}`);
}

function jobs(storage: string): JobPort {
  const client = (crashAt: string | undefined): JobPort =>
    createJobClient({
      root: join(storage, 'jobs'),
      supervisorScript: setup.supervisorScript,
      environment: { ...process.env, [crashVariable]: crashAt },
    });
  const sound = client(undefined);
  return {
    ...sound,
    start: (spec) => {
      jobsStarted += 1;
      if (setup.doomed?.job !== jobsStarted) return sound.start(spec);
      say('doomed');
      return client(setup.doomed.at).start(spec);
    },
  };
}

function crashingModel(model: ModelPort): ModelPort {
  return {
    async stream(request, { onDelta, signal }) {
      crashPoint('test_before_request');
      summaryPoint(request, 'before');
      const answer = await model.stream(request, {
        signal,
        onDelta: (delta) => {
          onDelta(delta);
          crashPoint('test_streaming');
          summaryPoint(request, 'streaming');
        },
      });
      crashPoint('test_after_answer');
      summaryPoint(request, 'after');
      return answer;
    },
  };
}

function acknowledgingStore(store: SessionStore): SessionStore {
  return {
    ...store,
    create: async (folder) => acknowledgingSession(await store.create(folder)),
    open: async (sessionId) => acknowledgingSession(await store.open(sessionId)),
  };
}

function acknowledgingSession(stored: StoredSession): StoredSession {
  const claim = stored.claim.bind(stored);
  return Object.assign(stored, {
    claim: async (...[onEvent, onStopAsked]: Parameters<StoredSession['claim']>) => {
      const journal = await claim(onEvent, onStopAsked);
      return journal && acknowledgingJournal(journal);
    },
  });
}

function acknowledgingJournal(journal: ClaimedJournal): ClaimedJournal {
  const acknowledged = async (
    events: readonly NewEvent[],
    write: (events: readonly NewEvent[]) => Promise<readonly SessionEvent[]>,
  ): Promise<readonly SessionEvent[]> => {
    for (const { type } of events) crashPoint(`test_before_${type}`);
    const written = await write(events);
    for (const event of written) say(`ack ${JSON.stringify(event)}`);
    for (const { type } of events) crashPoint(`test_after_${type}`);
    return written;
  };
  return {
    append: (events) => acknowledged(events, (all) => journal.append(all)),
    appendDurable: (events) => acknowledged(events, (all) => journal.appendDurable(all)),
    close: () => journal.close(),
  };
}
