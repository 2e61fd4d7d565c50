// Turns events into the items that the panel draws, one event at a time. What is on screen after an event depends only
// on the events before it, so a reopened panel shows the same. Knows nothing of the panel's scroll, folds or width.
import type { EventOf, SessionEvent, StepOutcome } from '../core/events.ts';
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import { stepTitle, type TitlePhase } from '../core/stepTitles.ts';
import { headOf } from '../core/wellFormed.ts';
import type { StepItem, StepStatus, TranscriptItem } from '../protocol/view.ts';
import { contextItem, cutCompactions } from './contextItems.ts';
import { alwaysView } from './approvalView.ts';
import { Delegations, type NestedChange } from './delegations.ts';
import { userItem } from './userItem.ts';
import { revertItem } from './revertTexts.ts';
import { importedText, type RunSpent, resumedText, retryText, runEndText, thinkingDroppedText } from './runTexts.ts';

/** What a step's result may take in the panel, in UTF-16 units; the rest is a click away. */
const resultLimit = 8_000;

/** The items of one session, oldest first, kept up to date by `apply`. */
export class Transcript {
  readonly #items: TranscriptItem[] = [];
  readonly #places = new Map<string, number>();
  readonly #inputs = new Map<string, { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }>();
  readonly #taskTitles: Map<string, string>;
  readonly #previews = new Map<string, string>();
  /** Absent in the transcript of a delegation itself. */
  readonly #delegations: Delegations | undefined;

  constructor(insideOf?: { readonly taskTitles: Map<string, string> }) {
    this.#taskTitles = insideOf?.taskTitles ?? new Map<string, string>();
    const taskTitles = this.#taskTitles;
    this.#delegations = insideOf ? undefined : new Delegations(() => new Transcript({ taskTitles }));
  }

  get length(): number {
    return this.#items.length;
  }

  /** Up to `limit` items that end before the item `beforeId`, or at the end. */
  page(limit: number, beforeId?: string): { readonly items: readonly TranscriptItem[]; readonly earlier: number } {
    const end = beforeId === undefined ? this.#items.length : (this.#places.get(beforeId) ?? 0);
    const start = Math.max(0, end - limit);
    return { items: this.#items.slice(start, end), earlier: start };
  }

  item(id: string): TranscriptItem | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#items[place];
  }

  /** The same of the items inside of a delegation's card. */
  agentPage(cardId: string, limit: number, beforeId?: string): ReturnType<Transcript['page']> {
    return this.#delegations?.page(cardId, limit, beforeId) ?? { items: [], earlier: 0 };
  }

  /** What changed inside of delegations since the last call. */
  takeNested(): readonly NestedChange[] {
    return this.#delegations?.takeChanges() ?? [];
  }

  /** Takes one event in; returns the items that it added or changed; those inside of a delegation are in `takeNested`. */
  apply(event: SessionEvent, spent?: RunSpent): readonly TranscriptItem[] {
    const cardId = this.#delegations?.apply(event);
    const changed = cardId === undefined ? this.#project(event, spent) : this.#card(cardId);
    for (const item of changed) this.#put(item);
    return changed;
  }

  #card(id: string): readonly TranscriptItem[] {
    const item = this.item(id);
    return item?.kind === 'step' ? [{ ...item, ...this.#delegations?.fields(id) }] : [];
  }

  #put(item: TranscriptItem): void {
    const place = this.#places.get(item.id);
    if (place === undefined) {
      this.#places.set(item.id, this.#items.length);
      this.#items.push(item);
    } else {
      this.#items[place] = item;
    }
  }

  #project(event: SessionEvent, spent?: RunSpent): readonly TranscriptItem[] {
    const { at } = event;
    switch (event.type) {
      case 'user_message_added':
        return event.origin === 'user'
          ? [userItem(event)]
          : [
              {
                kind: 'divider',
                id: event.messageId,
                at,
                text: 'answer reached the output limit, going on',
                detail: event.text,
              },
            ];
      case 'assistant_message_completed':
        return this.#assistantItems(event);
      case 'assistant_message_cut':
        return event.text.trim() === ''
          ? []
          : [
              {
                kind: 'assistant',
                id: streamItemId(event.requestId, 'text', 0),
                at,
                markdown: event.text,
                streaming: false,
                cut: true,
              },
            ];
      case 'approval_requested': {
        this.#previews.set(event.stepId, event.preview);
        const always = alwaysView(event.asked);
        return [
          this.#step(event.stepId, event.tool, 'waiting', at, {
            preview: { language: previewLanguage(event.tool), text: event.preview },
            ...(event.note !== undefined && { note: event.note }),
            ...(always && { always }),
          }),
        ];
      }
      case 'step_started':
        this.#inputs.set(event.stepId, { tool: event.tool, input: event.input });
        return [
          this.#step(event.stepId, event.tool, 'running', at, {
            startedAt: at,
            ...(event.allowedBy !== undefined && { allowedBy: event.allowedBy }),
          }),
        ];
      case 'step_continued':
        return this.#continuedStep(event);
      case 'step_finished':
        return [this.#finishedStep(event)];
      case 'session_resumed':
        return [
          {
            kind: 'divider',
            id: resumedLineId(event),
            at,
            text: resumedText(event.mode, event.stepsKept, event.auto),
          },
        ];
      case 'relaunch_prepared':
        return this.#withDetail(resumedLineId(event), `${event.prompt}\n\n${event.context}`);
      case 'request_failed':
        return event.retryInMs === undefined
          ? []
          : [
              {
                kind: 'notice',
                id: `retry-${event.requestId}`,
                at,
                level: 'warning',
                text: retryText(event.error, event.retryInMs),
              },
            ];
      case 'thinking_dropped':
        return [{ kind: 'notice', id: `thinking-${event.requestId}`, at, level: 'info', text: thinkingDroppedText }];
      case 'history_healed':
      case 'results_trimmed':
      case 'compaction_started':
      case 'compaction_failed':
      case 'history_compacted':
        return [contextItem(event)];
      case 'session_imported':
        return [{ kind: 'divider', id: `imported-${String(event.seq)}`, at, text: importedText(event) }];
      case 'note_added':
        return [{ kind: 'notice', id: `note-${String(event.seq)}`, at, level: event.level, text: event.text }];
      case 'history_reverted':
      case 'revert_undone':
      case 'session_forked':
        return [revertItem(event)];
      case 'run_ended':
        return this.#runEnd(event, spent);
      case 'task_added':
        this.#taskTitles.set(event.task.id, event.task.title);
        return [];
      case 'task_updated':
        if (event.title !== undefined) this.#taskTitles.set(event.id, event.title);
        return [];
      case 'agent_started':
        return [{ kind: 'user', id: `task-${event.agentId}`, at, text: event.task, author: 'Task' }];
      case 'agent_resumed':
        return [{ kind: 'divider', id: resumedLineId(event), at, text: 'resumed' }];
      case 'revert_started':
      case 'agent_ended':
      case 'run_started':
      case 'request_started':
      case 'approval_answered':
      case 'title_changed':
      case 'approval_mode_changed':
      case 'model_chosen':
      case 'prompt_set':
      case 'message_queued':
      case 'queued_message_edited':
      case 'queued_message_removed':
      case 'task_deleted':
        return [];
    }
  }

  #assistantItems(event: EventOf<'assistant_message_completed'>): TranscriptItem[] {
    const items: TranscriptItem[] = [];
    const seen = { text: 0, thinking: 0 };
    for (const block of event.content) {
      if (block.type === 'tool_use') this.#inputs.set(block.id, { tool: block.name, input: block.input });
      if (block.type === 'text' && block.text !== '') {
        items.push({
          kind: 'assistant',
          id: streamItemId(event.requestId, 'text', seen.text++),
          at: event.at,
          markdown: block.text,
          streaming: false,
        });
      } else if (block.type === 'thinking' && block.thinking !== '') {
        items.push({
          kind: 'thinking',
          id: streamItemId(event.requestId, 'thinking', seen.thinking++),
          at: event.at,
          text: block.thinking,
          streaming: false,
        });
      }
    }
    return items;
  }

  #step(id: string, tool: string, status: StepStatus, at: number, more: Partial<StepItem>): StepItem {
    const known = this.#inputs.get(id) ?? { tool, input: {} };
    const { verb, subject, path } = stepTitle(known.tool, known.input, titlePhase(status), this.#taskTitles);
    return {
      kind: 'step',
      id,
      at,
      status,
      verb,
      subject,
      ...(path !== undefined && { path }),
      input: inputText(known.tool, known.input, this.#previews.get(id)),
      ...this.#delegations?.fields(id),
      ...more,
    };
  }

  /** A step that kept running outside, and the line of its resume, which counts it. */
  #continuedStep(event: EventOf<'step_continued'>): readonly TranscriptItem[] {
    const cut = this.item(event.stepId);
    const startedAt = cut?.kind === 'step' ? cut.startedAt : undefined;
    // An agent did nothing while nobody watched; a command inside may have.
    const isAgent = this.#delegations?.has(event.stepId) === true;
    const step = this.#step(event.stepId, 'unknown', 'running', cut?.at ?? event.at, {
      ...(startedAt !== undefined && { startedAt }),
      ...(cut?.kind === 'step' && cut.allowedBy !== undefined && { allowedBy: cut.allowedBy }),
      ...(!isAgent && { note: 'kept running while nobody watched' }),
    });
    const line = this.item(resumedLineId(event));
    return line?.kind === 'divider' && !isAgent ? [step, { ...line, text: `${line.text}, 1 running` }] : [step];
  }

  #finishedStep(event: EventOf<'step_finished'>): StepItem {
    const before = this.item(event.stepId);
    const started = before?.kind === 'step' ? before : undefined;
    const status = stepStatus(event.outcome);
    const text = headOf(event.content, resultLimit);
    return this.#step(event.stepId, 'unknown', status, started?.at ?? event.at, {
      ...(started?.startedAt !== undefined && { startedAt: started.startedAt }),
      ...(started?.allowedBy !== undefined && { allowedBy: started.allowedBy }),
      ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
      ...(event.exitCode !== undefined && status !== 'stopped' && { exitCode: event.exitCode }),
      ...(event.lines && { lines: event.lines }),
      // What was stopped or denied by the user is no error, and says so by its status.
      ...(event.outcome === 'failed' && { problem: firstLine(event.content) }),
      ...(event.note !== undefined && { note: event.note }),
      result: { text, truncated: text.length < event.content.length },
      ...(madeItsFile(this.#inputs.get(event.stepId)?.tool, event.artifacts) && { verb: 'Created' }),
      ...(event.output && { hasFullOutput: true }),
      ...(event.artifacts &&
        event.artifacts.length > 0 && { artifacts: event.artifacts.map(({ path, change }) => ({ path, change })) }),
    });
  }

  #withDetail(id: string, detail: string): readonly TranscriptItem[] {
    const item = this.item(id);
    return item?.kind === 'divider' ? [{ ...item, detail }] : [];
  }

  #runEnd(event: EventOf<'run_ended'>, spent: RunSpent | undefined): readonly TranscriptItem[] {
    const text = runEndText(event);
    const line: TranscriptItem =
      event.outcome === 'failed'
        ? { kind: 'notice', id: `end-${event.runId}`, at: event.at, level: 'error', text }
        : {
            kind: 'divider',
            id: `end-${event.runId}`,
            at: event.at,
            text: spent?.cost === undefined ? text : `${text} · ${spent.cost}`,
            ...(spent && { detail: spent.usage }),
          };
    // A step that was still waiting or running when the run ended does neither any more.
    return [...this.#cutAll(), line];
  }

  #cutAll(): readonly TranscriptItem[] {
    this.#delegations?.cutOpenSteps();
    const open = this.#items.filter(
      (item): item is StepItem => item.kind === 'step' && (item.status === 'waiting' || item.status === 'running'),
    );
    return [...open.map((item) => this.#cutStep(item)), ...cutCompactions(this.#items)];
  }

  #cutStep(item: StepItem): StepItem {
    // What is asked, and what would be done first, is over with the question.
    const { preview: _preview, always: _always, note, ...rest } = item;
    const kept = item.status === 'running' && note !== undefined ? { note } : {};
    const known = this.#inputs.get(item.id) ?? { tool: 'unknown', input: {} };
    const phase = item.status === 'waiting' ? 'asked' : 'cut';
    const fields = this.#delegations?.fields(item.id);
    const { verb } = stepTitle(known.tool, known.input, phase, this.#taskTitles);
    return { ...rest, ...kept, ...fields, status: 'cut', verb };
  }

  /** Says of each file that a step made what became of it. `ownerOf` names the last step that touched a path. */
  showVerdicts(
    verdicts: ReadonlyMap<string, ArtifactVerdict>,
    ownerOf: (path: string) => string | undefined,
  ): readonly TranscriptItem[] {
    const owners = new Set([...verdicts.keys()].map(ownerOf));
    const changed = [...owners].flatMap((id): readonly TranscriptItem[] => {
      const item = id === undefined ? undefined : this.item(id);
      if (item?.kind !== 'step' || !item.artifacts) return [];
      const artifacts = item.artifacts.map((artifact) => {
        const verdict = ownerOf(artifact.path) === id ? verdicts.get(artifact.path) : undefined;
        return { path: artifact.path, change: artifact.change, ...(verdict && { verdict }) };
      });
      return [{ ...item, artifacts }];
    });
    const cards = this.#delegations?.showVerdicts(verdicts, ownerOf).flatMap((id) => this.#card(id)) ?? [];
    for (const item of [...changed, ...cards]) this.#put(item);
    return [...changed, ...cards];
  }

  /** What an open run's steps look like when nobody runs it any more. Not an event: derived, like `interrupted` itself. */
  cutOpenSteps(): readonly TranscriptItem[] {
    const cut = this.#cutAll();
    for (const item of cut) this.#put(item);
    return cut;
  }
}

/** The id of the line that says that something was resumed: the session's own, or an agent's inside of its card. */
function resumedLineId({ runId, agentId }: { readonly runId: string; readonly agentId?: string | undefined }): string {
  return agentId === undefined ? `resumed-${runId}` : `resumed-${runId}-${agentId}`;
}

/** The id of the item that a block of a streamed answer becomes; the same while it streams and when it is complete. */
export function streamItemId(requestId: string, kind: 'text' | 'thinking', nth: number): string {
  return `${requestId}-${kind}-${String(nth)}`;
}

function titlePhase(status: StepStatus): TitlePhase {
  switch (status) {
    case 'waiting':
      return 'asks';
    case 'running':
      return 'running';
    case 'cut':
      return 'cut';
    case 'denied':
    case 'not_started':
      return 'asked';
    case 'succeeded':
    case 'failed':
    case 'stopped':
      return 'ended';
  }
}

/** A write or an edit that made its file says so. */
function madeItsFile(tool: string | undefined, artifacts: EventOf<'step_finished'>['artifacts']): boolean {
  return (tool === 'write' || tool === 'edit') && artifacts?.length === 1 && artifacts[0]?.change === 'created';
}

function stepStatus(outcome: StepOutcome): StepStatus {
  return outcome === 'cancelled' || outcome === 'timed_out' ? 'stopped' : outcome;
}

function previewLanguage(tool: string): 'shell' | 'diff' | 'json' {
  if (tool === 'run_command') return 'shell';
  return tool === 'write' || tool === 'edit' ? 'diff' : 'json';
}

function inputText(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  preview: string | undefined,
): StepItem['input'] {
  if (tool === 'run_command' && typeof input.command === 'string') return { language: 'shell', text: input.command };
  if (preview !== undefined && previewLanguage(tool) === 'diff')
    return { language: 'diff', text: headOf(preview, resultLimit) };
  return { language: 'json', text: headOf(JSON.stringify(input, undefined, 2), resultLimit) };
}

function firstLine(text: string): string {
  return headOf(text.trimStart().split('\n', 1)[0] ?? '', 300);
}
