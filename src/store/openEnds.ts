// Which steps and agents of a trace have no end, followed while it is read. It holds what begins and ends, never what was
// said or done: a trace of 200 MB passes through it.
import type { NewEvent, SessionEvent } from '../core/events.ts';
import { stepEnds } from '../core/fork.ts';
import { applyEvent, emptySessionState } from '../core/sessionFold.ts';

export class OpenEnds {
  readonly #state = emptySessionState({
    ratchet: 'journal',
    format: 1,
    sessionId: 'imported',
    folder: { uri: '', name: '', path: '' },
    createdAt: 0,
  });

  apply(event: SessionEvent): void {
    const light = withoutContent(event);
    if (light) applyEvent(this.#state, light);
  }

  /** The ends that are missing: nobody here goes on with what began elsewhere. */
  missing(): readonly NewEvent[] {
    return stepEnds(this.#state);
  }
}

function withoutContent(event: SessionEvent): SessionEvent | undefined {
  switch (event.type) {
    case 'step_started':
      return { ...event, input: {} };
    case 'step_finished': {
      const { seq, at, type, stepId, outcome, isError, agentId } = event;
      return { seq, at, type, stepId, outcome, content: '', isError, ...(agentId !== undefined && { agentId }) };
    }
    case 'agent_started':
      return { ...event, task: '' };
    case 'agent_ended':
    case 'history_reverted':
    case 'revert_undone':
      return event;
    // What begins a run makes the last revert one that cannot be undone.
    case 'run_started':
      return event;
    default:
      return undefined;
  }
}
