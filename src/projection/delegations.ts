// What happens inside of delegations, as the panel shows it: for each a card's summary, and the items of its agent, which
// travel only where somebody opened the card. Knows nothing of the items around it.
import type { SessionEvent } from '../core/events.ts';
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import type { AgentCard, StepArtifact, StepItem, TranscriptItem } from '../protocol/view.ts';
import type { Transcript } from './transcript.ts';

/** An item inside of a delegation that is new or different. */
export interface NestedChange {
  /** Id of the step that the card is. */
  readonly cardId: string;
  readonly item: TranscriptItem;
}

interface Delegation {
  readonly cardId: string;
  readonly name: string;
  readonly label: string | undefined;
  model: string;
  readonly inner: Transcript;
  readonly steps: Set<string>;
  /** Its steps that wait or run, in the order in which they began to. */
  readonly open: Map<string, StepItem>;
  readonly artifacts: Map<string, StepArtifact>;
  /** That it waits to ask the model again, while it does. */
  waitsFor: string | undefined;
}

export class Delegations {
  readonly #byAgent = new Map<string, Delegation>();
  readonly #byCard = new Map<string, Delegation>();
  readonly #newTranscript: () => Transcript;
  #changes: NestedChange[] = [];

  /** @param newTranscript an empty one for what happens inside; it holds no delegations of its own */
  constructor(newTranscript: () => Transcript) {
    this.#newTranscript = newTranscript;
  }

  /** Takes an event in, if it belongs inside; returns the id of the card that it changed. */
  apply(event: SessionEvent): string | undefined {
    if (!('agentId' in event) || event.agentId === undefined) return undefined;
    const delegation = this.#byAgent.get(event.agentId) ?? this.#begin(event.agentId, event);
    if (event.type === 'agent_resumed') delegation.model = event.model;
    this.#take(delegation, delegation.inner.apply(event));
    return delegation.cardId;
  }

  #begin(agentId: string, event: SessionEvent): Delegation {
    const start = event.type === 'agent_started' ? event : undefined;
    const delegation: Delegation = {
      // Where the start was lost nobody knows which call it was: what happened inside is kept, and not shown.
      cardId: start?.stepId ?? '',
      name: start?.agent ?? '',
      label: start?.label,
      model: start?.model ?? '',
      inner: this.#newTranscript(),
      steps: new Set(),
      open: new Map(),
      artifacts: new Map(),
      waitsFor: undefined,
    };
    this.#byAgent.set(agentId, delegation);
    this.#byCard.set(delegation.cardId, delegation);
    return delegation;
  }

  #take(delegation: Delegation, items: readonly TranscriptItem[]): void {
    for (const item of items) {
      this.#changes.push({ cardId: delegation.cardId, item });
      delegation.waitsFor = item.kind === 'notice' && item.id.startsWith('retry-') ? item.text : undefined;
      if (item.kind !== 'step') continue;
      delegation.steps.add(item.id);
      if (item.status === 'waiting' || item.status === 'running') delegation.open.set(item.id, item);
      else delegation.open.delete(item.id);
      for (const artifact of item.artifacts ?? []) addArtifact(delegation.artifacts, item, artifact);
    }
  }

  has(cardId: string): boolean {
    return this.#byCard.has(cardId);
  }

  /** What a step's item says of the agent that it runs; nothing for any other step. */
  fields(cardId: string): Pick<StepItem, 'agent' | 'artifacts'> {
    const delegation = this.#byCard.get(cardId);
    if (!delegation) return {};
    const { name, label, model, steps, open, artifacts, waitsFor } = delegation;
    const waiting = [...open.values()].filter(({ status }) => status === 'waiting');
    const at = [...open.values()].at(-1);
    const now = at ? { verb: at.verb, subject: at.subject } : waitsFor !== undefined && { verb: waitsFor, subject: '' };
    const agent: AgentCard = {
      name,
      ...(label !== undefined && { label }),
      model,
      steps: steps.size,
      ...(now && { now }),
      waiting,
    };
    return { agent, ...(artifacts.size > 0 && { artifacts: [...artifacts.values()] }) };
  }

  /** Items inside of one card, as `Transcript.page` gives them. */
  page(
    cardId: string,
    limit: number,
    beforeId?: string,
  ): { readonly items: readonly TranscriptItem[]; readonly earlier: number } {
    return this.#byCard.get(cardId)?.inner.page(limit, beforeId) ?? { items: [], earlier: 0 };
  }

  /** No step inside goes on any more: the run has ended, or nobody runs it. */
  cutOpenSteps(): void {
    for (const delegation of this.#byAgent.values()) {
      if (delegation.open.size > 0) this.#take(delegation, delegation.inner.cutOpenSteps());
    }
  }

  /** Says of the files inside what became of them; returns the ids of the cards that it changed. */
  showVerdicts(
    verdicts: ReadonlyMap<string, ArtifactVerdict>,
    ownerOf: (path: string) => string | undefined,
  ): readonly string[] {
    const cards: string[] = [];
    for (const delegation of this.#byCard.values()) {
      const changed = delegation.inner.showVerdicts(verdicts, ownerOf);
      if (changed.length === 0) continue;
      for (const item of changed) this.#changes.push({ cardId: delegation.cardId, item });
      for (const [path, { verdict: _before, ...artifact }] of delegation.artifacts) {
        const verdict = ownerOf(path) === artifact.stepId ? verdicts.get(path) : undefined;
        delegation.artifacts.set(path, { ...artifact, ...(verdict && { verdict }) });
      }
      cards.push(delegation.cardId);
    }
    return cards;
  }

  /** What changed inside since the last call. */
  takeChanges(): readonly NestedChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }
}

/** A card names the files of all its steps, each with the step that touched it last and the lines of all of them. */
function addArtifact(artifacts: Map<string, StepArtifact>, step: StepItem, artifact: StepArtifact): void {
  const known = artifacts.get(artifact.path);
  const lines = step.artifacts?.length === 1 ? step.lines : undefined;
  const [added, removed] = [(known?.added ?? 0) + (lines?.added ?? 0), (known?.removed ?? 0) + (lines?.removed ?? 0)];
  artifacts.set(artifact.path, {
    path: artifact.path,
    change: known?.change === 'created' && artifact.change === 'changed' ? 'created' : artifact.change,
    since: known?.since ?? step.id,
    stepId: step.id,
    ...(added + removed > 0 && { added, removed }),
  });
}
