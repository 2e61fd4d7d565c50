// Words for commands that ran in the sandbox, or had to leave it.
import type { StepIntent } from '../core/events.ts';
import type { StepItem } from '../protocol/view.ts';

export const outsideVerb = 'Wants to leave the sandbox';

export const outsideAnswers: NonNullable<StepItem['answers']> = {
  allow: 'Run outside the sandbox',
  deny: 'Keep it inside',
};

/** What an item says of how its step was run. */
export function sandboxView(intent: StepIntent | undefined): Pick<StepItem, 'sandbox'> {
  if (intent?.kind !== 'job' || !intent.sandbox) return {};
  const words =
    intent.sandbox === 'inside'
      ? 'Ran in the sandbox: it could write only in the folder and in its own temporary folder, without network and credentials.'
      : 'Ran outside the sandbox.';
  return { sandbox: { side: intent.sandbox, words } };
}
