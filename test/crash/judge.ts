// What must hold after a crash case, whatever was killed: nothing acknowledged is lost, each effect happened once, nothing
// that was sent was refused, the files are those of an uninterrupted run, and nothing is left running.
import { glob, readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { SessionEvent } from '../../src/core/events.ts';
import { foldEvents } from '../../src/core/sessionFold.ts';
import { journalStart, readJournal, type ReadResult } from '../../src/store/journalReader.ts';
import type { MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { bytesOfConversation } from '../support/session/requestPrefix.ts';
import { folderIdentity, openStore } from '../support/window/window.ts';
import type { HostEnd } from './hostRun.ts';
import { stepsFile, type Expected } from './job.ts';
import type { Feature } from './features/feature.ts';
import type { MarkedProcess } from './markedProcesses.ts';

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

export interface Evidence {
  readonly folder: string;
  readonly root: string;
  readonly server: MessagesServer;
  readonly ends: readonly HostEnd[];
  readonly expectedFiles: ReadonlyMap<string, string> | undefined;
  readonly left: readonly MarkedProcess[];
  /** What the job, or the feature, has to have led to. */
  readonly expected: Expected;
  /** What the feature promises beyond. */
  readonly broken?: Feature['broken'];
}

export interface Verdict {
  readonly violations: readonly Violation[];
  readonly files: ReadonlyMap<string, string>;
  readonly counts: {
    readonly resumes: number;
    readonly stepsRunTwice: number;
    readonly stepsLost: number;
    readonly refused: number;
  };
}

/** Looks at all that a case left, and says what of it must not be. */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { folder, root, server, ends, expectedFiles, left, expected, broken: brokenPromises } = evidence;
  const violations: Violation[] = [];
  const must = (rule: string, holds: boolean, detail: string): void => {
    if (!holds) violations.push({ rule, detail });
  };
  const last = ends.at(-1);
  must(
    'the run comes to its end',
    last?.state === 'done',
    last?.hung ? 'it hung' : `${last?.state ?? ''}${last?.log ?? ''}`,
  );

  const files = await filesBelow(folder);
  const lines = (files.get(stepsFile) ?? '').split('\n').filter((line) => line !== '');
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
  const lost = expected.lines.filter((line) => !lines.includes(line));
  must('no step runs twice', twice.length === 0, twice.join(', '));
  must('no step is lost', lost.length === 0, lost.join(', '));
  const differences = expectedFiles ? differencesOf(files, expectedFiles) : [];
  must('the files are those of an uninterrupted run', differences.length === 0, differences.join('; '));

  const { events, others, lost: lostRecords, damage, tailBytes } = await readJournals(root, ends);
  must('no acknowledged record is missing', lostRecords.length === 0, lostRecords.join('\n'));
  must('the journal is whole', damage.length === 0 && tailBytes === 0, `${damage} ${tailBytes} bytes behind its end`);
  must('each step has one start and one end', stepProblems(events).length === 0, stepProblems(events).join('; '));
  must('each agent has one start and one end', agentProblems(events).length === 0, agentProblems(events).join('; '));
  const { tasks, title } = foldRecords(events);
  must('the task list is right', tasks === JSON.stringify(expected.tasks), tasks);
  must('the session has its title', title === expected.title, title);

  const refused = server.refused.map(({ error }) => error?.message ?? '');
  must('no request is refused', refused.length === 0, refused.join('; '));
  const scriptErrors = server.scriptErrors.map(({ message }) => message);
  must('each answer to the model has its reason', scriptErrors.length === 0, scriptErrors.join('; '));
  const broken = brokenPrefixes(server);
  const edits = events.filter(({ type }) => editTypes.has(type)).length;
  must(
    'each request begins with the bytes of the one before, but where a record says why',
    broken.length <= edits,
    `${broken.join(', ')} with ${edits} records`,
  );
  await claimAll(root, folder);
  const litter = [...(await litterBelow(root)), ...(await litterBelow(folder))];
  must('nothing half-made is left', litter.length === 0, litter.join(', '));
  must('no process is left', left.length === 0, left.map(({ commandLine }) => commandLine).join('; '));
  const promises = brokenPromises?.({ records: events, others, server, files }) ?? [];
  must('the feature keeps what it promises', promises.length === 0, promises.join('; '));
  const resumes = events.filter(({ type }) => type === 'session_resumed').length;
  return {
    violations,
    files,
    counts: { resumes, stepsRunTwice: twice.length, stepsLost: lost.length, refused: refused.length },
  };
}

/** Becomes the owner of each session once more, for what the last host left when it was killed at its very end. */
async function claimAll(root: string, folder: string): Promise<void> {
  const store = openStore(root, folder);
  for (const { id } of await store.list(folderIdentity(folder).uri)) {
    const claim = await (await store.open(id)).claim(() => undefined);
    await claim?.close();
  }
}

/** What is only ever there while something is being made. */
async function litterBelow(folder: string): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true });
  return paths.filter((path) => path.endsWith('.tmp') || /(^|\/)staging\/./.test(path));
}

async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(folder, path), await readFile(path, 'utf8'));
  }
  return files;
}

function differencesOf(files: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): readonly string[] {
  // A command that never started is asked for again, after those of its turn that came behind it.
  const contentOf = (of: ReadonlyMap<string, string>, path: string): string | undefined =>
    path === stepsFile ? of.get(path)?.split('\n').sort().join('\n') : of.get(path);
  return [...new Set([...files.keys(), ...expected.keys()])]
    .filter((path) => contentOf(files, path) !== contentOf(expected, path))
    .map((path) => `${path}: ${JSON.stringify(files.get(path))} instead of ${JSON.stringify(expected.get(path))}`);
}

interface Journals {
  readonly events: readonly SessionEvent[];
  /** Of the forks of the session and of what was imported, each whole. */
  readonly others: readonly (readonly SessionEvent[])[];
  /** Acknowledged records that are not there, byte for byte. */
  readonly lost: readonly string[];
  readonly damage: string;
  readonly tailBytes: number;
}

/** A case has one journal with records, and what was made of it; a host that died at once may have left an empty one. */
async function readJournals(root: string, ends: readonly HostEnd[]): Promise<Journals> {
  const kept = new Set<string>();
  const journals: SessionEvent[][] = [];
  const results: ReadResult[] = [];
  for await (const file of glob(join(root, '*', '*', 'journal.jsonl'))) {
    for (const line of (await readFile(file, 'utf8')).split('\n')) kept.add(line);
    const records: SessionEvent[] = [];
    const result = await readJournal(file, journalStart, (event) => records.push(event));
    if (result.header?.sessionId !== basename(dirname(file))) throw new Error(`${file} has no header of its own`);
    if (records.length > 0) journals.push(records);
    results.push(result);
  }
  const damage = results.flatMap((result) => Object.entries(result.damage).filter(([, count]) => count > 0));
  const others = journals.filter((records) => records.some(({ type }) => madeWhole.has(type)));
  const own = journals.filter((records) => !others.includes(records));
  return {
    events: own.flat(),
    others,
    lost: ends.flatMap(({ acknowledged }) => acknowledged).filter((line) => !kept.has(line)),
    damage: [...damage.map(([what, count]) => `${what}: ${count}`), ...(own.length > 1 ? ['two sessions'] : [])].join(),
    tailBytes: results.reduce((sum, result) => sum + result.tailBytes, 0),
  };
}

function stepProblems(events: readonly SessionEvent[]): readonly string[] {
  const asked = events.flatMap((event) =>
    event.type === 'assistant_message_completed'
      ? event.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
      : [],
  );
  const ended = events.flatMap((event) => (event.type === 'step_finished' ? [event.stepId] : []));
  return [
    ...asked.filter((id) => !ended.includes(id)).map((id) => `${id} has no end`),
    ...ended.filter((id, index) => ended.indexOf(id) !== index).map((id) => `${id} ended twice`),
    ...ended.filter((id) => !asked.includes(id)).map((id) => `${id} was never asked for`),
  ];
}

function agentProblems(events: readonly SessionEvent[]): readonly string[] {
  const of = (type: 'agent_started' | 'agent_ended'): readonly string[] =>
    events.flatMap((event) => (event.type === type ? [event.agentId] : []));
  const [started, ended] = [of('agent_started'), of('agent_ended')];
  const delegated = events.flatMap((event) => (event.type === 'agent_started' ? [event.stepId] : []));
  return [
    ...delegated.filter((id, index) => delegated.indexOf(id) !== index).map((id) => `${id} started two agents`),
    ...started.filter((id) => ended.filter((other) => other === id).length !== 1).map((id) => `${id} has no one end`),
    ...events.flatMap((event) =>
      'agentId' in event && event.agentId !== undefined && !started.includes(event.agentId)
        ? [`record ${event.seq} is of an agent that was not started`]
        : [],
    ),
  ];
}

function foldRecords(events: readonly SessionEvent[]): { readonly tasks: string; readonly title: string } {
  const folder = { uri: '', name: '', path: '' };
  const header = { ratchet: 'journal', format: 1, sessionId: 'any', folder, createdAt: 0 } as const;
  const { tasks, title } = foldEvents(header, events);
  return { tasks: JSON.stringify(tasks.map((task) => ({ title: task.title, status: task.status }))), title };
}

/** Of sessions that are made with all of their records. */
const madeWhole: ReadonlySet<string> = new Set(['session_forked', 'session_imported']);

/** Records from which on other bytes are sent. */
const editTypes: ReadonlySet<string> = new Set([
  'thinking_dropped',
  'history_healed',
  'results_trimmed',
  'history_compacted',
  'history_reverted',
  'revert_undone',
]);

/** Numbers of the requests that do not begin with the bytes of the request before them in the same conversation. */
function brokenPrefixes({ messageRequests }: MessagesServer): readonly number[] {
  // A request that its host did not live to send in full has no messages to go on from.
  const whole = messageRequests.filter(({ body }) => body !== undefined);
  const conversations = Object.values(Object.groupBy(whole, ({ body }) => firstMessage(body)));
  return conversations.flatMap((requests = []) =>
    requests.flatMap((request, index) => {
      const before = requests[index - 1];
      return before === undefined || request.raw.startsWith(bytesOfConversation(before)) ? [] : [request.number];
    }),
  );
}

const bodySchema = z.object({ messages: z.array(z.unknown()).min(1) });

function firstMessage(body: unknown): string {
  return JSON.stringify(bodySchema.parse(body).messages[0]);
}
