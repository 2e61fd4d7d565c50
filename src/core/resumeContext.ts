// What a resumed model is told: one pure function from plain data to text. A section that could not be built becomes
// a line that says so; it never stops the resume. Knows nothing of disk, editor or clock: ages come with `now`.
import type { ResumeMode, SessionStateName, Task } from './events.ts';
import type { Artifact, ListedFile } from './recordedFiles.ts';
import type { ConversationEvent } from './sessionState.ts';
import { ageText, countOf, sizeText } from './words.ts';
import { headOf } from './wellFormed.ts';

export const historyBlockLimit = 40;
export const historyBlockLength = 500;
const artifactLimit = 200;

/** Data that had to be looked up now, or why it could not be. */
export type Looked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

export type ArtifactVerdict = 'intact' | 'changed' | 'missing';

export interface ResumeContextInput {
  readonly now: number;
  readonly mode: ResumeMode;
  readonly priorState: SessionStateName;
  readonly conversation: readonly ConversationEvent[];
  /** The conversations of the agents that work was delegated to. */
  readonly agents?: readonly { readonly name: string; readonly conversation: readonly ConversationEvent[] }[];
  /** Which agent made a file, by its path, where it was one. */
  readonly madeBy?: ReadonlyMap<string, string>;
  readonly tasks: readonly Task[];
  readonly listing: Looked<{ readonly files: readonly ListedFile[]; readonly total: number }>;
  readonly artifacts: Looked<readonly { readonly artifact: Artifact; readonly verdict: ArtifactVerdict }[]>;
  readonly editors: Looked<readonly { readonly path: string; readonly active: boolean; readonly unsaved: boolean }[]>;
  /** Steps that the interruption cut, and what became of each. */
  readonly inFlight: readonly { readonly title: string; readonly became: string }[];
}

/**
 * The user text that starts a resumed run. `mode` shades it and nothing else.
 * @param hadQueue whether messages that the user sent before the cut stand right before it
 */
export function relaunchPrompt(mode: ResumeMode, priorState: SessionStateName, hadQueue = false): string {
  const queued = hadQueue ? ' What the user said last was said before the cut and not answered yet: heed it.' : '';
  if (priorState === 'done') {
    return `The last run of this session had finished. It is opened again: look at what is already there, then do what is still open. If nothing is, say so in one sentence.${queued}`;
  }
  const opening =
    mode === 'retry'
      ? 'The last run did not come to its end. Try again from where it stopped.'
      : 'This session was interrupted and is resumed now. Go on from where it stopped.';
  return `${opening} What is already done stays done: do not start over.${queued}`;
}

/** The parts of a context, in this order. */
export type SectionKey = 'state' | 'history' | 'tasks' | 'listing' | 'artifacts' | 'editors' | 'inFlight' | 'rules';
/** A part that is to be made: when that fails it says so. */
export interface Section {
  readonly key: SectionKey;
  readonly title: string;
  readonly build: () => string;
}

export function resumeSections(input: ResumeContextInput): readonly Section[] {
  return [
    { key: 'state', title: 'State', build: () => stateSection(input) },
    { key: 'history', title: 'Tool history', build: () => historySection(input) ?? 'No tool calls yet.' },
    { key: 'tasks', title: 'Task list', build: () => taskSection(input.tasks) },
    { key: 'listing', title: 'Workspace files', build: () => listingSection(input) },
    { key: 'artifacts', title: 'Artifacts of this session', build: () => artifactSection(input) },
    { key: 'editors', title: 'Open editors', build: () => editorSection(input) },
    { key: 'inFlight', title: 'Step in flight when the run was cut', build: () => inFlightSection(input) },
    { key: 'rules', title: 'Rules', build: () => rules },
  ];
}

/** The whole context as text. Never throws; every section has words for "nothing". */
export function buildResumeContext(input: ResumeContextInput): string {
  return sectionsText(resumeSections(input));
}

/** What an agent is told that goes on inside of a delegation. */
export const agentRelaunchPrompt =
  'Your work was interrupted and goes on now. Go on from where it stopped. What is already done stays done: do not start over.';

/** The same in short for an agent: what became of its calls and of its files. What else there is stands in its conversation. */
export function agentResumeSections({
  artifacts,
  inFlight,
}: Pick<ResumeContextInput, 'artifacts' | 'inFlight'>): readonly Section[] {
  return [
    { key: 'inFlight', title: 'Step in flight when you were cut', build: () => inFlightSection({ inFlight }) },
    { key: 'artifacts', title: 'Files that you made or changed', build: () => artifactSection({ artifacts }) },
    { key: 'rules', title: 'Rules', build: () => agentRules },
  ];
}

export function sectionsText(sections: readonly Section[]): string {
  return sections
    .map(({ title, build }) => `## ${title}\n${guarded(build)}`)
    .join('\n\n')
    .toWellFormed();
}

function guarded(build: () => string): string {
  try {
    return build();
  } catch (error) {
    return `This section could not be built: ${oneLine(error instanceof Error ? error.message : String(error))}`;
  }
}

const stateWords: Readonly<Record<SessionStateName, string>> = {
  created: 'The session had not run yet.',
  running: 'The last run was still going on.',
  done: 'The last run had finished.',
  failed: 'The last run had failed.',
  cancelled: 'The last run was stopped by the user.',
  timed_out: 'The last run had reached its time limit.',
  interrupted: 'The last run was interrupted: the editor closed or crashed.',
};

function stateSection({ priorState }: ResumeContextInput): string {
  return stateWords[priorState];
}

type HistoryBlock = { readonly mark: string; readonly text: string };

/** @param since only what stands after this record; undefined when that is nothing */
export function historySection(
  { conversation, agents = [] }: Pick<ResumeContextInput, 'conversation' | 'agents'>,
  since = 0,
): string | undefined {
  const blocks: HistoryBlock[] = [];
  // From the end, so that a session of 10,000 steps costs little more than one of 40.
  for (const { entry, by } of newestFirst(conversation, agents)) {
    if (entry.seq <= since || blocks.length >= historyBlockLimit) break;
    blocks.push(...blocksOf(entry, by).slice(0, historyBlockLimit - blocks.length));
  }
  let total = 0;
  for (const each of [{ conversation }, ...agents])
    for (const entry of each.conversation) if (entry.seq > since) total += blockCount(entry);
  if (blocks.length === 0) return undefined;
  const lines = blocks.toReversed().map(({ mark, text }) => `[${mark}] ${headOf(text, historyBlockLength)}`);
  const left = total - blocks.length;
  if (left > 0) lines.unshift(`(${countOf(left, 'earlier block')} left out)`);
  return lines.join('\n');
}

/** The call and result blocks of an entry, the last one first. */
function blocksOf(entry: ConversationEvent, by: string): readonly HistoryBlock[] {
  if (entry.type === 'step_finished')
    return [{ mark: `${by}${entry.isError ? 'result ERROR' : 'result'}`, text: entry.content }];
  if (entry.type !== 'assistant_message_completed') return [];
  return entry.content
    .toReversed()
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ mark: `${by}call ${block.name}`, text: JSON.stringify(block.input) }));
}

function blockCount(entry: ConversationEvent): number {
  if (entry.type === 'step_finished') return 1;
  if (entry.type !== 'assistant_message_completed') return 0;
  let calls = 0;
  for (const block of entry.content) if (block.type === 'tool_use') calls += 1;
  return calls;
}

interface OwnedEntry {
  readonly entry: ConversationEvent;
  /** "explore: " for an entry of an agent's conversation. */
  readonly by: string;
}

/** The entries of all conversations in the order of the trace, the last one first. */
function* newestFirst(
  conversation: readonly ConversationEvent[],
  agents: NonNullable<ResumeContextInput['agents']>,
): Generator<OwnedEntry> {
  const rest = [
    { entries: conversation, by: '', at: conversation.length - 1 },
    ...agents.map((agent) => ({
      entries: agent.conversation,
      by: `${agent.name}: `,
      at: agent.conversation.length - 1,
    })),
  ];
  for (;;) {
    let next: (typeof rest)[number] | undefined;
    for (const one of rest) if ((one.entries[one.at]?.seq ?? 0) > (next?.entries[next.at]?.seq ?? 0)) next = one;
    const entry = next?.entries[next.at];
    if (!next || !entry) return;
    next.at -= 1;
    yield { entry, by: next.by };
  }
}

const taskMarks = { completed: '[x]', in_progress: '[~]', pending: '[ ]' } as const;

export function taskSection(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'No task list.';
  const count = (status: Task['status']): number => tasks.filter((task) => task.status === status).length;
  const counts = `${String(count('completed'))} of ${String(tasks.length)} completed, ${String(count('in_progress'))} in progress, ${String(count('pending'))} pending`;
  return [counts, ...tasks.map((task) => `${taskMarks[task.status]} ${task.id} ${oneLine(task.title)}`)].join('\n');
}

function listingSection(input: ResumeContextInput): string {
  const { listing } = input;
  if (!listing.ok) return `The folder could not be listed: ${oneLine(listing.reason)}`;
  if (listing.value.files.length === 0) return 'The folder is empty.';
  return [...listedLines(input, listing.value.files), ...notListed(listing.value)].join('\n');
}

/** A line for each of these files, those first that the session made. */
export function listedLines(
  { artifacts, now }: Pick<ResumeContextInput, 'artifacts' | 'now'>,
  files: readonly ListedFile[],
): readonly string[] {
  const own = new Set(artifacts.ok ? artifacts.value.map(({ artifact }) => artifact.path) : []);
  const ordered = [...files.filter((file) => own.has(file.path)), ...files.filter((file) => !own.has(file.path))];
  return ordered.map(
    (file) =>
      `${oneLine(file.path)} (${sizeText(file.size)}, ${ageText(now - file.mtimeMs)}${own.has(file.path) ? ', made by this session' : ''})`,
  );
}

export function notListed({ files, total }: { readonly files: readonly unknown[]; readonly total: number }): string[] {
  return total > files.length ? [`(${countOf(total - files.length, 'more file')} not listed)`] : [];
}

/** What is a line of a section stays one, so that nothing in a name or a title looks like another line or section. */
export function oneLine(text: string): string {
  return text === '' ? '(no name)' : text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}

function artifactSection({ artifacts, madeBy }: Pick<ResumeContextInput, 'artifacts' | 'madeBy'>): string {
  if (!artifacts.ok) return `The artifacts could not be checked: ${oneLine(artifacts.reason)}`;
  if (artifacts.value.length === 0) return 'No files were recorded.';
  const shown = artifacts.value.slice(-artifactLimit);
  const lines = shown.map(({ artifact, verdict }) => {
    const path = oneLine(artifact.path);
    if (artifact.change === 'deleted') {
      return verdict === 'intact' ? `${path}: deleted, still gone` : `${path}: was deleted, is there again`;
    }
    const words = { intact: 'intact', changed: 'changed since', missing: 'missing' }[verdict];
    const agent = madeBy?.get(artifact.path);
    return `${path}: ${words} (${sizeText(artifact.size)}${agent === undefined ? '' : `, by ${agent}`})`;
  });
  const left = artifacts.value.length - shown.length;
  if (left > 0) lines.unshift(`(${countOf(left, 'earlier file')} left out)`);
  return lines.join('\n');
}

function editorSection({ editors }: ResumeContextInput): string {
  if (!editors.ok) return `The open editors could not be read: ${oneLine(editors.reason)}`;
  if (editors.value.length === 0) return 'No editors are open.';
  return editors.value
    .map(
      ({ path, active, unsaved }) =>
        `${oneLine(path)}${active ? ' (active)' : ''}${unsaved ? ' (unsaved changes)' : ''}`,
    )
    .join('\n');
}

function inFlightSection({ inFlight }: Pick<ResumeContextInput, 'inFlight'>): string {
  if (inFlight.length === 0) return 'None: no tool call was cut.';
  return inFlight.map(({ title, became }) => `${oneLine(title)}: ${oneLine(became)}`).join('\n');
}

const agentRules = [
  '- Treat listed intact files as finished work. Do not make them again.',
  '- Where in doubt, check cheaply (list, read, status) instead of making again.',
  '- Redo only what is missing or was changed since, and what a result above marks as unknown after you checked.',
].join('\n');
const rules = `${agentRules}\n- Go on with the first unfinished task.`;
