// Sessions as a run would have left them: commands with their outputs, written as records of the journal. No clock, no
// chance: the same session every time.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashBytes } from '../src/tools/fileHash.ts';
import type { NewEvent } from '../src/core/events.ts';
import type { Artifact } from '../src/core/recordedFiles.ts';
import type { FolderIdentity } from '../src/core/events.ts';
import type { Prompt } from '../src/core/sessionState.ts';
import type { SessionStore } from '../src/runner/sessionStore.ts';
import { journalName } from '../src/store/sessionSummary.ts';

export interface RecordedSession {
  readonly steps: number;
  /** UTF-16 units of output of each step. */
  readonly outputLength: number;
  readonly model: string;
  readonly prompt: Prompt;
  /** Whether the last run came to its end; else the session is one that was interrupted between two steps. */
  readonly ended: boolean;
}

const startedAt = 1_795_975_200_000;
const filesMade = 100;

/** The records of a session in which each step ran a command. */
export function* recordedEvents(session: RecordedSession): Generator<NewEvent> {
  const { model, prompt, steps } = session;
  const runId = 'run-1';
  yield { type: 'prompt_set', system: prompt.system, tools: [...prompt.tools] };
  yield { type: 'run_started', runId, cause: 'message', model, thinking: 'adaptive', maxTokens: 64_000 };
  yield { type: 'user_message_added', messageId: 'message-0', text: 'Run all trials of the search.', origin: 'user' };
  yield { type: 'title_changed', title: 'Run all trials of the search.', by: 'first_message' };
  for (let step = 1; step <= steps; step++) yield* stepEvents(session, runId, step);
  if (session.ended) yield { type: 'run_ended', runId, outcome: 'done' };
}

function* stepEvents({ outputLength, model }: RecordedSession, runId: string, step: number): Generator<NewEvent> {
  const requestId = `request-${step}`;
  const stepId = `toolu_bench${String(step).padStart(8, '0')}`;
  const command = `python trial.py --seed ${step}`;
  yield { type: 'request_started', requestId, runId, attempt: 1 };
  yield {
    type: 'assistant_message_completed',
    messageId: `message-${step}`,
    requestId,
    model,
    content: [
      { type: 'text', text: `Trial ${step} is next.` },
      { type: 'tool_use', id: stepId, name: 'run_command', input: { command } },
    ],
    stopReason: 'tool_use',
    usage: { inputTokens: 12, outputTokens: 80, cacheReadTokens: 400 * step, cacheWriteTokens: 700 },
  };
  const intent = { kind: 'job', key: stepId, command } as const;
  yield { type: 'step_started', stepId, runId, tool: 'run_command', input: { command }, intent };
  yield {
    type: 'step_finished',
    stepId,
    outcome: 'succeeded',
    content: outputOf(step, outputLength),
    isError: false,
    durationMs: 1_234,
    exitCode: 0,
    artifacts: [artifactOf(step)],
  };
}

function outputOf(step: number, length: number): string {
  let output = '';
  for (let epoch = 1; output.length < length; epoch++)
    output += `trial ${step} epoch ${epoch} loss ${(1 / epoch).toFixed(4)} "val" ${(2 / epoch).toFixed(4)}\n`;
  return output.slice(0, length);
}

function artifactOf(step: number): Artifact {
  const content = artifactContent(step);
  return { path: artifactPath(step), change: 'changed', size: content.length, sha256: hashBytes(content) };
}

function artifactPath(step: number): string {
  return `out/trial-${step % filesMade}.txt`;
}

function artifactContent(step: number): string {
  return `result ${step % filesMade}\n`;
}

/** Puts the files that the steps made into the workspace folder. */
export async function makeArtifacts(folder: string, steps: number): Promise<void> {
  await mkdir(join(folder, 'out'), { recursive: true });
  for (let step = 1; step <= Math.min(steps, filesMade); step++)
    await writeFile(join(folder, artifactPath(step)), artifactContent(step));
}

/** The records as lines of a journal, from sequence number 1 on. */
export function journalLines(events: Iterable<NewEvent>): string[] {
  return Array.from(
    events,
    (event, index) => `${JSON.stringify({ seq: index + 1, at: startedAt + index, ...event })}\n`,
  );
}

/** Makes a session with these records in a store. @returns its id and the path of its journal */
export async function storeSession(
  store: SessionStore,
  folder: FolderIdentity,
  session: RecordedSession,
): Promise<{ readonly id: string; readonly journal: string }> {
  const { id, storage } = await store.create(folder);
  const journal = join(storage, journalName);
  await mkdir(dirname(journal), { recursive: true });
  await appendFile(journal, journalLines(recordedEvents(session)).join(''));
  return { id, journal };
}
