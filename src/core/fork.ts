// The records of a fork: what stands before a message of another session, numbered anew, with what was going on there
// ended. Pure; must never know where sessions are kept.
import { answersOfFork } from './connection.ts';
import type { NewEvent, SessionEvent } from './events.ts';
import { unknownOutcome } from './requestBuilder.ts';
import { isRevertEvent } from './reverts.ts';
import { applyEvent, emptySessionState } from './sessionFold.ts';
import { openRun, type SessionState } from './sessionState.ts';

/**
 * Records of a new session, `seq` from 1, each with the time at which it was written first.
 * @param toSeq the last record of `state` that goes along
 * @param now for the records that end what went on, in milliseconds since 1970
 */
export function forkedEvents(state: SessionState, toSeq: number, now: number): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  const numbers = new Map<number, number>();
  for (const event of state.reverts.active) {
    if (event.seq > toSeq) break;
    // What a revert cut is not in what counts; its line would speak of another session's files.
    if (!isRevertEvent(event)) {
      numbers.set(event.seq, events.length + 1);
      events.push({ ...renumbered(event, numbers), seq: events.length + 1 });
    }
  }
  const fork = emptySessionState(state.header);
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
  return events;
}

/** With the numbers of other records that it names. */
function renumbered(event: SessionEvent, numbers: ReadonlyMap<number, number>): SessionEvent {
  switch (event.type) {
    case 'history_healed':
      return { ...event, partSeq: numbers.get(event.partSeq) ?? event.partSeq };
    case 'results_trimmed':
    case 'history_compacted':
      return { ...event, uptoSeq: lastUpTo(event.uptoSeq, numbers) };
    default:
      return event;
  }
}

function lastUpTo(seq: number, numbers: ReadonlyMap<number, number>): number {
  let last = 0;
  for (const [before, after] of numbers) if (before <= seq) last = after;
  return last;
}

/** Nothing goes on in a fork: its steps' commands and its run are the other session's. */
function endings(fork: SessionState): readonly NewEvent[] {
  const steps = [...fork.openSteps].map((stepId): NewEvent => {
    const agentId = fork.steps.get(stepId)?.agentId;
    return {
      type: 'step_finished',
      stepId,
      outcome: 'cut',
      content: unknownOutcome,
      isError: true,
      ...(agentId !== undefined && { agentId }),
    };
  });
  const agents = [...fork.agents.values()].flatMap((agent): NewEvent[] =>
    agent.end ? [] : [{ type: 'agent_ended', agentId: agent.id, outcome: 'cut' }],
  );
  const queue = fork.queue.map(({ messageId }): NewEvent => ({ type: 'queued_message_removed', messageId }));
  const run = openRun(fork);
  const end: readonly NewEvent[] = run ? [{ type: 'run_ended', runId: run.id, outcome: 'cancelled' }] : [];
  return [...steps, ...agents, ...queue, ...end];
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
