// What is posted to the panel and when: changes gathered for a moment, no more of them than the panel takes in, and
// everything anew where it was too slow for that. It must never know what is shown.
import type { Change } from '../protocol/messages.ts';
import type { PanelView } from '../protocol/view.ts';
import type { SessionChange } from '../runner/liveSession.ts';
import { ChangeBatch, type CollectedChange } from './changeBatch.ts';
import { PanelLink, type PanelLinkPorts, type SnapshotContent } from './panelLink.ts';

const flushMs = 33;

export interface PanelFeedPorts extends PanelLinkPorts {
  /** Something changed a moment ago, whether the panel is there or not. */
  onSettled(): void;
  /** Puts in what collected changes leave out. */
  fill(changes: readonly CollectedChange[]): readonly Change[];
  /** Posts everything anew. */
  postSnapshot(): void;
  /** Posts all but the items anew. */
  postPanel(): void;
  log(message: string, error?: unknown): void;
}

export class PanelFeed {
  readonly #ports: PanelFeedPorts;
  readonly #link: PanelLink;
  readonly #batch = new ChangeBatch();
  #timer: NodeJS.Timeout | undefined;
  /** The panel was too slow, or a post failed: it is told everything anew as soon as it can take it. */
  #snapshotDue = false;
  /** All but the items changed while the panel could take nothing. */
  #panelDue = false;

  constructor(ports: PanelFeedPorts) {
    this.#ports = ports;
    this.#link = new PanelLink(ports);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#link.dispose();
  }

  /** As it is at this moment. */
  isConnected(): boolean {
    return this.#link.isConnected;
  }

  /** A page is there, which has nothing yet. */
  connect(): void {
    this.#link.connect();
  }

  disconnect(): void {
    this.#link.disconnect();
    this.clear();
  }

  /** What was collected is about something that is not shown any more, or will be in a snapshot. */
  clear(): void {
    this.#batch.clear();
  }

  add(change: SessionChange): void {
    if (!this.#snapshotDue) this.#batch.add(change);
    if (this.#batch.isTooLarge) this.#giveUpOnChanges();
    this.#schedule();
  }

  /** The panel has everything up to this number. */
  seen(revision: number): void {
    this.#link.seen(revision);
    if (this.#snapshotDue || this.#panelDue || !this.#batch.isEmpty) this.#schedule();
  }

  /** Posts all but the items, or does so later where the panel can take nothing now. */
  panel(make: () => PanelView): void {
    if (!this.#link.isConnected) return;
    this.#panelDue = this.#link.isFull;
    if (!this.#panelDue) this.#link.changes([{ kind: 'panel', panel: make() }]);
  }

  /** Posts everything; what was collected until now is in it. */
  snapshot(content: SnapshotContent): void {
    this.#batch.clear();
    this.#snapshotDue = false;
    this.#panelDue = false;
    this.#link.snapshot(content);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      try {
        this.#flush();
      } catch (error) {
        // What was taken from the batch is lost: only all of it makes the panel right again.
        this.#ports.log('Changes could not be shown', error);
        this.#giveUpOnChanges();
      }
    }, flushMs);
  }

  #giveUpOnChanges(): void {
    this.#batch.clear();
    this.#snapshotDue = true;
  }

  #flush(): void {
    this.#ports.onSettled();
    if (!this.#link.isConnected) {
      // Whoever connects gets a snapshot.
      this.#batch.clear();
      this.#snapshotDue = false;
      this.#panelDue = false;
      return;
    }
    if (this.#link.isFull) {
      this.#link.waits();
      return;
    }
    if (this.#snapshotDue) {
      this.#ports.postSnapshot();
      return;
    }
    if (this.#panelDue) this.#ports.postPanel();
    if (!this.#batch.isEmpty) this.#link.changes(this.#ports.fill(this.#batch.take()));
  }
}
