// The job that every crash case runs: steps of every kind, and a model that is scripted from the request alone, so that it
// goes on rightly in whichever process asks. Must never know which kills happen.
import { isDeepStrictEqual } from 'node:util';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { httpError, message, text, thinking, toolUse, type Reply } from '../support/messagesServer/reply.ts';
import type { MessagesBody } from '../support/messagesServer/requestSchema.ts';
import { blocksOf } from '../support/messagesServer/turns.ts';
import { isSummaryRequest } from '../support/session/summaryRequests.ts';

/** A call that a request shows, with its answer. */
interface Call {
  readonly tool: string;
  readonly input: object;
  readonly result: string;
  readonly isError: boolean;
}

export interface Piece {
  readonly tool: string;
  /** Undefined while what it needs of earlier results is not there. */
  readonly input: (calls: readonly Call[]) => object | undefined;
  /** The line that a command leaves in `steps.txt`. */
  readonly line?: string;
  /** The exit code that stands for a command's success. */
  readonly exitCode?: number;
  /** Whether this answer, an error, is the one that is wanted. */
  readonly isDone?: (made: Call) => boolean;
}

type Verdict = 'done' | 'again' | 'unknown';
type Progress = 'open' | 'done' | 'unknown';

export const stepsFile = 'steps.txt';
/** More calls than any run needs, however often it is killed. */
const callLimit = 80;

const turns: readonly (readonly Piece[])[] = [
  [call('tasks', { action: 'add', titles: ['Collect', 'Build'] })],
  [command('first')],
  [
    call('write', { file_path: 'notes.md', content: 'alpha\nend\n' }),
    call('edit', { file_path: 'readme.txt', old_string: 'old', new_string: 'new' }),
  ],
  [
    command('second'),
    call('edit', { file_path: 'notes.md', old_string: 'end', new_string: 'more\nend' }),
    call('read', { file_path: 'notes.md' }),
    command('third'),
  ],
  [command('slow', 'sleep 2; ')],
  [call('grep', { pattern: 'slow', path: stepsFile }), command('failing', '', 3)],
  [{ tool: 'tasks', input: completeFirstTask }],
  ['one', 'two'].map((name) => call('delegate', { agent: 'work', task: taskOf(name), label: `Part ${name}` })),
];

/** What the two agents do at the same time, by the first words of their conversations. */
const agentTurns: ReadonlyMap<string, readonly (readonly Piece[])[]> = new Map([
  [
    taskOf('one'),
    [[command('inside one')], [call('write', { file_path: 'one.md', content: 'one\n' }), command('more inside one')]],
  ],
  [taskOf('two'), [[command('inside two')], [command('slow inside two', 'sleep 1; ')]]],
]);

/** The lines of `steps.txt` after a run in which every command had its effect exactly once. */
const eachLineOnce = linesOf([turns, ...agentTurns.values()].flat());

export const userMessage = 'Do all steps, each exactly once.';

export interface Expected {
  readonly lines: readonly string[];
  readonly tasks: readonly { readonly title: string; readonly status: string }[];
  readonly title: string;
}

/** What the job has led to, in either form. */
export const expectedOfJob: Expected = {
  lines: eachLineOnce,
  tasks: [
    { title: 'Collect', status: 'completed' },
    { title: 'Build', status: 'pending' },
  ],
  title: userMessage,
};

/** The long form of the job begins with these: results and calls that its small window cannot hold. */
const longLine = 'a line that takes its place in the context of the model\n';
const longFiles = ['long1.txt', 'long2.txt', 'long3.txt'] as const;
/** Stands in one of them: what the server of the long form refuses whenever it is sent. */
const refusedWords = 'words that the server does not take';
const longTurns: readonly (readonly Piece[])[] = [
  ...longFiles.map((file) => [call('read', { file_path: file })]),
  ...['big1.txt', 'big2.txt', 'big3.txt', 'big4.txt', 'big5.txt'].map((file) => [
    call('write', { file_path: file, content: longLine.repeat(450) }),
  ]),
];

/** What the workspace folder holds before the run: these files, else those of the job. */
export async function fillFolder(folder: string, files?: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files ?? {})) await writeFile(join(folder, name), content);
  if (files) return;
  await writeFile(join(folder, 'readme.txt'), 'old\n');
  for (const file of longFiles) {
    const first = file === 'long2.txt' ? `${refusedWords}\n` : '';
    await writeFile(join(folder, file), first + longLine.repeat(450));
  }
}

/** The window of the long form, in tokens: its results are shortened in it, and its conversation is compacted. */
export const smallWindow = 40_000;

/** The model of the long form. It gives summaries, and refuses one result by its place in the request. */
export function longScript(body: MessagesBody): Reply {
  for (const [at, one] of body.messages.entries()) {
    const index = blocksOf(one).findIndex(
      (block) => block.type === 'tool_result' && JSON.stringify(block.content).includes(refusedWords),
    );
    if (index >= 0) return httpError(400, { message: `messages.${at}.content.${index}: it cannot be read` });
  }
  if (isSummaryRequest(body)) return message([text(summaryOf(body))]);
  return answerTo(body, [...longTurns, ...turns]);
}

/**
 * The model: asks for what the request does not show as done. After an unknown outcome it looks into the file before it
 * decides. Throws when a step was answered in a way that no interruption explains.
 */
export function script(body: MessagesBody): Reply {
  return answerTo(body, turns);
}

/** The same for other turns: what a piece asks for is asked for until the request shows it as done. */
export function answerTo(body: MessagesBody, turns: readonly (readonly Piece[])[]): Reply {
  const calls = callsOf(body);
  if (calls.length > callLimit) throw new Error(`the job does not come to an end: ${calls.length} calls`);
  for (const turn of agentTurns.get(firstWords(body)) ?? turns) {
    const open = turn
      .map((piece) => ({ piece, progress: progressOf(piece, calls) }))
      .filter((p) => p.progress !== 'done');
    if (open.length === 0) continue;
    const unknown = open.filter(({ progress }) => progress === 'unknown');
    const next =
      unknown.length > 0
        ? unknown.map(({ piece }) => toolUse('run_command', checkOf(piece)))
        : open.map(({ piece }) => toolUse(piece.tool, inputOf(piece, calls)));
    return message([thinking('What is open comes next.'), text('Going on.'), ...next]);
  }
  return message([text('All steps are done.')]);
}

/** What the commands of these turns leave in `steps.txt`. */
export function linesOf(turns: readonly (readonly Piece[])[]): readonly string[] {
  return turns.flat().flatMap(({ line }) => line ?? []);
}

function taskOf(name: string): string {
  return `Do part ${name}, each of its steps exactly once.`;
}

/** What a conversation begins with: the user's message, or the task of an agent. */
export function firstWords({ messages }: MessagesBody): string {
  const [first] = messages.flatMap(blocksOf);
  return first?.type === 'text' ? first.text : '';
}

export function call(tool: string, input: object): Piece {
  return { tool, input: () => input };
}

export function command(line: string, before = '', exitCode = 0): Piece {
  const after = exitCode === 0 ? '' : `; exit ${exitCode}`;
  const text = `${before}echo ${line} >> ${stepsFile}; echo ${line} is written${after}`;
  return { ...call('run_command', { command: text }), line, exitCode };
}

function completeFirstTask(calls: readonly Call[]): object | undefined {
  for (const { tool, result } of calls) {
    const id = tool === 'tasks' ? /^\[.\] (\S+) Collect$/m.exec(result)?.[1] : undefined;
    if (id !== undefined) return { action: 'update', id, status: 'completed' };
  }
  return undefined;
}

function inputOf(piece: Piece, calls: readonly Call[]): object {
  const input = piece.input(calls);
  if (input === undefined) throw new Error(`a call of ${piece.tool} lacks a result that it builds on`);
  return input;
}

function checkOf({ line }: Piece): { readonly command: string } {
  if (line === undefined) throw new Error('the outcome of a step that is no command is unknown');
  // The first of all commands makes the file.
  return { command: `cat ${stepsFile} 2>/dev/null | grep -c '^${line}$' || true` };
}

function progressOf(piece: Piece, calls: readonly Call[]): Progress {
  let progress: Progress = 'open';
  const input = piece.input(calls);
  for (const made of calls) {
    if (made.tool === piece.tool && isSameInput(made.input, input)) {
      const verdict = verdictOn(made, piece);
      progress = verdict === 'again' ? 'open' : verdict;
    } else if (progress === 'unknown' && isDeepStrictEqual(made.input, checkOf(piece))) {
      const found = verdictOn(made, piece) === 'done' ? /(\d+)\s*$/.exec(made.result)?.[1] : undefined;
      if (found !== undefined) progress = found === '0' ? 'open' : 'done';
    }
  }
  return progress;
}

/** What the model learns from a result. */
function verdictOn(made: Call, { exitCode = 0, isDone }: Piece): Verdict {
  const { tool, result, isError, input } = made;
  if (!isError || isDone?.(made) === true) return 'done';
  if (/not started|never started|and will not be|before it took effect|before the command was started/i.test(result))
    return 'again';
  if (tool === 'run_command') {
    if (exitCode !== 0 && result.startsWith(`Exit code ${exitCode} `)) return 'done';
    if (/unknown|is not known|Killed by|Stopped by the user|printing may have failed/.test(result)) return 'unknown';
  }
  throw new Error(`${tool} ${JSON.stringify(input)} was answered with: ${result}`);
}

function callsOf({ messages }: MessagesBody): readonly Call[] {
  const blocks = messages.flatMap(blocksOf);
  const results = new Map(
    blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block] as const] : [])),
  );
  return blocks.flatMap((block): readonly Call[] => {
    if (block.type === 'text') return summarised(block.text);
    const answer = block.type === 'tool_use' ? results.get(block.id) : undefined;
    if (block.type !== 'tool_use' || answer === undefined) return [];
    const content = typeof answer.content === 'string' ? answer.content : '';
    return [{ tool: block.name, input: block.input, result: content, isError: answer.is_error === true }];
  });
}

const summaryMark = 'CALLS ';

/** A summary of the calls that a request shows, which the scripts can read again. */
export function summaryOf(body: MessagesBody): string {
  return `${summaryMark}${JSON.stringify(callsOf(body).map(inShort))}`;
}

const summarySchema = z.array(
  z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()), result: z.string(), isError: z.boolean() }),
);

/** The calls that a summary of this script stands for. */
function summarised(words: string): readonly Call[] {
  const line = words.split('\n').find((one) => one.startsWith(summaryMark));
  return line === undefined ? [] : summarySchema.parse(JSON.parse(line.slice(summaryMark.length)));
}

/** A call as a summary has it: what was written is in the file. */
function inShort({ tool, input, result, isError }: Call): Call {
  return { tool, input: shortInput(input), result: result.slice(0, 200), isError };
}

function shortInput(input: object): object {
  const short = (value: unknown): unknown =>
    typeof value === 'string' && value.length > 200 ? `${value.length} characters` : value;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, short(value)]));
}

function isSameInput(made: object, input: object | undefined): boolean {
  return input !== undefined && (isDeepStrictEqual(made, input) || isDeepStrictEqual(made, shortInput(input)));
}
