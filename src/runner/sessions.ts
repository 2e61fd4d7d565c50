// The sessions of this window: list, open, create, change, delete. Runs are launched by `launch.ts`.
import { RatchetError } from '../core/errors.ts';
import type { ApprovalMode, FolderIdentity, NewEvent, ResumeMode, SessionStateName } from '../core/events.ts';
import type { ThinkingMode } from '../core/messages.ts';
import type { RevertPlan, TakenBack } from '../core/revertPlan.ts';
import type { ApprovalRule } from '../core/approval/rules.ts';
import { offeredRules } from './approvalRules.ts';
import type { AgentOverrides } from './agentPorts.ts';
import { saysNothing, type MessageExtras } from '../core/userInput.ts';
import { Emitter } from './emitter.ts';
import { compactSession, type CompactionAnswer } from './compactSession.ts';
import { launch, MessageRecorded } from './launch.ts';
import { LiveSession, type SessionChange } from './liveSession.ts';
import { inspectSession, runningCommands, watchCommands, type RunningCommand } from './inspect.ts';
import { previewResume, type ResumePreview } from './previewResume.ts';
import { changeQueued, enqueue } from './queue.ts';
import { forkSession, type ForkedSession } from './forkSession.ts';
import { finishRevert, planRevert, revertSession, undoRevert } from './revertSession.ts';
import { RunStopped, type UserStop } from './runStopped.ts';
import { stopSession, type StopAnswer } from './stopSession.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { AdoptableSessions, ClaimedJournal, ImportedTrace, ListedSession, StoredSession } from './sessionStore.ts';

export interface ResumeOptions extends AgentOverrides {
  readonly mode?: ResumeMode;
  readonly model?: string;
  readonly thinking?: ThinkingMode;
  /** At once, even when the server asked for a wait that is not over. */
  readonly now?: true;
  /** By the setting ratchet.autoResume, and only while this record is the last one. */
  readonly auto?: { readonly lastSeq: number };
}

export interface ResumeResult {
  readonly status: 'resumed';
  readonly mode: ResumeMode;
  readonly priorState: SessionStateName;
}

export interface SendResult {
  /** `recorded`: it was in the trace before. */
  readonly status: 'started' | 'queued' | 'recorded';
}

export class Sessions {
  readonly #ports: SessionPorts;
  readonly #live = new Map<string, Promise<LiveSession>>();
  /** Messages that are being recorded, by their id. */
  readonly #sending = new Map<string, Promise<SendResult>>();
  readonly #changes: Emitter<SessionChange>;
  #closing = false;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#changes = new Emitter((error) => {
      ports.log('A listener failed', error);
    });
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    return this.#changes.on(listener);
  }

  async list(folderUri: string): Promise<readonly ListedSession[]> {
    const listed = await this.#ports.store.list(folderUri);
    return Promise.all(listed.map((row) => this.#withLiveState(row)));
  }

  async #withLiveState(row: ListedSession): Promise<ListedSession> {
    const live = await this.#live.get(row.id)?.catch(() => undefined);
    if (!live) return row;
    const spent = { ...row, spending: Object.fromEntries(live.state.spending) };
    if (!live.run && !live.launching) return spent;
    return { ...spent, state: 'running', needsUser: live.waitingApprovals.length > 0 };
  }

  /** Makes a session of an exported trace; nothing in it runs. @throws RatchetError */
  importTrace(folder: FolderIdentity, file: string): Promise<ImportedTrace> {
    return this.#ports.store.importTrace(folder, file);
  }

  /** The loaded session, up to date with its journal. @throws RatchetError `not_found` and others of the store */
  async open(sessionId: string): Promise<LiveSession> {
    let pending = this.#live.get(sessionId);
    if (!pending) {
      pending = this.#load(sessionId);
      this.#live.set(sessionId, pending);
      pending.catch(() => this.#live.delete(sessionId));
    }
    const session = await pending;
    await session.refresh();
    return session;
  }

  /**
   * Brings a loaded session up to date with what another window does in it, the output of its commands included; and an
   * idle one with the end of a command that it was found with.
   */
  async watch(sessionId: string): Promise<void> {
    const session = await this.open(sessionId);
    if (!session.heldElsewhere) {
      if (!session.hasRun()) await watchCommands(this.#ports, session);
      return;
    }
    for (const stepId of session.state.openSteps) {
      const step = session.state.steps.get(stepId);
      if (step?.status !== 'running' || step.intent?.kind !== 'job') continue;
      const lines = await this.#ports.commands.tail(session.stored.storage, step.intent.key);
      if (session.state.openSteps.has(stepId)) session.showLive(stepId, lines);
    }
  }

  /** The session if it is loaded already, as it is. */
  async peek(sessionId: string): Promise<LiveSession | undefined> {
    return this.#live.get(sessionId);
  }

  async #load(sessionId: string): Promise<LiveSession> {
    const stored = await this.#ports.store.open(sessionId);
    return this.#newLive(stored);
  }

  #newLive(stored: StoredSession): LiveSession {
    const publish = (change: SessionChange): void => {
      this.#changes.emit(change);
    };
    return new LiveSession(stored, publish, this.#ports.priceOf);
  }

  /** @param id for a session that the panel has named already: when it is there by now, it is the one */
  async create(folder: FolderIdentity, id?: string): Promise<LiveSession> {
    if (id !== undefined) {
      const there = await this.open(id).catch(notFound);
      if (there) return there;
    }
    const stored = await this.#ports.store.create(folder, id);
    const session = this.#newLive(stored);
    this.#live.set(session.id, Promise.resolve(session));
    await session.refresh();
    session.changed();
    return session;
  }

  /**
   * Starts a run by a message, or queues it for the next turn of the run that goes on in this window. Resolves when the
   * message is on disk. @throws RatchetError
   */
  async send(
    sessionId: string,
    text: string,
    extras: MessageExtras = {},
  ): Promise<{ readonly status: 'started' | 'queued' }> {
    const { status } = await this.#send(sessionId, text, extras, this.#ports.newId());
    return { status: status === 'queued' ? 'queued' : 'started' };
  }

  /**
   * The same for a message that may come again: under one id it is recorded once and acknowledged each time.
   * @throws RatchetError
   */
  sendOnce(sessionId: string, messageId: string, text: string, extras: MessageExtras = {}): Promise<SendResult> {
    const known = this.#sending.get(messageId);
    if (known) return known;
    const sent = this.#send(sessionId, text, extras, messageId).finally(() => this.#sending.delete(messageId));
    this.#sending.set(messageId, sent);
    return sent;
  }

  async #send(sessionId: string, text: string, extras: MessageExtras, messageId: string): Promise<SendResult> {
    if (saysNothing(text, extras)) throw new RatchetError('empty_message', 'Write a message first.');
    const session = await this.open(sessionId);
    if (session.state.messageIds.has(messageId)) return { status: 'recorded' };
    while (session.hasRun()) {
      this.#assertOpen();
      if (await enqueue(session, messageId, text, extras)) return { status: 'queued' };
      // The run ended before this had its turn. Where another message begins the next one, it is that run's.
      if (!session.launching) break;
    }
    try {
      await this.#launch(session, { cause: 'message', text, extras, messageId });
    } catch (error) {
      if (error instanceof MessageRecorded) return { status: 'recorded' };
      throw error;
    }
    return { status: 'started' };
  }

  /** Whether a message with this id is in the trace of this session. One that is being recorded is waited for. */
  async isRecorded(sessionId: string, messageId: string): Promise<boolean> {
    await this.#sending.get(messageId)?.catch(() => undefined);
    const session = await this.open(sessionId).catch(notFound);
    return session?.state.messageIds.has(messageId) === true;
  }

  /** Changes a message that waits for the next turn. @throws RatchetError `not_found` when it waits no more */
  async editQueued(sessionId: string, messageId: string, text: string): Promise<void> {
    if (text.trim() === '') throw new RatchetError('empty_message', 'Write a message first, or remove this one.');
    await changeQueued(await this.open(sessionId), { type: 'queued_message_edited', messageId, text });
  }

  /** @throws RatchetError `not_found` when the message waits no more */
  async removeQueued(sessionId: string, messageId: string): Promise<void> {
    await changeQueued(await this.open(sessionId), { type: 'queued_message_removed', messageId });
  }

  /** Makes a request again now that waits for its time; does nothing when none does. */
  async retryNow(sessionId: string): Promise<void> {
    const session = await this.open(sessionId);
    if (session.heldElsewhere)
      throw new RatchetError('already_running', 'Another window runs this session. Press Retry now there, or stop it.');
    session.wait?.skip();
  }

  /** Starts a run that goes on where the last one was cut. Resolves when that is on disk. @throws RatchetError */
  async resume(sessionId: string, options: ResumeOptions = {}): Promise<ResumeResult> {
    const mode = options.mode ?? 'resume';
    const priorState = await this.#launch(await this.open(sessionId), {
      cause: mode,
      ...(options.model !== undefined && { model: options.model }),
      ...(options.thinking !== undefined && { thinking: options.thinking }),
      ...(options.now && { now: options.now }),
      ...(options.auto && { auto: options.auto }),
      ...(options.agentModels && { agentModels: options.agentModels }),
      ...(options.agentThinking && { agentThinking: options.agentThinking }),
    });
    return { status: 'resumed', mode, priorState };
  }

  /** What a resume would send, without doing it. @throws RatchetError as a resume would */
  async previewResume(
    sessionId: string,
    options: Parameters<typeof previewResume>[2],
    signal: AbortSignal,
  ): Promise<ResumePreview> {
    return previewResume(this.#ports, await this.open(sessionId), options, signal);
  }

  async #launch(session: LiveSession, request: Parameters<typeof launch>[2]): Promise<SessionStateName> {
    this.#assertOpen();
    return launch(this.#ports, session, request);
  }

  /**
   * Replaces the beginning of the conversation by a summary, in what is sent: at once, or before the next request of the
   * run that goes on. @throws RatchetError `nothing_to_compact` and those of a launch
   */
  async compact(sessionId: string): Promise<CompactionAnswer> {
    this.#assertOpen();
    return compactSession(this.#ports, await this.open(sessionId));
  }

  /** What going back to before a message would do. @throws RatchetError */
  async planRevert(sessionId: string, messageId: string): Promise<RevertPlan> {
    return planRevert(this.#ports, await this.open(sessionId), messageId);
  }

  /** Goes back as planned; the message, to be sent again. @param lastSeq of the plan @throws RatchetError */
  async revert(sessionId: string, messageId: string, lastSeq: number): Promise<TakenBack> {
    this.#assertOpen();
    return revertSession(this.#ports, await this.open(sessionId), messageId, lastSeq);
  }

  /** Goes on with a revert that was cut; its message, unless it was an undo. @throws RatchetError */
  async finishRevert(sessionId: string): Promise<TakenBack | undefined> {
    this.#assertOpen();
    return finishRevert(this.#ports, await this.open(sessionId));
  }

  /** @throws RatchetError `cannot_revert` when there is no revert to undo (any more) */
  async undoRevert(sessionId: string): Promise<void> {
    this.#assertOpen();
    return undoRevert(this.#ports, await this.open(sessionId));
  }

  /** A new session with what stands before a message of this one. No file is touched. @throws RatchetError `not_found` */
  async fork(sessionId: string, messageId: string): Promise<ForkedSession> {
    this.#assertOpen();
    return forkSession(this.#ports.store, await this.open(sessionId), messageId);
  }

  #assertOpen(): void {
    if (this.#closing) throw new RatchetError('storage', 'This window is closing. Try again in the next one.');
  }

  /**
   * Ends the run of a session, in whatever window it goes on, and waits for its end.
   * @throws RatchetError `no_answer` when the window that runs it has not ended it in time
   */
  async stop(sessionId: string, kind: UserStop = 'user'): Promise<StopAnswer> {
    return stopSession(this.#ports, await this.open(sessionId), kind);
  }

  /** @throws RatchetError `not_found` when the step does not wait for an answer */
  async approve(sessionId: string, stepId: string, decision: 'allow' | 'deny', reason?: string): Promise<void> {
    const session = await this.open(sessionId);
    assertAnswerable(session);
    session.answerApproval(stepId, { decision, ...(reason !== undefined && reason.trim() !== '' && { reason }) });
  }

  async rename(sessionId: string, title: string): Promise<void> {
    const clean = title.trim();
    if (clean !== '') await this.#record(sessionId, { type: 'title_changed', title: clean, by: 'user' });
  }

  /** The model of the runs that begin from now on. @throws RatchetError */
  async chooseModel(sessionId: string, model: string, thinking?: ThinkingMode): Promise<void> {
    await this.#record(sessionId, { type: 'model_chosen', model: model.trim(), ...(thinking && { thinking }) });
  }

  async setApprovalMode(sessionId: string, mode: ApprovalMode): Promise<void> {
    await this.#record(sessionId, { type: 'approval_mode_changed', mode });
    (await this.open(sessionId)).lookAtApprovalsAgain();
  }

  /** Allows a waiting step, and from now on what the rules it was shown to make cover. @throws RatchetError `not_found` */
  async allowAlways(sessionId: string, stepId: string, choice: string): Promise<void> {
    const session = await this.open(sessionId);
    assertAnswerable(session);
    await this.addRules(session.folder.uri, offeredRules(session, stepId, choice));
    // A rule made of what is on record may not cover the call itself, when a secret was taken out of the record.
    if (session.waitingApprovals.includes(stepId)) session.answerApproval(stepId, { decision: 'allow' });
  }

  /** Keeps rules for a folder; questions of its sessions that they cover are answered. */
  async addRules(folderUri: string, rules: readonly ApprovalRule[]): Promise<void> {
    await this.#ports.approvalRules.add(folderUri, rules);
    for (const live of this.#live.values()) (await live.catch(() => undefined))?.lookAtApprovalsAgain();
  }

  /** Writes one record outside of a run, or into the run's journal when one goes on. */
  async #record(sessionId: string, event: NewEvent): Promise<void> {
    const session = await this.open(sessionId);
    await session.exclusively(async () => {
      if (session.run) {
        await session.write(session.run.claim, [event], true);
        return;
      }
      const claim: ClaimedJournal | undefined = await session.stored.claim(session.take);
      if (!claim) throw new RatchetError('already_running', 'Another window runs this session. Change it there.');
      try {
        await session.write(claim, [event], true);
      } finally {
        await claim.close();
      }
    });
  }

  /** Looks what an idle session has to go on with; the answer is a change of the session. */
  async inspect(sessionId: string): Promise<void> {
    await inspectSession(this.#ports, await this.open(sessionId));
  }

  /** The commands of a session that run now, also those that nobody follows. */
  async runningCommands(sessionId: string): Promise<readonly RunningCommand[]> {
    const stored = (await this.peek(sessionId))?.stored ?? (await this.#ports.store.open(sessionId));
    // Most have none, and are not loaded for that.
    const some = await this.#ports.commands.running(stored.storage);
    return some.length === 0 ? [] : runningCommands(this.#ports, await this.open(sessionId));
  }

  /** Ends a command of a session with all its processes. A run that follows it goes on with its end. */
  async endCommand(sessionId: string, key: string): Promise<void> {
    const session = await this.open(sessionId);
    await this.#ports.commands.end(session.stored.storage, key);
    await inspectSession(this.#ports, session);
  }

  /** Stops the session if it runs, ends its commands and moves it to the trash. Returns where it is now. */
  async remove(sessionId: string): Promise<string> {
    const session = await this.open(sessionId);
    if (session.heldElsewhere)
      throw new RatchetError('already_running', 'Another window runs this session. Stop it first, here or there.');
    await this.stop(sessionId);
    for (const { key } of await this.runningCommands(sessionId)) await this.endCommand(sessionId, key);
    this.#live.delete(sessionId);
    return this.#ports.store.moveToTrash(sessionId);
  }

  async restore(sessionId: string): Promise<void> {
    await this.#ports.store.restoreFromTrash(sessionId);
  }

  /** Sessions of folders that are gone and may have been this one: whether they were is for the user to say. */
  adoptable(folder: FolderIdentity): Promise<readonly AdoptableSessions[]> {
    return this.#ports.store.adoptable(folder);
  }

  /** From now on these sessions are the folder's. @throws RatchetError `no_folder` */
  adopt(folder: FolderIdentity, from: AdoptableSessions): Promise<void> {
    return this.#ports.store.adopt(folder, from);
  }

  /** Ends all runs without a record, as the end of the process would: they are interrupted and can be resumed. */
  async shutdown(): Promise<void> {
    this.#closing = true;
    const settled = await Promise.allSettled(this.#live.values());
    const sessions = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await Promise.all(
      sessions.filter(({ launching }) => launching).map((session) => session.exclusively(() => Promise.resolve())),
    );
    const runs = sessions.flatMap(({ run }) => run ?? []);
    for (const run of runs) run.controller.abort(new RunStopped('shutdown'));
    await Promise.all(runs.map((run) => run.ended));
  }
}

/** @throws RatchetError `already_running` when the question waits in another window */
function assertAnswerable(session: LiveSession): void {
  if (session.heldElsewhere)
    throw new RatchetError(
      'already_running',
      'This question waits in the window that runs the session. Answer it there, or stop the session.',
    );
}

function notFound(error: unknown): undefined {
  if (error instanceof RatchetError && error.code === 'not_found') return undefined;
  throw error;
}
