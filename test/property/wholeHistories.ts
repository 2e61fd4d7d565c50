// Histories with everything that can be recorded: those of histories.ts and their edits, with what is rare put in where a
// run or a user writes it, and reverts behind them. It must never know what is checked about them.
import fc from 'fast-check';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { cutBefore } from '../../src/core/revertPlan.ts';
import { applyEvent, emptySessionState, foldEvents } from '../../src/core/sessionFold.ts';
import type { SessionState } from '../../src/core/sessionState.ts';
import { onePixelPng } from '../support/imageBytes.ts';
import { editPlans, withEdits } from './editedHistories.ts';
import { header, history, models } from './histories.ts';

const rareKinds = [
  'mode',
  'model',
  'continued',
  'cut',
  'dropped',
  'imported',
  'forked',
  'queued',
  'agentResumed',
  'tasks',
] as const;
interface RarePlan {
  readonly kind: (typeof rareKinds)[number];
  /** Where in the history, 0 to 1. */
  readonly where: number;
}
const share = fc.double({ min: 0, max: 1, noNaN: true });
const rarePlans: fc.Arbitrary<readonly RarePlan[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...rareKinds), where: share }),
  { maxLength: 5 },
);

export const revertPlans = fc.array(fc.record({ which: share, undo: fc.boolean(), goesOn: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

/** Histories in which each type of record occurs, sooner or later. */
export const wholeHistory: fc.Arbitrary<readonly NewEvent[]> = fc
  .tuple(history, rarePlans, editPlans, fc.option(revertPlans, { nil: [] }), fc.boolean())
  .map(([events, rare, edits, reverts, cutAtLast]) => {
    const written = withEdits(withRare(events, rare), edits);
    const state = emptySessionState(header);
    const all: SessionEvent[] = [];
    for (const event of written) write(state, all, event);
    for (const { which, undo, goesOn } of reverts) {
      revert(state, all, which, undo);
      if (goesOn) message(state, all, 'Another way.');
    }
    // A revert that was cut before its end.
    const isBegun = cutAtLast && reverts.length > 0;
    if (isBegun) write(state, all, { ...revertStart(`v${String(state.lastSeq)}`, 0, 'gone'), files: changedFiles });
    return all.map(({ seq: _seq, at: _at, ...event }) => event);
  });

function withRare(events: readonly NewEvent[], plans: readonly RarePlan[]): readonly NewEvent[] {
  return plans.reduce<readonly NewEvent[]>((all, { kind, where }, index) => {
    const anchor = anchors[kind];
    const at = all.findIndex(({ type }, place) => place >= where * all.length && type === anchor);
    const before = all[at];
    if (!before) return all;
    return [...all.slice(0, at + 1), ...rareEvents(kind, before, all.slice(0, at + 1), index), ...all.slice(at + 1)];
  }, events);
}

/** The record that each stands right behind. */
const anchors: Readonly<Record<RarePlan['kind'], NewEvent['type']>> = {
  mode: 'step_finished',
  model: 'run_ended',
  continued: 'session_resumed',
  cut: 'request_failed',
  dropped: 'request_started',
  imported: 'run_ended',
  forked: 'run_ended',
  queued: 'step_started',
  agentResumed: 'session_resumed',
  tasks: 'step_started',
};

function rareEvents(
  kind: RarePlan['kind'],
  anchor: NewEvent,
  before: readonly NewEvent[],
  index: number,
): readonly NewEvent[] {
  const id = `rare${String(index)}`;
  switch (kind) {
    case 'mode':
      return [{ type: 'approval_mode_changed', mode: 'acceptEdits' }];
    case 'model':
      return [{ type: 'model_chosen', model: models[1], thinking: 'adaptive' }];
    case 'continued':
      return anchor.type === 'session_resumed'
        ? [{ type: 'step_continued', stepId: openStep(before) ?? id, runId: anchor.runId }]
        : [];
    case 'cut':
      return anchor.type === 'request_failed'
        ? [{ type: 'assistant_message_cut', messageId: id, requestId: anchor.requestId, text: 'I was ab', why: 'closed' }]
        : [];
    case 'dropped':
      return anchor.type === 'request_started' ? [{ type: 'thinking_dropped', requestId: anchor.requestId }] : [];
    case 'imported': {
      const from = { sessionId: 's0', folderPath: '/elsewhere', createdAt: 1 };
      return [{ type: 'session_imported', from, records: before.length, unreadable: 0 }];
    }
    case 'forked':
      return [{ type: 'session_forked', from: 's0', atSeq: before.length, title: 'Go.' }];
    case 'queued': {
      const images = [{ mediaType: 'image/png' as const, data: onePixelPng, width: 1, height: 1 }];
      const attachments = [{ kind: 'file' as const, label: 'a', text: 'b' }];
      return [
        { type: 'message_queued', messageId: id, text: 'See.', images, attachments },
        { type: 'queued_message_edited', messageId: id, text: 'See this.' },
        ...(index % 2 === 0 ? [{ type: 'queued_message_removed', messageId: id } as const] : []),
      ];
    }
    case 'agentResumed': {
      const agentId = openAgent(before);
      if (agentId === undefined || anchor.type !== 'session_resumed') return [];
      const [model] = models;
      return [
        {
          type: 'agent_resumed',
          agentId,
          runId: anchor.runId,
          model,
          thinking: 'adaptive',
          maxTokens: 9,
          effort: 'low',
        },
        { type: 'agent_ended', agentId, outcome: 'cut' },
      ];
    }
    case 'tasks':
      return [
        { type: 'task_added', task: { id, title: 'Look', status: 'pending' } },
        { type: 'task_updated', id, title: 'Look again', status: 'in_progress' },
        ...(index % 2 === 0 ? [{ type: 'task_deleted', id } as const] : []),
      ];
  }
}

function openStep(events: readonly NewEvent[]): string | undefined {
  return [...foldEvents(header, stampedFrom(events)).openSteps].at(-1);
}

function openAgent(events: readonly NewEvent[]): string | undefined {
  return [...foldEvents(header, stampedFrom(events)).agents.values()].findLast((agent) => !agent.end)?.id;
}

function stampedFrom(events: readonly NewEvent[]): readonly SessionEvent[] {
  return events.map((event, index) => ({ seq: index + 1, at: header.createdAt + index, ...event }));
}

/** Adds one event as the writer stamps it. */
export function write(state: SessionState, events: SessionEvent[], event: NewEvent): void {
  const written: SessionEvent = { seq: state.lastSeq + 1, at: header.createdAt + state.lastSeq, ...event };
  events.push(written);
  applyEvent(state, written);
}

const changedFiles = [{ path: 'a', fromSha256: 'aa', toSha256: null, fromExecutable: true as const }];

function revertStart(revertId: string, toSeq: number, messageId: string) {
  return { type: 'revert_started', revertId, toSeq, messageId, files: [], left: [] } satisfies NewEvent;
}

/** Reverts before a message of those that count; which one, from 0 to 1. Undoes it again where that is wanted. */
export function revert(state: SessionState, events: SessionEvent[], which: number, undo: boolean): void {
  const messages = state.reverts.active.flatMap((event) =>
    event.type === 'user_message_added' && event.origin === 'user' && event.agentId === undefined
      ? [event.messageId]
      : [],
  );
  const messageId = messages[Math.min(messages.length - 1, Math.floor(which * messages.length))] ?? '';
  const cut = cutBefore(state, messageId);
  if (!cut) return;
  const revertId = `v${String(state.lastSeq)}`;
  const { toSeq } = cut;
  write(state, events, revertStart(revertId, toSeq, messageId));
  write(state, events, { type: 'history_reverted', revertId, restored: [], left: [], toSeq, text: cut.text });
  if (!undo) return;
  const undoing = `${revertId}u`;
  write(state, events, { ...revertStart(undoing, toSeq, messageId), undoes: revertId });
  write(state, events, { type: 'revert_undone', revertId: undoing, undoes: revertId, restored: [], left: [] });
}

/** A run that a message begins, cut right behind it. */
export function message(state: SessionState, events: SessionEvent[], text: string): void {
  const runId = `after${String(state.lastSeq)}`;
  write(state, events, {
    type: 'run_started',
    runId,
    cause: 'message',
    model: models[0],
    thinking: 'adaptive',
    maxTokens: 9,
  });
  write(state, events, { type: 'user_message_added', messageId: `m${runId}`, text, origin: 'user' });
}
