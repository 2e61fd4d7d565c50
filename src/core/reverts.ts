// Reverts as the records tell of them: which records count since, and what an undo brings back. The trace keeps all of
// it. Must never know of files.
import { unreachable } from './errors.ts';
import type { EventOf, JournalHeader, SessionEvent } from './events.ts';
import type { ForeignPart, SessionState } from './sessionState.ts';

export type RevertStart = EventOf<'revert_started'>;
export type RevertEvent = EventOf<'revert_started' | 'history_reverted' | 'revert_undone'>;

export interface LastRevert {
  readonly record: EventOf<'history_reverted'>;
  /** Absent when its record was lost: then no file can be brought back. */
  readonly start: RevertStart | undefined;
  readonly cut: readonly SessionEvent[];
}

export interface Reverts {
  /** The records that count, in order: without those that a revert cut. */
  active: SessionEvent[];
  /** A revert, or the undo of one, that was cut before its end. */
  open: RevertStart | undefined;
  /** The last revert while it can be undone: no run has begun since. */
  last: LastRevert | undefined;
  /** Runs whose end was cut: they count as stopped where the session goes back to the middle of one. */
  readonly stoppedRuns: Set<string>;
  /** Ids of calls that were cut: what they started is kept under them, so none is used again. */
  readonly cutCalls: Set<string>;
}

export function noReverts(): Reverts {
  return { active: [], open: undefined, last: undefined, stoppedRuns: new Set(), cutCalls: new Set() };
}

export function isRevertEvent(event: SessionEvent): event is RevertEvent {
  return event.type === 'revert_started' || event.type === 'history_reverted' || event.type === 'revert_undone';
}

/** Whether records before it count otherwise from it on: what was made of them is made again. */
export function changesPast(event: SessionEvent): boolean {
  return isRevertEvent(event) || event.type === 'session_imported';
}

/** The state that records lead to of which no revert cut any. */
export type Fold = (
  header: JournalHeader,
  events: readonly SessionEvent[],
  foreign: ForeignPart | undefined,
) => SessionState;

/** Takes in the beginning or the end of a revert. An undo of anything but the last revert brings nothing back. */
export function applyRevertEvent(state: SessionState, event: RevertEvent, fold: Fold): void {
  const { reverts } = state;
  switch (event.type) {
    case 'revert_started':
      reverts.open = event;
      return;
    case 'history_reverted': {
      const start = reverts.open?.revertId === event.revertId ? reverts.open : undefined;
      // Where the session comes from is no part of what is taken back.
      const stays = ({ seq, type }: SessionEvent): boolean => seq <= event.toSeq || type === 'session_imported';
      const cut = reverts.active.filter((record) => !stays(record));
      for (const record of cut) noteCut(reverts, record);
      replay(state, [...reverts.active.filter(stays), event], fold);
      reverts.open = undefined;
      reverts.last = { record: event, start, cut };
      return;
    }
    case 'revert_undone': {
      const { last } = reverts;
      reverts.open = undefined;
      if (last?.record.revertId !== event.undoes) return;
      const others = reverts.active.filter((record) => record !== last.record);
      replay(
        state,
        [...others, ...last.cut, event].sort((a, b) => a.seq - b.seq),
        fold,
      );
      reverts.last = undefined;
      return;
    }
    default:
      unreachable(event);
  }
}

function noteCut({ stoppedRuns, cutCalls }: Reverts, record: SessionEvent): void {
  if (record.type === 'run_ended') stoppedRuns.add(record.runId);
  if (record.type !== 'assistant_message_completed') return;
  for (const block of record.content) if (block.type === 'tool_use') cutCalls.add(block.id);
}

/** What was spent, what the user chose meanwhile, and what is known of the whole trace. */
const outlivesRevert = [
  ...(['title', 'approvalMode', 'messageIds', 'queue', 'usage', 'spending'] as const),
  ...(['autoResumes', 'answers', 'reverts', 'lastSeq', 'lastAt'] as const),
] satisfies readonly (keyof SessionState)[];

/** Makes the state that of these records, but for what outlives a revert. */
export function replay(state: SessionState, active: SessionEvent[], fold: Fold): void {
  const { reverts, lastAt } = state;
  const kept = Object.fromEntries(outlivesRevert.map((key) => [key, state[key]]));
  Object.assign(state, fold(state.header, active, state.foreign), kept, { retry: undefined });
  reverts.active = active;
  const run = state.runs.at(-1);
  if (run && !run.end && reverts.stoppedRuns.has(run.id))
    state.runs[state.runs.length - 1] = { ...run, end: { outcome: 'cancelled', at: lastAt } };
}
