// Turns events into the items that the panel draws, one event at a time. What is on screen after an event depends only
// on the events before it, so a reopened panel shows the same. Knows nothing of the panel's scroll, folds or width.
import { connectionOf, type Connection } from '../core/connection.ts';
import type { EventOf, SessionEvent } from '../core/events.ts';
import { changeText } from '../core/noConnection.ts';
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import type { TranscriptItem } from '../protocol/view.ts';
import { contextItem, cutCompaction, type ContextEvent } from './contextItems.ts';
import { Delegations, type NestedChange } from './delegations.ts';
import { ItemList } from './itemList.ts';
import { StepItems, type Call } from './stepItems.ts';
import { userItem } from './userItem.ts';
import { revertItem } from './revertTexts.ts';
import { importedText, type RunSpent, resumedText, retryText, runEndText, thinkingDroppedText } from './runTexts.ts';

/** The items of one session, oldest first, kept up to date by `apply`. */
export class Transcript {
  readonly #items = new ItemList();
  readonly #steps: StepItems;
  /** Id of the line of the last compaction: only that one can be open. */
  #compaction: string | undefined;
  /** Id of the line that says that a request is made again, until something else happens. */
  #retryLine: string | undefined;
  readonly #taskTitles: Map<string, string>;
  /** Who answered by the last record that says it. */
  #connection: Connection | undefined;
  /** Absent in the transcript of a delegation itself. */
  readonly #delegations: Delegations | undefined;

  constructor(insideOf?: { readonly taskTitles: Map<string, string> }) {
    this.#taskTitles = insideOf?.taskTitles ?? new Map<string, string>();
    const taskTitles = this.#taskTitles;
    this.#delegations = insideOf ? undefined : new Delegations(() => new Transcript({ taskTitles }));
    this.#steps = new StepItems(taskTitles, (id) => this.#delegations?.fields(id) ?? {});
  }

  get length(): number {
    return this.#items.length;
  }

  /** Up to `limit` items that end before the item `beforeId`, or at the end. */
  page(limit: number, beforeId?: string): ReturnType<ItemList['page']> {
    return this.#items.page(limit, beforeId);
  }

  item(id: string): TranscriptItem | undefined {
    return this.#items.item(id);
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
    for (const item of changed) this.#items.put(item);
    return changed;
  }

  /** Takes in what happened before anybody looked: most of its steps become items when they are looked at. */
  applyHistory(event: SessionEvent, spent?: RunSpent): void {
    const inside = 'agentId' in event && event.agentId !== undefined;
    if (inside || (event.type !== 'step_started' && event.type !== 'step_finished') || !this.#canWait(event)) {
      this.apply(event, spent);
    } else if (event.type === 'step_started') {
      const call = this.#noteStart(event);
      this.#items.putLater(event.stepId, true, () => this.#steps.started(event, call));
    } else {
      const call = this.#steps.callOf(event.stepId);
      this.#items.putLater(event.stepId, false, (before) => this.#steps.finished(event, call, before));
    }
  }

  /** Whether the step will look the same later: a task may have another title by then, an agent have done more. */
  #canWait(event: EventOf<'step_started' | 'step_finished'>): boolean {
    const { tool } = event.type === 'step_started' ? event : this.#steps.callOf(event.stepId);
    return tool !== 'tasks' && this.#delegations?.has(event.stepId) !== true;
  }

  #card(id: string): readonly TranscriptItem[] {
    const item = this.item(id);
    return item?.kind === 'step' ? [{ ...item, ...this.#delegations?.fields(id) }] : [];
  }

  #project(event: SessionEvent, spent?: RunSpent): readonly TranscriptItem[] {
    const { at } = event;
    if (event.type !== 'request_failed' && event.type !== 'request_started') this.#retryLine = undefined;
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
      case 'approval_requested':
        return [this.#steps.waiting(event, this.item(event.stepId))];
      case 'step_started':
        return [this.#steps.started(event, this.#noteStart(event))];
      case 'step_continued':
        return this.#continued(event);
      case 'step_finished':
        return [this.#steps.finished(event, this.#steps.callOf(event.stepId), this.item(event.stepId))];
      case 'run_started':
        return this.#answeredBy(event, connectionOf(event));
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
        return this.#withDetail(resumedLineId(event), `${event.prompt}\n\n${event.shorter?.text ?? event.context}`);
      case 'request_failed':
        return this.#retry(event);
      case 'thinking_dropped':
        return [{ kind: 'notice', id: `thinking-${event.requestId}`, at, level: 'info', text: thinkingDroppedText }];
      case 'history_healed':
      case 'results_trimmed':
      case 'compaction_started':
      case 'compaction_failed':
      case 'history_compacted':
        return [
          ...(event.type === 'compaction_started' && event.connection ? this.#answeredBy(event, event.connection) : []),
          this.#contextItem(event),
        ];
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

  /** A line where another connection answers than before: loud, since the conversation so far goes there too. */
  #answeredBy({ seq, at }: SessionEvent, connection: Connection | undefined): readonly TranscriptItem[] {
    const text = connection && changeText(this.#connection, connection, 'now');
    this.#connection = connection ?? this.#connection;
    return text === undefined ? [] : [{ kind: 'notice', id: `connection-${String(seq)}`, at, level: 'warning', text }];
  }

  #assistantItems(event: EventOf<'assistant_message_completed'>): TranscriptItem[] {
    const items: TranscriptItem[] = [];
    const seen = { text: 0, thinking: 0 };
    for (const block of event.content) {
      if (block.type === 'tool_use') this.#steps.noteCall(block.id, { tool: block.name, input: block.input });
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

  #noteStart({ stepId, tool, input }: EventOf<'step_started'>): Call {
    const call = { tool, input };
    this.#steps.noteCall(stepId, call);
    return call;
  }

  #contextItem(event: ContextEvent): TranscriptItem {
    const item = contextItem(event);
    if ('compactionId' in event) this.#compaction = item.id;
    return item;
  }

  /** A step that kept running outside, and the line of its resume, which counts it. */
  #continued(event: EventOf<'step_continued'>): readonly TranscriptItem[] {
    const isAgent = this.#delegations?.has(event.stepId) === true;
    const step = this.#steps.continued(event, this.item(event.stepId), isAgent);
    const line = this.item(resumedLineId(event));
    return line?.kind === 'divider' && !isAgent ? [step, { ...line, text: `${line.text}, 1 running` }] : [step];
  }

  #withDetail(id: string, detail: string): readonly TranscriptItem[] {
    const item = this.item(id);
    return item?.kind === 'divider' ? [{ ...item, detail }] : [];
  }

  /** One line for all failures in a row: ten minutes of them are no news of their own. */
  #retry({ requestId, at, error, retryInMs, nextAttempt }: EventOf<'request_failed'>): readonly TranscriptItem[] {
    if (retryInMs === undefined) return [];
    this.#retryLine ??= `retry-${requestId}`;
    const text = retryText(error, retryInMs, nextAttempt);
    return [{ kind: 'notice', id: this.#retryLine, at, level: 'warning', text }];
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
    const compaction = this.#compaction === undefined ? undefined : this.item(this.#compaction);
    return [...this.#items.openSteps().map((item) => this.#steps.cut(item)), ...cutCompaction(compaction)];
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
    for (const item of [...changed, ...cards]) this.#items.put(item);
    return [...changed, ...cards];
  }

  /** What an open run's steps look like when nobody runs it any more. Not an event: derived, like `interrupted` itself. */
  cutOpenSteps(): readonly TranscriptItem[] {
    const cut = this.#cutAll();
    for (const item of cut) this.#items.put(item);
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
