// The words for reverts and forks: what one would do, what it did, and that one was cut.
import type { EventOf } from '../core/events.ts';
import type { LeftFile, LeftReason } from '../core/recordedFiles.ts';
import { runsOrInstructs } from '../core/approval/runningFiles.ts';
import type { RevertPlan } from '../core/revertPlan.ts';
import type { Reverts } from '../core/reverts.ts';
import { ellipsis } from '../core/wellFormed.ts';
import { countOf } from '../core/words.ts';
import type { RevertPlanView, RevertView, TranscriptItem } from '../protocol/view.ts';

const shownText = 60;

const leftWords: Readonly<Record<LeftReason, string>> = {
  changed: 'changed since',
  unsaved: 'has unsaved changes',
  not_kept: 'its content from before was not kept',
  too_large: 'too large to be kept',
  refused: 'the disk refused it',
};

/** The line in the transcript; its tooltip names the files that were left. */
export function revertItem(
  event: EventOf<'history_reverted' | 'revert_undone' | 'session_forked'>,
): Extract<TranscriptItem, { kind: 'divider' }> {
  const { at } = event;
  switch (event.type) {
    case 'history_reverted':
      return line(`reverted-${event.revertId}`, at, `reverted to before "${event.text}"`, event);
    case 'revert_undone':
      return line(`undone-${event.revertId}`, at, 'revert undone', event);
    case 'session_forked': {
      const from = event.title === '' ? 'another session' : `"${ellipsis(event.title, shownText)}"`;
      return { kind: 'divider', id: `forked-${String(event.seq)}`, at, text: `forked from ${from}` };
    }
  }
}

/** The files of a revert or its undo, a line each, for a reader of the trace. */
export function revertFileLines({ restored, left }: Done): readonly string[] {
  return [
    ...restored.map((path) => `restored ${path}`),
    ...left.map(({ path, why }) => `left ${path}: ${leftWords[why]}`),
  ];
}

interface Done {
  readonly restored: readonly string[];
  readonly left: readonly LeftFile[];
}

function line(id: string, at: number, text: string, done: Done): Extract<TranscriptItem, { kind: 'divider' }> {
  const detail = done.left.map(({ path, why }) => `Left ${path}: ${leftWords[why]}`).join('\n');
  return { kind: 'divider', id, at, text: `${text} · ${doneText(done)}`, ...(detail !== '' && { detail }) };
}

function doneText({ restored, left }: Done): string {
  if (restored.length + left.length === 0) return 'no file to restore';
  return `${countOf(restored.length, 'file')} restored${left.length > 0 ? `, ${String(left.length)} left` : ''}`;
}

/** What stands above the input after a revert, or while one is unfinished. */
export function revertView({ open, last }: Reverts): RevertView | undefined {
  if (open) {
    const title =
      open.undoes === undefined ? 'A revert was cut in the middle' : 'The undo of a revert was cut in the middle';
    const detail = `${countOf(open.files.length, 'file')} to restore. Nothing else can run here until it is finished.`;
    return { kind: 'unfinished', title, detail };
  }
  if (!last) return undefined;
  return { kind: 'undoable', title: 'Reverted', detail: doneText(last.record) };
}

/** What a revert would do, file by file. */
export function revertPlanView(plan: RevertPlan): RevertPlanView {
  const firstLine = plan.text.trim().split('\n', 1)[0] ?? '';
  const files: RevertPlanView['files'] = [
    ...plan.files.map(({ path, toSha256 }) =>
      toSha256 === null
        ? ({ path, verdict: 'remove', words: `removed${runningWords(path, plan.otherNames?.get(path))}` } as const)
        : ({ path, verdict: 'restore', words: `restored${runningWords(path, plan.otherNames?.get(path))}` } as const),
    ),
    ...plan.left.map(({ path, why }) => ({ path, verdict: 'left' as const, words: `left: ${leftWords[why]}` })),
  ];
  return {
    messageId: plan.messageId,
    lastSeq: plan.lastSeq,
    title: `Revert to before "${ellipsis(firstLine, shownText)}"`,
    summary: planSummary(files),
    files,
    notes: [
      'The conversation goes back to before this message, and the message goes back into the input. The trace keeps everything, and the revert can be undone until the next message.',
      ...(plan.hasUnrecorded
        ? ['A command changed more files than were recorded. Those others stay as they are.']
        : []),
    ],
    running: plan.running.map(({ key, command }) => ({ key, command })),
  };
}

/** A file that runs by itself does so with its old content again. */
function runningWords(path: string, otherName?: string): string {
  const running = runsOrInstructs(path);
  if (running) return `; it ${running.short}`;
  const other = otherName === undefined ? undefined : runsOrInstructs(otherName);
  return other ? `; it is also ${otherName ?? ''}, which ${other.short}` : '';
}

function planSummary(files: RevertPlanView['files']): string {
  const count = (verdict: string): number => files.filter((file) => file.verdict === verdict).length;
  const parts = [
    countText(count('restore'), 'restored'),
    countText(count('remove'), 'removed'),
    countText(count('left'), 'left as it is', 'left as they are'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'No file was changed since.' : `Afterwards: ${parts.join(', ')}.`;
}

function countText(count: number, one: string, many = one): string {
  return count === 0 ? '' : `${countOf(count, 'file')} ${count === 1 ? one : many}`;
}
