// Looks once a second whether another window writes to the session that is open here. Knows nothing of what is shown.
import type { LiveSession } from '../runner/liveSession.ts';

/** How often, in milliseconds: a part of how long a take-over can take. */
export const watchMs = 1_000;

export interface SessionWatchPorts {
  /** The open session, while somebody could see what is new in it. */
  session(): LiveSession | undefined;
  /** Brings a session up to date. */
  look(sessionId: string): Promise<void>;
  /** The window that ran the session does so no more. */
  onFreed(): void;
  /** The session cannot be looked at; it is left alone until another one is open. */
  onFailed(session: LiveSession, error: unknown): void;
}

export class SessionWatch {
  readonly #ports: SessionWatchPorts;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #failed: LiveSession | undefined;

  constructor(ports: SessionWatchPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => {
      void this.#look();
    }, watchMs);
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const session = this.#ports.session();
    if (session !== this.#failed) this.#failed = undefined;
    // What runs here needs no look, and a slow disk gets one at a time.
    if (!session || session.hasRun() || this.#isLooking || this.#failed) return;
    const wasHeld = session.heldElsewhere;
    this.#isLooking = true;
    try {
      await this.#ports.look(session.id);
      if (wasHeld && !session.heldElsewhere) this.#ports.onFreed();
    } catch (error) {
      this.#failed = session;
      this.#ports.onFailed(session, error);
    } finally {
      this.#isLooking = false;
    }
  }
}
