// Keeps the conversation within the model's window before a request: shortens old results, or compacts, and records it
// first. What is to be done is decided in core. It must never send anything that is over the window.
import {
  compactionThreshold,
  contextSize,
  planContext,
  type ContextLimits,
  type ContextPlan,
} from '../core/contextBudget.ts';
import { openCompaction } from '../core/compaction.ts';
import type { CompactionTrigger } from '../core/events.ts';
import { buildRequest } from '../core/requestBuilder.ts';
import type { Prompt } from '../core/sessionState.ts';
import { compactHistory, type CompactionContext } from './compactHistory.ts';
import { RunFailed } from './runFailed.ts';

/** A trim, a compaction, a hard trim and a look at the result: more is never needed. */
const mostRounds = 5;

export interface RoomWanted {
  readonly trigger: CompactionTrigger;
  /** The window as the server said it just now, in tokens, when that is less than what is known of the model. */
  readonly window?: number;
}

/**
 * Returns when the next request fits.
 * @param wanted to compact in any case
 * @throws RunFailed (`context_full`) when nothing is left that could be shortened; what `compactHistory` throws
 */
export async function keepInWindow(run: CompactionContext, prompt: Prompt, wanted?: RoomWanted): Promise<void> {
  const limits = limitsOf(run, wanted);
  if (!limits) return;
  let want = wanted;
  for (let round = 0; round < mostRounds; round++) {
    const plan = await planned(run, prompt, limits, want);
    switch (plan.kind) {
      case 'send':
        return;
      case 'trim': {
        const { kind: _kind, ...trim } = plan;
        await run.write({ type: 'results_trimmed', ...trim });
        want = undefined;
        break;
      }
      case 'compact':
        await compactHistory(run, prompt, limits, plan, want?.trigger ?? 'threshold');
        want = undefined;
        break;
      case 'full':
        throw contextFull();
    }
  }
}

/** Does again what a cut run had begun, before anything is added to the conversation: the same request is sent again. */
export async function finishCutCompaction(run: CompactionContext): Promise<void> {
  const { conversation, prompt } = run.thread;
  const cut = openCompaction(conversation);
  if (cut && prompt)
    await keepInWindow(run, prompt, cut.trigger === 'threshold' ? undefined : { trigger: cut.trigger });
}

async function planned(
  run: CompactionContext,
  prompt: Prompt,
  limits: ContextLimits,
  want: RoomWanted | undefined,
): Promise<ContextPlan> {
  const { conversation } = run.thread;
  const { tokens, counted } = contextSize(conversation, prompt);
  const plan = planContext(conversation, prompt, tokens, limits, want?.trigger);
  const threshold = compactionThreshold(limits);
  // Only what is estimated puts it over: the server may know better, and a summary too early is work lost.
  if (want || plan.kind === 'send' || tokens <= threshold || counted > threshold || !run.model.countTokens) return plan;
  const exact = await run.model.countTokens(buildRequest(conversation, prompt, run.settings), run.signal);
  return exact === undefined ? plan : planContext(conversation, prompt, exact, limits);
}

function limitsOf({ settings }: CompactionContext, wanted: RoomWanted | undefined): ContextLimits | undefined {
  const known = settings.contextWindow;
  const window = wanted?.window === undefined ? known : Math.min(wanted.window, known ?? wanted.window);
  return window === undefined ? undefined : { window, maxTokens: settings.maxTokens };
}

/** The window as a refusal names it ("prompt is too long: 207791 tokens > 200000 maximum"), if it does. */
export function windowInWords(said: string | undefined): { readonly window?: number } {
  const limit = /> (\d{3,})/.exec(said ?? '')?.[1];
  return limit === undefined ? {} : { window: Number(limit) };
}

export function contextFull(): RunFailed {
  return new RunFailed(
    'context_full',
    'The last messages alone are longer than the model can take. Choose a model that takes more, or start a new session.',
  );
}
