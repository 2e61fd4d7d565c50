// The store with signals on top: each part of the panel listens to its own signal, each transcript item to its own,
// so that a stream of text draws one item again and nothing else. No DOM.
import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { ResumeMode } from '../src/core/events.ts';
import type { HostMessage, PanelMessage } from '../src/protocol/messages.ts';
import type { PanelView, RevertPlanView, SessionView, StepItem, TranscriptItem } from '../src/protocol/view.ts';
import { announcements } from './announcements.ts';
import { keptValue, type KeptView } from './keptView.ts';
import { createLinkWatch, type LinkState } from './linkWatch.ts';
import { initialState, reduce, type AgentItems, type PanelState } from './store.ts';
import { newSessionKey } from './viewMemory.ts';

/** `fork`: while a run goes on, or a revert is unfinished, only that. */
export type MessageActions = 'none' | 'fork' | 'all';

export interface PanelModel {
  readonly panel: ReadonlySignal<PanelView | undefined>;
  readonly session: ReadonlySignal<SessionView | undefined>;
  /** Key of drafts, folds and places. */
  readonly sessionKey: ReadonlySignal<string>;
  readonly itemIds: ReadonlySignal<readonly string[]>;
  readonly earlier: ReadonlySignal<number>;
  /** The step that runs or waits now: the last of them. */
  readonly currentStep: ReadonlySignal<StepItem | undefined>;
  /** What may be done with a message of the user now. */
  readonly messageActions: ReadonlySignal<MessageActions>;
  readonly revertPlan: ReadonlySignal<RevertPlanView | undefined>;
  readonly refused: ReadonlySignal<PanelState['refused']>;
  readonly focusRequests: ReadonlySignal<number>;
  /** Sentences for the live region; the newest set replaces the one before. */
  readonly announced: ReadonlySignal<readonly string[]>;
  readonly items: ReadonlySignal<readonly TranscriptItem[]>;
  /** Grows with each snapshot: what is inside of open cards has to be asked for again. */
  readonly snapshots: ReadonlySignal<number>;
  /** What is inside of an agent's card, once it was asked for; the items of it are in `item` too. */
  inside(cardId: string): ReadonlySignal<AgentItems | undefined>;
  item(id: string): ReadonlySignal<TranscriptItem | undefined>;
  live(id: string): ReadonlySignal<readonly string[]>;
  /** Whether what is shown is what the host has. */
  readonly link: ReadonlySignal<LinkState>;
  /** Shows what was on the screen before this page was made, until the host is heard of. */
  showKept(kept: KeptView): void;
  /** What is on the screen, as a value that can be stored; undefined while that is nothing, or nothing new. */
  toKeep(): unknown;
  /** To be called each second: notices that the host is gone, and asks again for what was lost. */
  tick(): void;
  /** Takes a host message in. */
  receive(message: HostMessage): void;
  /** The page is seen again: what was said to it meanwhile is lost. */
  visible(): void;
  /** Opens a session and resumes it as soon as it is there; another one that opens instead calls it off. */
  openAndResume(sessionId: string, mode: ResumeMode): void;
  /** Takes the plan of a revert off the screen. */
  dismissRevert(): void;
}

const noLines: readonly string[] = [];

export function createPanelModel(post: (message: PanelMessage) => void): PanelModel {
  let state = initialState;
  let resumeWhenOpen: { readonly sessionId: string; readonly mode: ResumeMode } | undefined;
  const panel = signal<PanelView | undefined>(undefined);
  const itemIds = signal<readonly string[]>([]);
  const items = signal<readonly TranscriptItem[]>([]);
  const earlier = signal(0);
  const revertPlan = signal<RevertPlanView | undefined>(undefined);
  const refused = signal<PanelState['refused']>(undefined);
  const focusRequests = signal(0);
  const announced = signal<readonly string[]>([]);
  const byId = new Map<string, Signal<TranscriptItem | undefined>>();
  const snapshots = signal(0);
  const insideById = new Map<string, Signal<AgentItems | undefined>>();
  const liveById = new Map<string, Signal<readonly string[]>>();

  const item = (id: string): Signal<TranscriptItem | undefined> => entry(byId, id, undefined);
  const inside = (id: string): Signal<AgentItems | undefined> => entry(insideById, id, undefined);
  const live = (id: string): Signal<readonly string[]> => entry(liveById, id, noLines);

  const link = createLinkWatch(() => {
    state = { ...state, awaitingSnapshot: true };
    post({ type: 'snapshotWanted' });
  });
  let kept = state;

  const publishItems = (previous: PanelState): void => {
    if (state.items === previous.items && state.agents === previous.agents) return;
    items.value = state.items;
    for (const [id, within] of state.agents) inside(id).value = within;
    for (const [id, within] of insideById) if (!state.agents.has(id)) within.value = undefined;
    const present = new Set<string>();
    for (const value of [state.items, ...[...state.agents.values()].map((within) => within.items)].flat()) {
      present.add(value.id);
      item(value.id).value = value;
    }
    for (const id of byId.keys()) if (!present.has(id)) byId.delete(id);
    for (const id of liveById.keys()) if (!present.has(id) && !state.live.has(id)) liveById.delete(id);
    const sameIds =
      itemIds.value.length === state.items.length && state.items.every((value, i) => itemIds.value[i] === value.id);
    if (!sameIds) itemIds.value = state.items.map((value) => value.id);
  };
  const publishLive = (previous: PanelState): void => {
    if (state.live === previous.live) return;
    for (const [id, lines] of state.live) live(id).value = lines;
    // Not forgotten: a step that shows it listens to this very signal, and would never hear of a new one.
    for (const [id, lines] of liveById) if (!state.live.has(id)) lines.value = noLines;
  };

  const publish = (previous: PanelState): void => {
    batch(() => {
      panel.value = state.panel;
      earlier.value = state.earlier;
      snapshots.value = state.snapshots;
      refused.value = state.refused;
      revertPlan.value = state.revertPlan;
      focusRequests.value = state.focusRequests;
      publishItems(previous);
      publishLive(previous);
      const said = announcements(previous, state);
      if (said.length > 0) announced.value = said;
    });
  };

  const resumeIfOpen = (): void => {
    const opened = state.panel?.session?.id;
    if (!resumeWhenOpen || opened === undefined) return;
    const { sessionId, mode } = resumeWhenOpen;
    resumeWhenOpen = undefined;
    if (opened === sessionId) post({ type: 'resume', mode });
  };

  const session = computed(() => panel.value?.session);
  return {
    panel,
    session,
    sessionKey: computed(() => session.value?.id ?? newSessionKey),
    itemIds,
    items,
    earlier,
    currentStep: computed(() => {
      if (session.value?.state !== 'running') return undefined;
      const open = items.value.filter(
        (i): i is StepItem => i.kind === 'step' && (i.status === 'running' || i.status === 'waiting'),
      );
      // Of agents that go on side by side the one that waits for an answer is the one to look at.
      return open.findLast((i) => (i.agent?.waiting.length ?? 0) > 0) ?? open.at(-1);
    }),
    messageActions: computed((): MessageActions => {
      const open = session.value;
      if (!open || open.readOnly !== undefined) return 'none';
      return open.state === 'running' || open.revert?.kind === 'unfinished' ? 'fork' : 'all';
    }),
    revertPlan,
    refused,
    focusRequests,
    announced,
    snapshots,
    inside,
    item,
    live,
    link: link.state,
    showKept(view) {
      const previous = state;
      state = { ...state, ...view, awaitingSnapshot: true };
      link.showsKept();
      publish(previous);
    },
    toKeep() {
      if (state === kept || state.awaitingSnapshot) return undefined;
      kept = state;
      return keptValue(state);
    },
    tick: () => link.tick(),
    receive(message) {
      const previous = state;
      const reduced = reduce(state, message);
      state = reduced.state;
      // Before anything is drawn: a page that fails to draw is still told what is new.
      if (reduced.snapshotWanted) post({ type: 'snapshotWanted' });
      if (reduced.seen !== undefined) post({ type: 'seen', revision: reduced.seen });
      batch(() => {
        link.heard(state.panel !== undefined && !state.awaitingSnapshot && state.behindMs === 0);
        publish(previous);
      });
      resumeIfOpen();
    },
    visible() {
      if (state.panel) post({ type: 'snapshotWanted' });
    },
    dismissRevert() {
      state = { ...state, revertPlan: undefined };
      revertPlan.value = undefined;
    },
    openAndResume(sessionId, mode) {
      resumeWhenOpen = { sessionId, mode };
      post({ type: 'openSession', sessionId });
    },
  };
}

function entry<V>(map: Map<string, Signal<V>>, id: string, initial: V): Signal<V> {
  const known = map.get(id);
  if (known) return known;
  const made = signal(initial);
  map.set(id, made);
  return made;
}
