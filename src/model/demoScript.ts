// The script of the offline demo: what it says and does next, decided only from the request. Pure; the same request
// always gets the same answer.
import { countOf } from '../core/words.ts';
import { headOf } from '../core/wellFormed.ts';
import { demoCallId, readProgress, type CallRecord, type DemoProgress, type DemoRequest } from './demoConversation.ts';
import {
  demoFolder,
  demoSteps,
  evaluatedMark,
  trainedMark,
  type DemoCall,
  type DemoFindings,
  type DemoPlatform,
  type DemoStep,
} from './demoJob.ts';

export interface DemoToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `text` may be empty when there are calls; without calls the turn is over. */
export interface DemoReply {
  readonly text: string;
  readonly calls: readonly DemoToolCall[];
}

const planKey = 'plan';
const connect = 'The command "Ratchet: Set API Key" connects a real model.';
const playAgain = 'Type "again" to play the script once more.';
/** Writes of one file at most: somebody may change it each time. */
const writeTries = 3;
/** A task that cannot be ticked off is not worth more tries. */
const taskUpdateTries = 2;

/** The next turn of the script. */
export function nextDemoReply(request: DemoRequest): DemoReply {
  const progress = readProgress(request);
  const call = (key: string, name: string, input: Readonly<Record<string, unknown>>): DemoToolCall => ({
    id: demoCallId(request, progress, key),
    name,
    input,
  });
  if (progress.ended) return lastWords(`This is a script, so it cannot answer that. ${playAgain} ${connect}`);

  const plan = progress.calls.get(planKey);
  if (!plan || plan.outcome === 'unfinished' || plan.outcome === 'not_started') {
    const titles = demoSteps.map((step) => step.title);
    return { text: introduction(progress), calls: [call(planKey, 'tasks', { action: 'add', titles })] };
  }
  const next = demoSteps.find((step) => openCalls(step, progress).length > 0);
  const ticks = taskUpdates(progress, plan, next).map(({ key, id, status }) =>
    call(key, 'tasks', { action: 'update', id, status }),
  );
  if (!next) return ticks.length > 0 ? { text: '', calls: ticks } : lastWords(summary(progress));

  const open = openCalls(next, progress);
  const ending = reasonToEnd(next, open, progress);
  if (ending !== undefined) return lastWords(ending);
  const platform = platformOf(request);
  const findings = findingsOf(progress);
  return {
    text: opening(progress, next, open),
    calls: [
      ...ticks,
      ...open.flatMap(({ key, tool, input }) => {
        const made = input(platform, findings);
        const first = isUnread(progress.calls.get(key))
          ? [call(`${key}-read`, 'read', { file_path: made.file_path })]
          : [];
        return [...first, call(key, tool, made)];
      }),
    ],
  };
}

function lastWords(text: string): DemoReply {
  return { text, calls: [] };
}

function introduction({ play }: DemoProgress): string {
  if (play > 1) return 'I play the script again, from its first step.';
  return [
    `This is Ratchet's offline demo: a script answers here, not a model, so it does not understand what you write. ${connect}`,
    `It works with the real tools in this folder: five small steps, everything in \`${demoFolder}\`. Stop it, reload the window or close the editor when you like, then resume: finished steps are not done twice.`,
    'First the plan.',
  ].join('\n\n');
}

function openCalls(step: DemoStep, { calls }: DemoProgress): readonly DemoCall[] {
  return step.calls.filter(({ key }) => calls.get(key)?.outcome !== 'succeeded');
}

function isDone(step: DemoStep, progress: DemoProgress): boolean {
  return openCalls(step, progress).length === 0;
}

function reasonToEnd(step: DemoStep, open: readonly DemoCall[], { calls }: DemoProgress): string | undefined {
  const records = open.flatMap(({ key }) => calls.get(key) ?? []);
  if (records.some((record) => record.outcome === 'denied')) {
    return `You did not allow "${step.title}", so the script ends here. Nothing was done for this step. ${playAgain}`;
  }
  const failed = records.find((record) => record.outcome === 'failed' && !isUnread(record));
  if (!failed) return undefined;
  const why = headOf(failed.text.trim(), 300);
  return `"${step.title}" failed, and a script does not know what to do about it. The tool answered:\n\n${quoted(why)}\n\n${playAgain}`;
}

/** The file of a write is there already and has to be read first. */
function isUnread(record: CallRecord | undefined): boolean {
  return record?.outcome === 'failed' && record.attempts < writeTries && /\bRead it (first|again)\b/.test(record.text);
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** What is said before a step: first what happened meanwhile, then the step itself. */
function opening(progress: DemoProgress, step: DemoStep, open: readonly DemoCall[]): string {
  const parts: string[] = [];
  const done = demoSteps.filter((other) => isDone(other, progress)).length;
  if (progress.said === 'resumed') {
    parts.push(`Resumed: ${String(done)} of ${countOf(demoSteps.length, 'step')} already done, not done again.`);
  } else if (progress.said === 'typed') {
    parts.push('A script cannot answer that, so it goes on where it was.');
  }
  const outcomes = new Set(open.map(({ key }) => progress.calls.get(key)?.outcome));
  if (outcomes.has('unfinished')) {
    parts.push(`"${step.title}" was interrupted and its result says that it did not finish: it is run once more.`);
  }
  if (open.some(({ key }) => isUnread(progress.calls.get(key)))) {
    parts.push('A file of that name is there already: it is read before it is written.');
  }
  if (outcomes.has('gone')) parts.push(`What "${step.title}" had made is not there any more: it is made again.`);
  if (parts.length === 0 || !outcomes.has('unfinished')) parts.push(step.says);
  return parts.join(' ');
}

interface TaskUpdate {
  readonly key: string;
  readonly id: string;
  readonly status: 'in_progress' | 'completed';
}

/** The ticks that the task list still lacks. */
function taskUpdates(progress: DemoProgress, plan: CallRecord, next: DemoStep | undefined): readonly TaskUpdate[] {
  return demoSteps.flatMap((step, index) => {
    const status = isDone(step, progress) ? 'completed' : step === next ? 'in_progress' : undefined;
    const id = taskIdOf(plan.text, step.title);
    if (status === undefined || id === undefined) return [];
    const key = `task-${String(index + 1)}-${status === 'completed' ? 'done' : 'begun'}`;
    const record = progress.calls.get(key);
    if (record?.outcome === 'succeeded' || (record?.attempts ?? 0) >= taskUpdateTries) return [];
    return [{ key, id, status }];
  });
}

/** The word before the title in the listed plan; the last one, since an earlier play left tasks with the same title. */
function taskIdOf(plan: string, title: string): string | undefined {
  const line = plan.split('\n').findLast((candidate) => candidate.includes(title));
  const before = line?.slice(0, line.indexOf(title)).trim().split(/\s+/).at(-1);
  return /^[\w-]+/.exec(before ?? '')?.[0];
}

function platformOf(request: DemoRequest): DemoPlatform {
  return request.system.some(({ text }) => /^Platform: win32$/m.test(text)) ? 'windows' : 'posix';
}

function findingsOf({ calls }: DemoProgress): DemoFindings {
  return {
    trained: after(trainedMark, calls.get('train')?.text),
    evaluated: after(evaluatedMark, calls.get('evaluate')?.text),
  };
}

function after(mark: string, text: string | undefined): string {
  const line = text?.split('\n').findLast((candidate) => candidate.includes(mark));
  return line?.slice(line.indexOf(mark) + mark.length).trim() ?? 'see the output of the step';
}

function summary(progress: DemoProgress): string {
  const { trained, evaluated } = findingsOf(progress);
  return [
    'All five steps are done.',
    `- Training: ${trained}\n- Evaluation: ${evaluated}\n- Report: \`${demoFolder}/report.md\``,
    `${playAgain} ${connect}`,
  ].join('\n\n');
}
