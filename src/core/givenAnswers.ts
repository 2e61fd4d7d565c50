// The answer that the user gave to the question about a call, for as long as the call has no end: a run that was cut between
// the answer and the effect does not ask again. It must never know modes or rules; what they answer is asked anew.
import type { Asked } from './approval/rules.ts';
import type { EventOf } from './events.ts';
import type { SessionState, Step } from './sessionState.ts';

/** What the question showed. */
export interface Shown {
  readonly preview: string;
  readonly note?: string;
  readonly asked?: Asked;
}

export interface GivenAnswer {
  readonly decision: 'allow' | 'deny';
  readonly reason?: string;
  /** What it was given to. */
  readonly shown: Shown;
}

/** The step with an answer of the user; undefined when it waits for none, or a rule or the sandbox answered: they may be gone by then. */
export function withAnswer(step: Step | undefined, event: EventOf<'approval_answered'>): Step | undefined {
  if (step?.status !== 'waiting' || event.allowedBy !== undefined || event.confined) return undefined;
  const { decision, reason } = event;
  const shown: Shown = {
    preview: step.preview,
    ...(step.note !== undefined && { note: step.note }),
    ...(step.asked && { asked: step.asked }),
  };
  return { ...step, answer: { decision, ...(reason !== undefined && { reason }), shown } };
}

/** With another mode, or on another machine, all is asked anew: an answer may have been that of the mode before, or anybody's. */
export function forgetAnswers({ steps, openSteps }: Pick<SessionState, 'steps' | 'openSteps'>): void {
  for (const id of openSteps) {
    const step = steps.get(id);
    if (!step?.answer) continue;
    const { answer: _answer, ...rest } = step;
    steps.set(id, rest);
  }
}

/**
 * The answer that still holds for a call as it is planned now. A denial is of the call; what was allowed is exactly what
 * was shown, but for what was to be done first and may be done by now.
 */
export function answerFor(step: Step | undefined, now: Shown): GivenAnswer | undefined {
  const answer = step?.status === 'finished' ? undefined : step?.answer;
  if (!answer || answer.decision === 'deny') return answer;
  const { preview, note, asked } = answer.shown;
  if (preview !== now.preview || (now.note !== undefined && now.note !== note)) return undefined;
  return JSON.stringify(asked) === JSON.stringify(now.asked) ? answer : undefined;
}
