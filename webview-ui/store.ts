// The panel's copy of what the host says: one pure reducer over host messages, with the numbering checked.
// It must never know the DOM, the drafts or the folds: those are the panel's own and live in viewMemory.ts.
import { unreachable } from '../src/core/errors.ts';
import type { MessageImage } from '../src/core/images.ts';
import type { Change, HostMessage } from '../src/protocol/messages.ts';
import type { PanelView, RevertPlanView, SessionView, TranscriptItem } from '../src/protocol/view.ts';

export interface AgentItems {
  readonly items: readonly TranscriptItem[];
  readonly earlier: number;
}

export interface PanelState {
  /** Absent until the first snapshot. */
  readonly panel?: PanelView;
  readonly revision: number;
  readonly items: readonly TranscriptItem[];
  /** How many older items the host has. */
  readonly earlier: number;
  /** What happened inside of agents' cards that were opened, by the id of the card's step. */
  readonly agents: ReadonlyMap<string, AgentItems>;
  /** Counts snapshots: after one, the host has to be asked again for what is inside of open cards. */
  readonly snapshots: number;
  /** Last lines of output by the id of the running step. */
  readonly live: ReadonlyMap<string, readonly string[]>;
  /** A number was missed: changes are ignored until a snapshot comes. */
  readonly awaitingSnapshot: boolean;
  /** How long, in milliseconds, what is new has waited at the host for this panel; as of the last beat. */
  readonly behindMs: number;
  /** The last message that could not be sent. `count` tells two equal refusals apart. */
  readonly refused?: {
    /** Of the message as it was sent; absent for one that was taken back. */
    readonly id?: string;
    readonly text: string;
    /** Those of a message that was taken back; absent for one that the panel sent itself just now. */
    readonly images?: readonly MessageImage[];
    readonly reason: string;
    readonly count: number;
  };
  /** What a revert would do, while it is to be confirmed. */
  readonly revertPlan?: RevertPlanView | undefined;
  /** Grows with every request of the host to put the cursor into the input. */
  readonly focusRequests: number;
}

export const initialState: PanelState = {
  revision: 0,
  items: [],
  earlier: 0,
  agents: new Map(),
  snapshots: 0,
  live: new Map(),
  awaitingSnapshot: false,
  behindMs: 0,
  focusRequests: 0,
};

export interface Reduced {
  readonly state: PanelState;
  /** The host has to be asked for a snapshot: at each gap, and again with each beat until it comes. */
  readonly snapshotWanted: boolean;
  /** The host has to be told what is taken in by now. */
  readonly seen?: number;
}

/** Takes one host message in. Pure; what did not change keeps its identity, so that views can compare by `===`. */
export function reduce(state: PanelState, message: HostMessage): Reduced {
  switch (message.type) {
    case 'snapshot':
      // One that was late, or of another host. Whoever waits for one takes any; a beat tells what it lacks.
      if (state.panel && !state.awaitingSnapshot && message.revision <= state.revision) return missed(state);
      return taken({
        ...state,
        panel: message.panel,
        revision: message.revision,
        items: message.items,
        earlier: message.earlier,
        // Of the same session it stays on screen until the answer to the next question replaces it.
        agents: message.panel.session?.id === state.panel?.session?.id ? state.agents : new Map(),
        snapshots: state.snapshots + 1,
        live: new Map(message.live.map((entry) => [entry.id, entry.lines])),
        awaitingSnapshot: false,
        behindMs: 0,
        revertPlan: undefined,
      });
    case 'changes': {
      if (state.awaitingSnapshot) return kept(state);
      if (!state.panel || message.revision !== state.revision + 1) return missed(state);
      const before = { ...state, revision: message.revision, behindMs: 0 };
      return taken(message.changes.reduce(applyChange, before));
    }
    case 'beat': {
      const { revision, behindMs = 0 } = message;
      if (!state.panel || state.awaitingSnapshot || revision !== state.revision) return missed({ ...state, behindMs });
      return taken(behindMs === state.behindMs ? state : { ...state, behindMs });
    }
    case 'earlierItems': {
      if (message.sessionId !== state.panel?.session?.id) return kept(state);
      const known = new Set(state.items.map((item) => item.id));
      const older = message.items.filter((item) => !known.has(item.id));
      return kept({ ...state, items: [...older, ...state.items], earlier: message.earlier });
    }
    case 'agentItems':
      return kept(message.sessionId === state.panel?.session?.id ? withAgentItems(state, message) : state);
    case 'revertPlan':
      return kept(message.sessionId === state.panel?.session?.id ? { ...state, revertPlan: message.plan } : state);
    case 'sendRefused':
      return kept({
        ...state,
        refused: {
          ...(message.id !== undefined && { id: message.id }),
          text: message.text,
          ...(message.images && { images: message.images }),
          reason: message.reason,
          count: (state.refused?.count ?? 0) + 1,
        },
      });
    case 'keptDrafts':
    case 'sendRecorded':
    case 'sendOutcomes':
      // About drafts, which are outbox.ts's.
      return kept(state);
    case 'suggestions':
    case 'mentionsDropped':
    case 'imagePreview':
      // Questions of the input, answered to composerAssist.ts.
      return kept(state);
    case 'focusInput':
      return kept({ ...state, focusRequests: state.focusRequests + 1 });
    default:
      return unreachable(message);
  }
}

function kept(state: PanelState): Reduced {
  return { state, snapshotWanted: false };
}

function taken(state: PanelState): Reduced {
  return { state, snapshotWanted: false, seen: state.revision };
}

function missed(state: PanelState): Reduced {
  return { state: { ...state, awaitingSnapshot: true }, snapshotWanted: true };
}

function applyChange(state: PanelState, change: Change): PanelState {
  switch (change.kind) {
    case 'panel':
      return withPanel(state, change.panel);
    case 'session':
      return state.panel ? withPanel(state, { ...state.panel, session: change.session }) : state;
    case 'itemPut':
      return change.cardId === undefined ? putItem(state, change.item) : putInCard(state, change.cardId, change.item);
    case 'itemRemoved':
      return {
        ...state,
        items: state.items.filter((item) => item.id !== change.id),
        live: withoutKey(state.live, change.id),
      };
    case 'textAppended':
      return { ...state, items: replaceItem(state.items, change.id, (item) => appendText(item, change.text)) };
    case 'liveOutput':
      return { ...state, live: new Map(state.live).set(change.id, change.lines) };
    default:
      return unreachable(change);
  }
}

/** Items belong to one session: when another one opens without a snapshot, it begins empty. */
function withPanel(state: PanelState, panel: PanelView): PanelState {
  if (panel.session?.id === state.panel?.session?.id) {
    // What was looked up is about the past once something runs.
    return { ...state, panel, ...(panel.session?.state === 'running' && { revertPlan: undefined }) };
  }
  return { ...state, panel, revertPlan: undefined, items: [], earlier: 0, agents: new Map(), live: new Map() };
}

function putItem(state: PanelState, item: TranscriptItem): PanelState {
  return { ...state, items: withItem(state.items, item), live: liveAfter(state.live, item) };
}

/** What happens inside of a card that is not open is dropped: opening it asks for all of it. */
function putInCard(state: PanelState, cardId: string, item: TranscriptItem): PanelState {
  const inside = state.agents.get(cardId);
  const live = liveAfter(state.live, item);
  if (!inside) return { ...state, live };
  const agents = new Map(state.agents).set(cardId, { ...inside, items: withItem(inside.items, item) });
  return { ...state, agents, live };
}

function withAgentItems(state: PanelState, message: Extract<HostMessage, { type: 'agentItems' }>): PanelState {
  const { stepId, beforeId, items, earlier } = message;
  const inside = beforeId === undefined ? [] : (state.agents.get(stepId)?.items ?? []);
  const known = new Set(inside.map((item) => item.id));
  const all = [...items.filter((item) => !known.has(item.id)), ...inside];
  return { ...state, agents: new Map(state.agents).set(stepId, { items: all, earlier }) };
}

function withItem(items: readonly TranscriptItem[], item: TranscriptItem): readonly TranscriptItem[] {
  const known = items.some((other) => other.id === item.id);
  return known ? replaceItem(items, item.id, () => item) : [...items, item];
}

function liveAfter(live: PanelState['live'], item: TranscriptItem): PanelState['live'] {
  return item.kind === 'step' && item.status === 'running' ? live : withoutKey(live, item.id);
}

function replaceItem(
  items: readonly TranscriptItem[],
  id: string,
  change: (item: TranscriptItem) => TranscriptItem,
): readonly TranscriptItem[] {
  // From the end: what changes is nearly always the last one.
  const index = items.findLastIndex((item) => item.id === id);
  const item = items[index];
  if (!item) return items;
  const changed = change(item);
  return changed === item ? items : items.with(index, changed);
}

function appendText(item: TranscriptItem, text: string): TranscriptItem {
  if (item.kind === 'assistant') return { ...item, markdown: item.markdown + text };
  if (item.kind === 'thinking') return { ...item, text: item.text + text };
  return item;
}

function withoutKey<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  if (!map.has(key)) return map;
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

export type StateTone = 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'cut';

/** How a state is coloured and marked; the word beside it always comes from the host. */
export function stateTone(
  session: Pick<SessionView, 'state' | 'needsUser'> & { readonly isParked?: boolean },
): StateTone {
  // Nothing is wrong with it: it can go on later.
  if (session.isParked) return 'cut';
  switch (session.state) {
    case 'created':
      return 'idle';
    case 'running':
      return session.needsUser ? 'waiting' : 'running';
    case 'done':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
    case 'timed_out':
    case 'interrupted':
      return 'cut';
    default:
      return unreachable(session.state);
  }
}
