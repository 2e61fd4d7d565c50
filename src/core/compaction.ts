// What a compaction says: the words that ask for a summary, and the text that stands for the summarised part from then on.
// It is made once and recorded. Pure; it must never decide when to compact, nor who is asked.
import type { EventOf, Task } from './events.ts';
import type { Artifact } from './recordedFiles.ts';
import type { AssistantBlock } from './messages.ts';
import { taskSection } from './resumeContext.ts';
import type { ConversationEvent } from './sessionState.ts';
import { headOf } from './wellFormed.ts';
import { countOf, sizeText } from './words.ts';

/** The user text that ends a request for a summary; everything before it is the conversation as it is sent anyway. */
export const summaryRequest = [
  'The conversation is about to become longer than you can take. Write a summary that stands for it from here on.',
  'Answer with the summary only, as text; call no tool. You will go on working from it, so leave nothing out that is needed:',
  '1. Goal: what the user asked for, with every wish and limit that still holds.',
  '2. Decisions: what was decided and why; what was tried and did not work.',
  '3. Files: which were read, made or changed, and what matters in each (names, values, line numbers).',
  '4. Finished steps: what is done and must not be done again, with results (numbers, paths, ids).',
  '5. Next: what is open, what runs at this moment, and the very next step.',
  'Be exact and short. Quote nothing at length: files can be read again.',
].join('\n');

export interface CompactedPart {
  readonly by: 'model' | 'ratchet';
  readonly summary: string;
  readonly conversation: readonly ConversationEvent[];
  readonly uptoSeq: number;
  readonly tasks: readonly Task[];
  readonly artifacts: readonly Artifact[];
}

const opening: Readonly<Record<CompactedPart['by'], string>> = {
  model:
    'The beginning of this conversation is replaced by a summary, which you wrote yourself. What is listed as done is done: do not do it again. The last steps follow as they were.',
  ratchet:
    'The beginning of this conversation is left out to save room, and no summary of it could be made. Below is what the record shows. What is listed as done is done: do not do it again. The last steps follow as they were.',
};
const closing =
  'Files may have changed since they were read: read again what you rely on before you edit it. Go on with what is open.';

/** The text that is sent in place of the summarised part. At most about `limit` characters. */
export function compactedText(part: CompactedPart, limit: number): string {
  const sections: readonly (readonly [string, string])[] = [
    ["The user's messages so far", ownWords(part.conversation, part.uptoSeq, Math.floor(limit / 4))],
    ['Summary', headOf(part.summary, Math.floor(limit / 2))],
    ['Task list', headOf(taskSection(part.tasks), Math.floor(limit / 8))],
    ['Files that this session made or changed', artifactLines(part.artifacts, Math.floor(limit / 8))],
  ];
  const body = sections.map(([title, text]) => `## ${title}\n${text}`).join('\n\n');
  return `<conversation_summary>\n${opening[part.by]}\n\n${body}\n\n${closing}\n</conversation_summary>`.toWellFormed();
}

/** The text of an answer to `summaryRequest`; undefined when it has none. */
export function summaryIn(content: readonly AssistantBlock[]): string | undefined {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return text.trim() === '' ? undefined : text.trim();
}

/** Steps in a conversation that end up to `uptoSeq` and that no earlier compaction stands for. */
export function stepsUpTo(conversation: readonly ConversationEvent[], uptoSeq: number): number {
  const from = conversation.findLast((entry) => entry.type === 'history_compacted')?.uptoSeq ?? 0;
  return conversation.filter(({ type, seq }) => type === 'step_finished' && seq > from && seq <= uptoSeq).length;
}

/** The compaction that was begun and has no end: it was cut. */
export function openCompaction(conversation: readonly ConversationEvent[]): EventOf<'compaction_started'> | undefined {
  const last = conversation.findLast(
    ({ type }) => type === 'compaction_started' || type === 'compaction_failed' || type === 'history_compacted',
  );
  return last?.type === 'compaction_started' ? last : undefined;
}

/** What can be said of the part without a model: its last steps, each with its outcome. */
export function listedSteps(conversation: readonly ConversationEvent[], uptoSeq: number, limit: number): string {
  const ends = new Map<string, EventOf<'step_finished'>>();
  for (const entry of conversation) if (entry.type === 'step_finished') ends.set(entry.stepId, entry);
  const lines: string[] = [];
  let left = 0;
  let length = 0;
  for (const entry of conversation.toReversed()) {
    if (entry.type !== 'assistant_message_completed' || entry.seq > uptoSeq) continue;
    for (const block of entry.content.toReversed()) {
      if (block.type !== 'tool_use') continue;
      const end = ends.get(block.id);
      const line = `${end?.outcome ?? 'outcome unknown'}: ${block.name} ${headOf(JSON.stringify(block.input), 200)}`;
      length += line.length + 1;
      if (length > limit) left += 1;
      else lines.push(line);
    }
  }
  if (lines.length === 0 && left === 0) return 'No tool calls yet.';
  if (left > 0) lines.push(`(${countOf(left, 'earlier call')} left out)`);
  return lines.toReversed().join('\n');
}

/** The first message and the last ones, as the user wrote them. */
function ownWords(conversation: readonly ConversationEvent[], uptoSeq: number, limit: number): string {
  const said = conversation.flatMap((entry) =>
    entry.type === 'user_message_added' && entry.origin === 'user' && entry.seq <= uptoSeq ? [entry.text.trim()] : [],
  );
  const [first, ...later] = said;
  if (first === undefined) return 'None in this part.';
  const lines = [cut(first, Math.floor(limit / 2))];
  const last: string[] = [];
  let room = limit - (lines[0]?.length ?? 0);
  for (const text of later.toReversed()) {
    const line = cut(text, Math.floor(limit / 4));
    if (line.length > room) break;
    room -= line.length;
    last.unshift(line);
  }
  const left = later.length - last.length;
  if (left > 0) lines.push(`(${countOf(left, 'message')} left out)`);
  return [...lines, ...last].join('\n---\n');
}

function artifactLines(artifacts: readonly Artifact[], limit: number): string {
  if (artifacts.length === 0) return 'None.';
  const lines: string[] = [];
  let length = 0;
  for (const { path, change, size } of artifacts.toReversed()) {
    const line = change === 'deleted' ? `${path}: deleted` : `${path}: ${change} (${sizeText(size)})`;
    length += line.length + 1;
    if (length > limit) break;
    lines.unshift(line);
  }
  const left = artifacts.length - lines.length;
  return left === 0 ? lines.join('\n') : [`(${countOf(left, 'earlier file')} left out)`, ...lines].join('\n');
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${headOf(text, length)} […]`;
}
