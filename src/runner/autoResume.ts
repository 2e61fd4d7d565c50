// Lets sessions of this window go on by themselves when their time has come. What may go on, is decided in
// core/autoResume.ts; asking and telling is the host's. It must never know the editor.
import { autoResumeVerdict, type AutoResumeMode } from '../core/autoResume.ts';
import { RatchetError, messageOf } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { hasWork } from '../core/sessionState.ts';
import type { LiveSession } from './liveSession.ts';
import type { Clock } from './ports.ts';
import type { Sessions } from './sessions.ts';

export interface AutoResumePorts {
  readonly sessions: Pick<Sessions, 'open' | 'peek' | 'resume' | 'onChange'>;
  readonly clock: Clock;
  mode(): AutoResumeMode;
  /** Whether things may run in this folder now. */
  mayRun(folder: FolderIdentity): boolean;
  /** Offers to go on with a session whose time has come. Does not wait for the answer. */
  ask(session: LiveSession): void;
  /** Tells why a session does not go on by itself. */
  tell(session: LiveSession, why: string): void;
  log(message: string, error?: unknown): void;
}

/** A timer may be late by the time that the machine slept: the clock is looked at again at least this often. */
const longestSleepMs = 30_000;

export class AutoResume {
  readonly #ports: AutoResumePorts;
  readonly #watched = new Set<string>();
  readonly #unsubscribe: () => void;
  #sleep: AbortController | undefined;
  #checking: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(ports: AutoResumePorts) {
    this.#ports = ports;
    this.#unsubscribe = ports.sessions.onChange((change) => {
      if (change.kind !== 'event' || change.event.type !== 'run_ended') return;
      const { runId, error } = change.event;
      if (error?.retryAt !== undefined) void this.#watchOwn(change.sessionId, runId);
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#unsubscribe();
    this.#sleep?.abort();
  }

  /** From now on these are looked after: sessions that this window found when it opened. Resolves after a first look. */
  watch(sessionIds: readonly string[]): Promise<void> {
    for (const id of sessionIds) this.#watched.add(id);
    return this.check();
  }

  /** Looks at the clock, the setting and the trust again. Never rejects. */
  check(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#check());
    return this.#checking;
  }

  /** What another window ran is that window's to go on with. */
  async #watchOwn(sessionId: string, runId: string): Promise<void> {
    try {
      const session = await this.#ports.sessions.peek(sessionId);
      if (session?.ownRunId !== runId) return;
      await session.run?.ended;
      await this.watch([sessionId]);
    } catch (error) {
      this.#ports.log(`Session ${sessionId} cannot be looked after`, error);
    }
  }

  async #check(): Promise<void> {
    this.#sleep?.abort();
    let next: number | undefined;
    for (const id of [...this.#watched]) {
      if (this.#disposed) return;
      try {
        const until = await this.#look(id);
        if (until !== undefined) next = Math.min(next ?? until, until);
      } catch (error) {
        this.#watched.delete(id);
        this.#ports.log(`Session ${id} cannot be looked after`, error);
      }
    }
    if (next !== undefined) this.#checkAt(next);
  }

  /** @returns when to look again, in milliseconds since 1970 */
  async #look(id: string): Promise<number | undefined> {
    const { sessions, clock } = this.#ports;
    const session = await sessions.open(id);
    const { state, name } = session;
    const retryAt = state.runs.at(-1)?.end?.error?.retryAt;
    const verdict = autoResumeVerdict({
      mode: this.#ports.mode(),
      name,
      ...(retryAt !== undefined && { retryAt }),
      mayRun: hasWork(state) && this.#ports.mayRun(session.folder),
      resumes: state.autoResumes,
      lastAt: state.lastAt,
      now: clock.now(),
    });
    switch (verdict.kind) {
      case 'wait':
        return verdict.until;
      case 'no':
        // The setting and the trust may change, what became of it does not.
        if (name !== 'failed' && name !== 'interrupted') this.#watched.delete(id);
        return undefined;
      case 'ask':
        this.#watched.delete(id);
        this.#ports.ask(session);
        return undefined;
      case 'held':
        this.#watched.delete(id);
        this.#ports.tell(session, verdict.why);
        return undefined;
      case 'resume':
        this.#watched.delete(id);
        await this.#resume(session);
        return undefined;
    }
  }

  async #resume(session: LiveSession): Promise<void> {
    try {
      await this.#ports.sessions.resume(session.id, { auto: { lastSeq: session.state.lastSeq } });
      this.#ports.log(`Session ${session.id} goes on by itself`);
    } catch (error) {
      // Somebody else was first: that is what was wanted.
      if (error instanceof RatchetError && error.code === 'already_running') return;
      this.#ports.log(`Session ${session.id} could not go on by itself`, error);
      this.#ports.tell(session, `Not resumed by itself: ${messageOf(error)}`);
    }
  }

  #checkAt(at: number): void {
    if (this.#disposed) return;
    const sleep = new AbortController();
    this.#sleep = sleep;
    const ms = Math.min(Math.max(0, at - this.#ports.clock.now()), longestSleepMs);
    this.#ports.clock.delay(ms, sleep.signal).then(
      () => this.check(),
      (error: unknown) => {
        if (!sleep.signal.aborted) this.#ports.log('The time to go on could not be waited for', error);
      },
    );
  }
}
