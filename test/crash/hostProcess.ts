// The host of a crash case: the product's own sessions, store, tools, jobs and model, put together without an editor. It
// goes on with the one session of the folder, or begins it, and says on stdout what it has acknowledged:
//   ready · ack <record as it stands in the journal> · doomed (a supervisor that will die was started) · ended <state>
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ulid } from 'ulid';
import { z } from 'zod';
import { builtInAgents } from '../../src/core/agentRoster.ts';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { defaultShell } from '../../src/jobs/commandShell.ts';
import { createJobClient } from '../../src/jobs/jobClient.ts';
import type { JobPort } from '../../src/jobs/jobPort.ts';
import { buildAgentPrompt } from '../../src/model/agentPrompt.ts';
import { createAnthropicModel } from '../../src/model/anthropic.ts';
import { takesSystemMessages } from '../../src/model/modelLimits.ts';
import { buildSystemPrompt } from '../../src/model/systemPrompt.ts';
import { crashPoint, crashVariable } from '../../src/platform/crashPoint.ts';
import type { ModelPort } from '../../src/runner/ports.ts';
import { Sessions, type SessionPorts } from '../../src/runner/sessions.ts';
import type { ClaimedJournal, SessionStore, StoredSession } from '../../src/runner/sessionStore.ts';
import { createFileSessionStore } from '../../src/store/fileSessionStore.ts';
import { checkArtifacts } from '../../src/tools/artifactCheck.ts';
import { createBackgroundCommands } from '../../src/tools/backgroundCommands.ts';
import { createTools } from '../../src/tools/registry.ts';
import { listWorkspace } from '../../src/tools/workspaceListing.ts';
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
  const folder = { uri: pathToFileURL(setup.folder).href, name: 'job', path: setup.folder };
  const sessions = new Sessions(ports());
  say('ready');
  const rows = await sessions.list(folder.uri);
  const problem = rows.find((row) => row.problem !== undefined);
  if (problem) throw new Error(`A session is listed with a problem: ${problem.problem ?? ''}`);
  const begun = rows.find((row) => row.hasWork);
  const id = begun?.id ?? rows[0]?.id ?? (await sessions.create(folder)).id;
  if (begun?.state !== 'done') {
    if (begun) await sessions.resume(id, { mode: setup.mode });
    else await sessions.send(id, userMessage);
  }
  const session = await sessions.open(id);
  await session.run?.ended;
  // As the list tells it: from the disk.
  const after = (await sessions.list(folder.uri)).find((row) => row.id === id);
  say(`ended ${after?.state ?? 'gone'} ${session.state.runs.at(-1)?.end?.error?.message ?? ''}`);
}

function ports(): SessionPorts {
  const log = (message: string, error?: unknown): void => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : '';
    process.stderr.write(`${message} ${detail}\n`);
  };
  return {
    store: acknowledgingStore(
      createFileSessionStore({ root: setup.root, ownerId: ulid(), now: Date.now, redact: (event) => event, log }),
    ),
    clock: {
      now: Date.now,
      delay: async (ms, signal) => {
        await delay(ms, undefined, { signal });
      },
    },
    newId: ulid,
    chance: () => 0,
    tools: createTools({ jobs }),
    agents: {
      roster: () => Promise.resolve({ agents: builtInAgents, problems: [] }),
      systemPrompt: async ({ name, path }, agent) =>
        buildAgentPrompt(
          { folderName: name, folderPath: path, platform: process.platform, shell: defaultShell() },
          agent,
        ),
      choice: () => ({}),
    },
    commands: createBackgroundCommands(jobs),
    prepareModel: () =>
      Promise.resolve({
        port: crashingModel(createAnthropicModel({ apiKey: 'test-key', baseURL: setup.baseURL })),
        settings: {
          model: setup.model,
          thinking: 'adaptive' as const,
          maxTokens: 4_096,
          takesSystemMessages: takesSystemMessages(setup.model),
          ...(setup.contextWindow !== undefined && { contextWindow: setup.contextWindow }),
        },
      }),
    surroundings: async () => '',
    systemPrompt: async ({ name, path }) =>
      buildSystemPrompt({ folderName: name, folderPath: path, platform: process.platform, shell: defaultShell() }),
    defaultApprovalMode: () => 'allowAll',
    approvalRules: { syntax: 'posix', list: () => [], add: async () => undefined, remove: async () => undefined },
    runTimeLimit: () => 600_000,
    assertMayRun: () => undefined,
    listWorkspace: async (folder, first) => {
      const { entries, total } = await listWorkspace(folder, { limit: 200, first });
      return { ok: true, value: { files: entries, total } };
    },
    checkArtifacts: async (folder, artifacts) => {
      const verdicts = await checkArtifacts(folder, artifacts);
      const verdictOn = (path: string): 'intact' | 'changed' | 'missing' => verdicts.get(path) ?? 'missing';
      return { ok: true, value: artifacts.map((artifact) => ({ artifact, verdict: verdictOn(artifact.path) })) };
    },
    openEditors: () => ({ ok: true, value: [] }),
    log,
  };
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
      const answer = await model.stream(request, {
        signal,
        onDelta: (delta) => {
          onDelta(delta);
          crashPoint('test_streaming');
        },
      });
      crashPoint('test_after_answer');
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
    claim: async (onEvent: (event: SessionEvent) => void) => {
      const journal = await claim(onEvent);
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
