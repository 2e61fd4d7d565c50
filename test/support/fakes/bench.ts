// A window with everything around the sessions faked: a scripted model, tools, a clock, journals in memory. Several
// benches on one disk are several windows.
import type { ApprovalMode, EventOf, EventType, FolderIdentity, SessionEvent } from '../../../src/core/events.ts';
import type { ApprovalRuleStore } from '../../../src/runner/approvalRules.ts';
import type { RequestSettings } from '../../../src/core/requestBuilder.ts';
import type { LiveSession, SessionChange } from '../../../src/runner/liveSession.ts';
import type { ModelChoice, SessionPorts } from '../../../src/runner/sessionPorts.ts';
import { Sessions } from '../../../src/runner/sessions.ts';
import type { SessionStore } from '../../../src/runner/sessionStore.ts';
import { createFakeTool, type FakeTool, type FakeToolOptions } from './fakeTools.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { createMemoryRules } from './memoryRules.ts';
import { createMemoryDisk, type MemoryDisk } from './memoryStore.ts';
import { createScriptedModel, type ModelTurn, type ScriptedModel } from './scriptedModel.ts';
import { createSteadyClock, type SteadyClock } from './steadyClock.ts';

export const folder: FolderIdentity = { uri: 'file:///home/ada/job', name: 'job', path: '/home/ada/job' };

export const settings: RequestSettings = {
  model: 'claude-opus-4-8',
  thinking: 'adaptive',
  maxTokens: 8_000,
  takesSystemMessages: true,
};

export interface BenchOptions {
  readonly turns?: readonly ModelTurn[];
  readonly tools?: readonly FakeToolOptions[];
  readonly disk?: MemoryDisk;
  readonly store?: SessionStore;
  readonly ownerId?: string;
  readonly approvalMode?: ApprovalMode;
  readonly rules?: ApprovalRuleStore;
  readonly runTimeLimit?: number;
  readonly settings?: Partial<RequestSettings>;
  readonly ports?: Partial<SessionPorts>;
}

export interface Bench {
  readonly sessions: Sessions;
  readonly disk: MemoryDisk;
  readonly model: ScriptedModel;
  readonly clock: SteadyClock;
  readonly ports: SessionPorts;
  readonly changes: readonly SessionChange[];
  readonly logged: readonly { readonly message: string; readonly error: unknown }[];
  /** What happened in what order: "durable step_started", "append request_started", "request", "effect note". */
  readonly actions: readonly string[];
  tool(name: string): FakeTool;
  /** A new session; its id. */
  create(): Promise<string>;
  /** A new session with a message, run to its end; its id. */
  ran(text?: string): Promise<string>;
  /** Settles when the run of the session has ended (at once when there is none). */
  ended(sessionId: string): Promise<LiveSession>;
  /** The first event of this type that the session has or gets. */
  event<T extends EventType>(sessionId: string, type: T, matches?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>;
  events(sessionId: string): readonly SessionEvent[];
}

let benches = 0;

/** What a launch asks for, and the rest as it is set. */
function chosenSettings({ effort: set, ...chosen }: RequestSettings, choice: ModelChoice): RequestSettings {
  const effort = choice.effort ?? set;
  return {
    ...chosen,
    model: choice.model ?? chosen.model,
    thinking: choice.thinking ?? chosen.thinking,
    ...(effort && effort !== 'default' && { effort }),
  };
}

export function createBench(options: BenchOptions = {}): Bench {
  benches += 1;
  const ownerId = options.ownerId ?? `window-${String(benches)}`;
  const actions: string[] = [];
  const logged: { message: string; error: unknown }[] = [];
  const changes: SessionChange[] = [];
  const clock = createSteadyClock();
  const disk = options.disk ?? createMemoryDisk();
  const model = createScriptedModel(options.turns, () => actions.push('request'));
  const toolOptions = options.tools ?? [{ name: 'note' }];
  const tools = toolOptions.map((tool) => createFakeTool(tool, (name) => actions.push(`effect ${name}`)));
  const chosen: RequestSettings = { ...settings, ...options.settings };
  let ids = 0;
  const ports: SessionPorts = {
    store: options.store ?? disk.window(ownerId, clock.now),
    clock,
    newId: () => `${ownerId}-id-${String(++ids)}`,
    chance: () => 0,
    tools,
    agents: {
      roster: async () => ({ agents: [], problems: [] }),
      systemPrompt: async (_folder, { name, instructions }) => `You are ${name}. ${instructions}`,
      choice: () => ({}),
    },
    revertFiles: createMemoryFiles().port,
    commands: {
      running: async () => [],
      tail: async () => [],
      howItEnded: async () => undefined,
      end: async () => undefined,
    },
    prepareModel: async (choice) => ({
      port: model,
      settings: chosenSettings(chosen, choice),
    }),
    systemPrompt: async ({ name }) => `You work in ${name}.`,
    surroundings: async () => '',
    approvalRules: options.rules ?? createMemoryRules(),
    defaultApprovalMode: () => options.approvalMode ?? 'allowAll',
    runTimeLimit: () => options.runTimeLimit ?? 3_600_000,
    patience: () => 600_000,
    assertMayRun: () => undefined,
    listWorkspace: async () => ({ ok: true, value: { files: [], total: 0 } }),
    checkArtifacts: async (_folder, artifacts) => ({
      ok: true,
      value: artifacts.map((artifact) => ({ artifact, verdict: 'intact' as const })),
    }),
    openEditors: () => ({ ok: true, value: [] }),
    log: (message, error) => logged.push({ message, error }),
    ...options.ports,
  };
  const sessions = new Sessions(ports);
  sessions.onChange((change) => {
    changes.push(change);
  });
  const beforeWrite = disk.beforeWrite;
  disk.beforeWrite = (events, durable) => {
    beforeWrite(events, durable);
    for (const { type } of events) actions.push(`${durable ? 'durable' : 'append'} ${type}`);
  };

  const bench: Bench = {
    sessions,
    disk,
    model,
    clock,
    ports,
    changes,
    logged,
    actions,
    tool: (name) => {
      const found = tools.find(({ definition }) => definition.name === name);
      if (!found) throw new Error(`the bench has no tool ${name}`);
      return found;
    },
    create: async () => (await sessions.create(folder)).id,
    ran: async (text = 'Do the job.') => {
      const id = await bench.create();
      await sessions.send(id, text);
      await bench.ended(id);
      return id;
    },
    ended: async (sessionId) => {
      const session = await sessions.open(sessionId);
      await session.run?.ended;
      return session;
    },
    event: (sessionId, type, matches = () => true) => nextEvent(bench, sessionId, type, matches),
    events: (sessionId) => disk.events(sessionId),
  };
  return bench;
}

function nextEvent<T extends EventType>(
  { sessions, changes }: Bench,
  sessionId: string,
  type: T,
  matches: (event: EventOf<T>) => boolean,
): Promise<EventOf<T>> {
  const wanted = (change: SessionChange): EventOf<T> | undefined => {
    if (change.kind !== 'event' || change.sessionId !== sessionId || !isOf(change.event, type)) return undefined;
    return matches(change.event) ? change.event : undefined;
  };
  for (const change of changes) {
    const event = wanted(change);
    if (event) return Promise.resolve(event);
  }
  return new Promise((resolve) => {
    const off = sessions.onChange((change) => {
      const event = wanted(change);
      if (!event) return;
      off();
      resolve(event);
    });
  });
}

function isOf<T extends EventType>(event: SessionEvent, type: T): event is EventOf<T> {
  return event.type === type;
}
