// Whether an offer to go on still stands when it is taken up, which may be long after it was made. Pure.
import { offeredAction } from '../core/launchPlan.ts';
import type { SessionStateName } from '../core/events.ts';

/** A session as it was when it was offered, or as it is now. */
export interface OfferedSession {
  readonly name: string;
  readonly state: SessionStateName;
  /** Tells the last run from any other: another one means that somebody went on since. */
  readonly run: number;
}

export type OfferVerdict =
  | { readonly kind: 'stands'; readonly mode: 'resume' | 'retry' }
  /** With what became of it, as a sentence. */
  | { readonly kind: 'over'; readonly words: string };

/** @param offered its last run when the offer was made, @param now what is known at the press */
export function offerVerdict(offered: Pick<OfferedSession, 'run'>, now: OfferedSession): OfferVerdict {
  const action = offeredAction(now.state);
  if (offered.run === now.run && action) return { kind: 'stands', mode: action };
  return { kind: 'over', words: `${now.name} ${sinceWords(now.state)} Nothing was sent.` };
}

function sinceWords(state: SessionStateName): string {
  switch (state) {
    case 'running':
      return 'is running again already.';
    case 'done':
      return 'is done: it was resumed meanwhile.';
    case 'created':
      return 'has nothing to go on with.';
    case 'cancelled':
      return 'was resumed meanwhile and then stopped. Resume it from the chat if you want it to go on.';
    case 'failed':
    case 'timed_out':
    case 'interrupted':
      return 'was resumed meanwhile and cut again. Resume it from the chat if you want it to go on.';
  }
}
