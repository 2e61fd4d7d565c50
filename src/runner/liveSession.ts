// A session that is loaded: its folded state, its transcript, what is streaming, and its run if it has one.
// Every written event passes through here exactly once: fold, project, publish.
import { RatchetError } from '../core/errors.ts';
import type { ApprovalMode, FolderIdentity, NewEvent, SessionEvent, SessionStateName } from '../core/events.ts';
import { openCompaction } from '../core/compaction.ts';
import { changesPast } from '../core/reverts.ts';
import type { PriceOf } from '../core/spending.ts';
import { applyEvent, emptySessionState } from '../core/sessionFold.ts';
import { openRun, stateName, type SessionState } from '../core/sessionState.ts';
import { spentBy } from '../projection/runTexts.ts';
import { Transcript, streamItemId } from '../projection/transcript.ts';
import type { TranscriptItem } from '../protocol/view.ts';
import type { Inspection } from './inspect.ts';
import type { StreamDelta } from './ports.ts';
import type { ShownWait } from './retryWait.ts';
import type { ApprovalAnswer } from './runContext.ts';
import { RunStopped, type UserStop } from './runStopped.ts';
import type { ClaimedJournal, StoredSession } from './sessionStore.ts';

export type SessionChange =
  /** A record was written (here) or found (written elsewhere). */
  | { readonly kind: 'event'; readonly sessionId: string; readonly event: SessionEvent }
  /** `cardId`: the item is inside of this delegation's card. */
  | { readonly kind: 'itemPut'; readonly sessionId: string; readonly item: TranscriptItem; readonly cardId?: string }
  | { readonly kind: 'itemRemoved'; readonly sessionId: string; readonly id: string }
  | { readonly kind: 'textAppended'; readonly sessionId: string; readonly id: string; readonly text: string }
  /** The items are others from here on: a part of the conversation was cut, or is back. */
  | { readonly kind: 'itemsReplaced'; readonly sessionId: string }
  | { readonly kind: 'liveOutput'; readonly sessionId: string; readonly id: string; readonly lines: readonly string[] }
  /** State, title, tasks or anything else of the header may be different now. */
  | { readonly kind: 'state'; readonly sessionId: string };

export interface ActiveRun {
  readonly id: string;
  readonly controller: AbortController;
  readonly claim: ClaimedJournal;
  /** Settles when the run has ended and its journal is closed. Never rejects. */
  readonly ended: Promise<void>;
}

interface Streaming {
  readonly requestId: string;
  readonly items: Map<string, Extract<TranscriptItem, { kind: 'assistant' | 'thinking' }>>;
  readonly counts: { text: number; thinking: number };
  block: { readonly index: number; readonly id: string } | undefined;
}

export class LiveSession {
  readonly stored: StoredSession;
  readonly state: SessionState;
  transcript = new Transcript();
  /** Last lines of the output of running steps. */
  readonly live = new Map<string, readonly string[]>();
  run: ActiveRun | undefined;
  /** The last run that this window launched. */
  ownRunId: string | undefined;
  /** Set from the moment a launch is accepted, so that two clicks cannot start two runs. */
  launching = false;
  heldElsewhere = false;
  /** Another window wants the run to end that goes on or begins here. */
  stopAsked: UserStop | undefined;
  /** The user's Stops, pressed here, whose run has not ended yet. */
  #stopping = 0;
  /** The user wants the conversation compacted before the next request of the run. */
  compactionWanted = false;
  /** What went wrong that could not be recorded, in the user's words. */
  problem: string | undefined;
  /** What was found when the session was last looked at while idle. */
  inspection: Inspection | undefined;
  /** Waits of its run to make requests again: agents may wait side by side. */
  readonly #waits = new Set<ShownWait>();
  readonly #publish: (change: SessionChange) => void;
  /** Questions that wait: how to answer one, and the answer that the mode or a rule gives by now. */
  readonly #approvals = new Map<
    string,
    { readonly answer: (answer: ApprovalAnswer) => void; readonly answered: () => ApprovalAnswer | undefined }
  >();
  #streaming: Streaming | undefined;
  #isLoaded = false;
  #turn: Promise<void> = Promise.resolve();

  readonly #priceOf: PriceOf;

  constructor(stored: StoredSession, publish: (change: SessionChange) => void, priceOf: PriceOf = () => undefined) {
    this.#priceOf = priceOf;
    this.stored = stored;
    this.state = emptySessionState(stored.header);
    this.#publish = publish;
  }

  get id(): string {
    return this.stored.id;
  }

  get folder(): FolderIdentity {
    return this.stored.folder;
  }

  get name(): SessionStateName {
    if (this.launching || this.run) return 'running';
    return stateName(this.state, this.heldElsewhere);
  }

  /** Whether a run goes on or begins here, as it is at this moment. */
  hasRun(): boolean {
    return this.launching || this.run !== undefined;
  }

  /** One claim on the journal after the other: the records outside of a run, and the beginning of one. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Reads what is new in the journal, from whomever, and looks who owns the session. */
  async refresh(): Promise<void> {
    if (this.hasRun()) return;
    const wasHeld = this.heldElsewhere;
    this.heldElsewhere = await this.stored.isHeldElsewhere();
    if (this.hasRun()) return;
    await this.stored.catchUp(this.#isLoaded ? this.take : this.#takeQuietly);
    this.#isLoaded = true;
    if (this.hasRun()) return;
    if (!this.heldElsewhere && (openRun(this.state) ?? openCompaction(this.state.conversation))) this.showCut();
    if (wasHeld !== this.heldElsewhere) this.changed();
  }

  /** What was there before this window looked is history: nobody is told of it record by record. */
  readonly #takeQuietly = (event: SessionEvent): void => {
    applyEvent(this.state, event);
    if (changesPast(event)) this.#projectAgain();
    else this.transcript.applyHistory(event, spentBy(this.state, event, this.#priceOf));
    this.transcript.takeNested();
  };

  #projectAgain(): void {
    this.transcript = new Transcript();
    for (const event of this.state.reverts.active)
      this.transcript.applyHistory(event, spentBy(this.state, event, this.#priceOf));
    this.transcript.takeNested();
  }

  /** Takes in one event that is new in the journal. */
  readonly take = (event: SessionEvent): void => {
    this.inspection = undefined;
    applyEvent(this.state, event);
    if (changesPast(event)) {
      this.#projectAgain();
      this.#publish({ kind: 'event', sessionId: this.id, event });
      this.#publish({ kind: 'itemsReplaced', sessionId: this.id });
      this.changed();
      return;
    }
    const items = this.transcript.apply(event, spentBy(this.state, event, this.#priceOf));
    if (
      event.type === 'assistant_message_completed' ||
      event.type === 'assistant_message_cut' ||
      event.type === 'request_failed'
    ) {
      this.#endStreaming(event.requestId, items);
    }
    if (event.type === 'step_finished') this.live.delete(event.stepId);
    this.#publish({ kind: 'event', sessionId: this.id, event });
    this.#putAll(items);
    this.changed();
  };

  async write(
    journal: ClaimedJournal,
    events: readonly NewEvent[],
    durable: boolean,
  ): Promise<readonly SessionEvent[]> {
    const written = await (durable ? journal.appendDurable(events) : journal.append(events));
    for (const event of written) this.take(event);
    return written;
  }

  /** Shows what nobody goes on with any more as cut. */
  showCut(): void {
    this.#putAll(this.transcript.cutOpenSteps());
  }

  setInspection(inspection: Inspection): void {
    this.inspection = inspection;
    this.#putAll(this.transcript.showVerdicts(inspection.verdicts, (path) => this.state.artifacts.get(path)?.stepId));
    this.changed();
  }

  setProblem(problem: string | undefined): void {
    if (this.problem === problem) return;
    this.problem = problem;
    this.changed();
  }

  /** Its run waits to make a request again; skipping ends all such waits. */
  get wait(): ShownWait | undefined {
    if (this.#waits.size === 0) return undefined;
    return {
      skip: () => {
        for (const wait of this.#waits) wait.skip();
      },
    };
  }

  /** @param before the wait that this one takes the place of */
  setWait(wait: ShownWait | undefined, before: ShownWait | undefined): void {
    if (before) this.#waits.delete(before);
    if (wait) this.#waits.add(wait);
    this.changed();
  }

  /** Another window's Stop is obeyed as one that is pressed here. */
  readonly obeyStop = (kind: UserStop): void => {
    this.stopAsked = kind;
    this.run?.controller.abort(new RunStopped(kind));
    this.changed();
  };

  /** The wish came while the run was being launched. */
  obeyEarlierStop(): void {
    if (this.stopAsked) this.obeyStop(this.stopAsked);
  }

  /** A Stop was pressed, or asked for elsewhere, and the run is still ending. */
  get isStopping(): boolean {
    if (this.#stopping > 0 && (this.hasRun() || this.heldElsewhere)) return true;
    return this.stopAsked !== undefined && this.hasRun();
  }

  /** Shows while it lasts that a Stop is being obeyed. */
  async whileStopping<T>(work: () => Promise<T>): Promise<T> {
    this.#stopping += 1;
    this.changed();
    try {
      return await work();
    } finally {
      this.#stopping -= 1;
      this.changed();
    }
  }

  changed(): void {
    this.#publish({ kind: 'state', sessionId: this.id });
  }

  /** Items of the transcript with what is streaming at the end. */
  page(limit: number, beforeId?: string): { readonly items: readonly TranscriptItem[]; readonly earlier: number } {
    const page = this.transcript.page(limit, beforeId);
    if (beforeId !== undefined || !this.#streaming) return page;
    return { items: [...page.items, ...this.#streaming.items.values()], earlier: page.earlier };
  }

  askApproval(
    stepId: string,
    signal: AbortSignal,
    answered: () => ApprovalAnswer | undefined,
  ): Promise<ApprovalAnswer> {
    const already = signal.aborted ? undefined : answered();
    if (already) return Promise.resolve(already);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#approvals.delete(stepId);
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        stop();
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      const answer = (given: ApprovalAnswer): void => {
        signal.removeEventListener('abort', stop);
        this.#approvals.delete(stepId);
        resolve(given);
      };
      this.#approvals.set(stepId, { answer, answered });
    });
  }

  /** @throws RatchetError `not_found` when nothing waits for this answer (any more) */
  answerApproval(stepId: string, answer: ApprovalAnswer): void {
    const waiting = this.#approvals.get(stepId);
    if (!waiting) throw new RatchetError('not_found', 'This request is not waiting for an answer any more.');
    waiting.answer(answer);
  }

  /** The mode or the rules have changed: what they answer by now waits no longer. */
  lookAtApprovalsAgain(): void {
    for (const { answer, answered } of [...this.#approvals.values()]) {
      const given = answered();
      if (given) answer(given);
    }
  }

  takeCompactionWish(): boolean {
    const wanted = this.compactionWanted;
    this.compactionWanted = false;
    return wanted;
  }

  get waitingApprovals(): readonly string[] {
    return [...this.#approvals.keys()];
  }

  approvalMode(fallback: ApprovalMode): ApprovalMode {
    return this.state.approvalMode ?? fallback;
  }

  showLive(stepId: string, lines: readonly string[]): void {
    this.live.set(stepId, lines);
    this.#publish({ kind: 'liveOutput', sessionId: this.id, id: stepId, lines });
  }

  /** Puts a streamed piece on screen. Nothing of it is recorded until its message is complete. */
  stream(requestId: string, delta: StreamDelta, at: number): void {
    if (delta.kind === 'tool') return;
    if (this.#streaming?.requestId !== requestId) {
      this.#streaming = { requestId, items: new Map(), counts: { text: 0, thinking: 0 }, block: undefined };
    }
    const streaming = this.#streaming;
    const block = streaming.block?.index === delta.index ? streaming.block : undefined;
    const id = block?.id ?? streamItemId(requestId, delta.kind, streaming.counts[delta.kind]++);
    streaming.block = { index: delta.index, id };
    const before = streaming.items.get(id);
    if (!before) {
      const item =
        delta.kind === 'text'
          ? ({ kind: 'assistant', id, at, markdown: delta.text, streaming: true } as const)
          : ({ kind: 'thinking', id, at, text: delta.text, streaming: true } as const);
      streaming.items.set(id, item);
      this.#publish({ kind: 'itemPut', sessionId: this.id, item });
      return;
    }
    const item =
      before.kind === 'assistant'
        ? { ...before, markdown: before.markdown + delta.text }
        : { ...before, text: before.text + delta.text };
    streaming.items.set(id, item);
    this.#publish({ kind: 'textAppended', sessionId: this.id, id, text: delta.text });
  }

  streamedText(requestId: string): string {
    if (this.#streaming?.requestId !== requestId) return '';
    return [...this.#streaming.items.values()].map((item) => (item.kind === 'assistant' ? item.markdown : '')).join('');
  }

  /** Takes what streamed off the screen, but for the items that its record puts in the same place. */
  #endStreaming(requestId: string, replacedBy: readonly TranscriptItem[]): void {
    if (this.#streaming?.requestId !== requestId) return;
    const kept = new Set(replacedBy.map((item) => item.id));
    for (const id of this.#streaming.items.keys()) {
      if (!kept.has(id)) this.#publish({ kind: 'itemRemoved', sessionId: this.id, id });
    }
    this.#streaming = undefined;
  }

  dropStreaming(): void {
    if (this.#streaming) this.#endStreaming(this.#streaming.requestId, []);
  }

  #putAll(items: readonly TranscriptItem[]): void {
    for (const nested of this.transcript.takeNested())
      this.#publish({ kind: 'itemPut', sessionId: this.id, ...nested });
    for (const item of items) this.#publish({ kind: 'itemPut', sessionId: this.id, item });
  }
}
