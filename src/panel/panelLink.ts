// The host's end of the pipe to the panel: numbers what is posted, knows what the panel has taken in, and says again and
// again where the host is. Any message may be lost or late; what is wrong is noticed with the next beat.
// It must never know what the changes are about.
import { beatMs, type Change, type HostMessage } from '../protocol/messages.ts';

/** Posts that may be on their way at once. Beyond them what is new is gathered, so that a slow page never has a queue. */
export const mostUnseen = 4;

export type SnapshotContent = Omit<Extract<HostMessage, { type: 'snapshot' }>, 'type' | 'revision'>;

export interface PanelLinkPorts {
  post(message: HostMessage): void;
  /** Milliseconds since 1970. */
  now(): number;
}

export class PanelLink {
  readonly #ports: PanelLinkPorts;
  #timer: NodeJS.Timeout | undefined;
  #revision = 0;
  #seen = 0;
  /** Since when something has waited for room. */
  #waitingSince: number | undefined;

  constructor(ports: PanelLinkPorts) {
    this.#ports = ports;
  }

  dispose(): void {
    this.disconnect();
  }

  get isConnected(): boolean {
    return this.#timer !== undefined;
  }

  /** The panel has not taken in enough of what was posted to be given more. */
  get isFull(): boolean {
    return this.#revision - this.#seen >= mostUnseen;
  }

  /** A page is there, which has nothing yet. */
  connect(): void {
    this.#seen = this.#revision;
    this.#waitingSince = undefined;
    this.#timer ??= setInterval(() => {
      this.#beat();
    }, beatMs);
  }

  disconnect(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The panel has everything up to this number. */
  seen(revision: number): void {
    if (revision <= this.#revision) this.#seen = Math.max(this.#seen, revision);
    if (!this.isFull) this.#waitingSince = undefined;
  }

  /** Something new waits because the link is full. */
  waits(): void {
    this.#waitingSince ??= this.#ports.now();
  }

  changes(changes: readonly Change[]): void {
    this.#revision += 1;
    this.#ports.post({ type: 'changes', revision: this.#revision, changes });
  }

  snapshot(content: SnapshotContent): void {
    this.#revision += 1;
    this.#ports.post({ type: 'snapshot', revision: this.#revision, ...content });
  }

  #beat(): void {
    const behindMs = this.#waitingSince === undefined ? 0 : this.#ports.now() - this.#waitingSince;
    this.#ports.post({ type: 'beat', revision: this.#revision, ...(behindMs > 0 && { behindMs }) });
  }
}
