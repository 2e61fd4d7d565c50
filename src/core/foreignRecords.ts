// What a record that was made elsewhere may say here: one decision for each kind there is, so that a new kind does not
// compile without one. What came in a file is a conversation to read; it allows, answers, chooses and starts nothing.
import type { Attachment } from './attachments.ts';
import type { EventOf, EventType, RunError, SessionEvent } from './events.ts';
import type { Artifact, LeftFile } from './recordedFiles.ts';
import { isSafeSidePath } from './traceExport.ts';

type Decision<T extends EventType> = (event: EventOf<T>) => EventOf<T> | undefined;

const keep = <T>(event: T): T => event;
const leaveOut = (): undefined => undefined;

const decisions: { readonly [T in EventType]: Decision<T> } = {
  title_changed: keep,
  // Permissions, and what was chosen and written for another machine.
  approval_mode_changed: leaveOut,
  model_chosen: leaveOut,
  prompt_set: leaveOut,
  approval_requested: leaveOut,
  approval_answered: leaveOut,
  // What was still to be sent.
  message_queued: leaveOut,
  queued_message_edited: leaveOut,
  queued_message_removed: leaveOut,
  // A revert that is cut would be finished, one that ended would be undone: both write files.
  revert_started: leaveOut,
  history_reverted: (event) => ({ ...event, ...safeFiles(event) }),
  revert_undone: (event) => ({ ...event, ...safeFiles(event) }),
  // An end is asked for again by who finds the beginning without one.
  compaction_started: leaveOut,
  compaction_failed: (event) => ({ ...event, error: withoutWait(event.error) }),
  history_compacted: keep,
  results_trimmed: keep,
  thinking_dropped: keep,
  history_healed: keep,
  // Its model is shown; the fold marks the run, so that it chooses no connection.
  run_started: keep,
  run_ended: withoutWaitOf,
  session_resumed: ({ auto: _auto, ...event }) => event,
  // In the words of a user: nobody else speaks with the system's voice.
  relaunch_prepared: (event) => ({ ...event, placement: 'user' }),
  user_message_added: (event) =>
    event.attachments ? { ...event, attachments: event.attachments.map(withSafePath) } : event,
  request_started: keep,
  request_failed: ({ retryInMs: _in, retryAt: _at, notBefore: _not, nextAttempt: _next, attempts: _of, ...event }) => ({
    ...event,
    error: withoutWait(event.error),
  }),
  // Thinking too: the server knows what it signed, and what it refuses is left out then.
  assistant_message_completed: keep,
  assistant_message_cut: keep,
  // What it was about to do, a job or a file, is nothing that happened here: it is not looked up, followed or taken back.
  step_started: ({ intent: _intent, allowedBy: _allowedBy, ...event }) => event,
  step_continued: keep,
  step_finished: safeResult,
  task_added: keep,
  task_updated: keep,
  task_deleted: keep,
  session_imported: leaveOut,
  session_forked: keep,
  note_added: keep,
  agent_started: (event) => ({ ...event, system: '', tools: [] }),
  agent_resumed: keep,
  agent_ended: withoutWaitOf,
};

/** The record as it counts in a session that it came to in a file; undefined when it does not. Doing it twice changes nothing. */
export function foreignRecord(event: SessionEvent): SessionEvent | undefined {
  // The type picked the decision, which the compiler cannot see through the table.
  const decide = decisions[event.type] as (event: SessionEvent) => SessionEvent | undefined;
  return decide(event);
}

function withoutWait({ retryAt: _retryAt, ...error }: RunError): RunError {
  return error;
}

function withoutWaitOf<T extends { readonly error?: RunError | undefined }>(event: T): T {
  return event.error ? { ...event, error: withoutWait(event.error) } : event;
}

/** Without what the agent is taken to have seen of files: it has seen those of another machine. */
function safeResult({ seen: _seen, output, artifacts, ...event }: EventOf<'step_finished'>): EventOf<'step_finished'> {
  return {
    ...event,
    ...(output && isSafeSidePath(output.file) && { output }),
    ...(artifacts && { artifacts: artifacts.filter(isSafeArtifact) }),
  };
}

function isSafeArtifact({ path, sha256 }: Artifact): boolean {
  return isPathInside(path) && (sha256 === null || /^(?:partial:)?[0-9a-f]{64}$/.test(sha256));
}

function safeFiles({ restored, left }: { readonly restored: readonly string[]; readonly left: readonly LeftFile[] }): {
  restored: string[];
  left: LeftFile[];
} {
  return { restored: restored.filter(isPathInside), left: left.filter(({ path }) => isPathInside(path)) };
}

function withSafePath({ path, ...attachment }: Attachment): Attachment {
  return path !== undefined && isPathInside(path) ? { ...attachment, path } : attachment;
}

const longestPath = 4_096;

/** Whether a recorded path is one of a file below the folder, written as this product writes them. */
export function isPathInside(path: string): boolean {
  if (path === '' || path.length > longestPath || /^(?:[/\\]|[A-Za-z]:)/.test(path)) return false;
  return !path.includes('\0') && !path.split(/[/\\]/).includes('..');
}
