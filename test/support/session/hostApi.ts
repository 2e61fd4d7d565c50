// The extension's API as another extension has it: typed, activated, and its events awaited. For the suites inside of
// an extension host.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PublishedEvent, RatchetApi } from '../../../src/api.ts';
import type { EventOf, EventType, SessionEvent, SessionStateName } from '../../../src/core/events.ts';

const extensionId = 'ratchet-dev.ratchet';

export function ratchetExtension(): vscode.Extension<RatchetApi> {
  const found = vscode.extensions.getExtension<RatchetApi>(extensionId);
  assert.ok(found !== undefined, `${extensionId} is not installed`);
  return found;
}

export async function ratchetApi(): Promise<RatchetApi> {
  return await ratchetExtension().activate();
}

/** What a session publishes from now on, and a way to wait for it. */
export class PublishedEvents {
  readonly #events: SessionEvent[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #subscriptions: readonly { dispose(): void }[];
  #state: SessionStateName = 'created';

  constructor(api: RatchetApi, sessionId: string) {
    this.#subscriptions = [
      api.onDidPublishEvent((published: PublishedEvent) => {
        if (published.sessionId !== sessionId) return;
        this.#events.push(published.event);
        this.#wake();
      }),
      api.onDidChangeSession(({ id, state }) => {
        if (id !== sessionId) return;
        this.#state = state;
        this.#wake();
      }),
    ];
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  of<T extends EventType>(type: T): readonly EventOf<T>[] {
    return this.#events.filter((event): event is EventOf<T> => event.type === type);
  }

  /** Waits for the `count`th event of a type since the beginning, and returns it. */
  async waitFor<T extends EventType>(type: T, count = 1): Promise<EventOf<T>> {
    for (;;) {
      const event = this.of(type)[count - 1];
      if (event !== undefined) return event;
      await this.#next();
    }
  }
  /** Waits until the `count`th run of the session has ended and the session is free again; returns its end. */
  async ended(count = 1): Promise<EventOf<'run_ended'>> {
    const end = await this.waitFor('run_ended', count);
    while (this.#state === 'running') await this.#next();
    return end;
  }

  #next(): Promise<void> {
    return new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
