// The records of a fork: what stands before a message of another session, numbered anew, with what was going on there
// ended. Pure; must never know where sessions are kept.
import { answersOfFork } from './connection.ts';
import type { NewEvent, SessionEvent, SessionOrigin } from './events.ts';
import { unknownOutcome } from './requestBuilder.ts';
import { isRevertEvent } from './reverts.ts';
import { renumbered, SeqNumbers } from './seqNumbers.ts';
import { applyEvent, emptySessionState } from './sessionFold.ts';
import { openRun, type SessionState } from './sessionState.ts';

export interface Fork {
  readonly events: readonly SessionEvent[];
  /** Set where the other session has one: what was made elsewhere stays so. */
  readonly origin?: SessionOrigin;
}

/**
 * Records of a new session, `seq` from 1, each with the time at which it was written first.
 * @param toSeq the last record of `state` that goes along
 * @param now for the records that end what went on, in milliseconds since 1970
 */
export function forkOf(state: SessionState, toSeq: number, now: number): Fork {
  const events: SessionEvent[] = [];
  const numbers = new SeqNumbers();
  const take = (event: SessionEvent): void => {
    const copy = renumbered(event, numbers);
    if (copy) events.push(copy);
  };
  for (const event of state.reverts.active) {
    if (event.seq > toSeq) break;
    // What a revert cut is not in what counts; its line would speak of another session's files.
    if (!isRevertEvent(event)) take(event);
  }
  const { foreign } = state;
  if (foreign?.marker && foreign.marker.seq > toSeq) take(foreign.marker);
  const origin = foreign && { kind: 'imported' as const, uptoSeq: numbers.upTo(foreign.uptoSeq) };
  const fork = emptySessionState({ ...state.header, origin });
  for (const event of events) applyEvent(fork, event);
  const answeredBy = answersOfFork(state.answers);
  const rest: readonly NewEvent[] = [
    ...endings(fork),
    {
      type: 'session_forked',
      from: state.header.sessionId,
      atSeq: toSeq,
      title: state.title,
      ...(answeredBy && { answeredBy }),
    },
    { type: 'title_changed', title: `${fork.title === '' ? state.title : fork.title} (fork)`.trim(), by: 'user' },
  ];
  for (const event of rest) events.push({ seq: events.length + 1, at: now, ...event });
  return { events, ...(origin && { origin }) };
}

/** Nothing goes on in a fork: its steps' commands and its run are the other session's. */
function endings(fork: SessionState): readonly NewEvent[] {
  const queue = fork.queue.map(({ messageId }): NewEvent => ({ type: 'queued_message_removed', messageId }));
  const run = openRun(fork);
  const end: readonly NewEvent[] = run ? [{ type: 'run_ended', runId: run.id, outcome: 'cancelled' }] : [];
  return [...stepEnds(fork), ...queue, ...end];
}

/** Ends for the steps and the agents that have none: nobody here goes on with them. */
export function stepEnds({
  openSteps,
  steps,
  agents,
}: Pick<SessionState, 'openSteps' | 'steps' | 'agents'>): readonly NewEvent[] {
  const cutSteps = [...openSteps].map((stepId): NewEvent => {
    const agentId = steps.get(stepId)?.agentId;
    return {
      type: 'step_finished',
      stepId,
      outcome: 'cut',
      content: unknownOutcome,
      isError: true,
      ...(agentId !== undefined && { agentId }),
    };
  });
  const cutAgents = [...agents.values()].flatMap((agent): NewEvent[] =>
    agent.end ? [] : [{ type: 'agent_ended', agentId: agent.id, outcome: 'cut' }],
  );
  return [...cutSteps, ...cutAgents];
}

/** Files of the session's storage that the records name: outputs, by their place in it, and kept contents, by hash. */
export function sideFilesOf(events: readonly SessionEvent[]): {
  readonly outputs: ReadonlySet<string>;
  readonly contents: ReadonlySet<string>;
} {
  const outputs = new Set<string>();
  const contents = new Set<string>();
  for (const event of events) {
    if (event.type === 'step_started' && event.intent?.kind === 'file') {
      contents.add(event.intent.afterSha256);
      if (event.intent.beforeSha256 !== null) contents.add(event.intent.beforeSha256);
    }
    if (event.type !== 'step_finished') continue;
    if (event.output) outputs.add(event.output.file);
    for (const { sha256 } of event.artifacts ?? []) if (sha256 !== null) contents.add(sha256);
    for (const { sha256 } of event.seen ?? []) contents.add(sha256);
  }
  return { outputs, contents };
}
