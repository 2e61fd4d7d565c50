// One compaction: asks the model for a summary of the conversation and records what stands for it from then on. When no
// summary can be had, what the record shows stands for it. It must never decide that a conversation is compacted.
import {
  compactedText,
  listedSteps,
  openCompaction,
  stepsUpTo,
  summaryIn,
  summaryRequest,
} from '../core/compaction.ts';
import { estimateTokens, promptTokens, tokensOf, type ContextLimits } from '../core/contextBudget.ts';
import type { Connection } from '../core/connection.ts';
import type { CompactionTrigger, EventOf, RunError } from '../core/events.ts';
import { historyEdits } from '../core/historyEdits.ts';
import type { ModelRequest, Usage } from '../core/messages.ts';
import { buildRequest } from '../core/requestBuilder.ts';
import type { ConversationEvent, Prompt } from '../core/sessionState.ts';
import { healHistory, recordedError } from './healHistory.ts';
import { ModelError, type CompletedMessage } from './ports.ts';
import { FailingTime, RequestParked, waitForRetry } from './retryWait.ts';
import type { RunContext } from './runContext.ts';

/** What of a run is needed; a compaction outside of a run has no more. */
export type CompactionContext = Pick<
  RunContext,
  | 'state'
  | 'thread'
  | 'model'
  | 'settings'
  | 'signal'
  | 'clock'
  | 'chance'
  | 'patienceMs'
  | 'waitShown'
  | 'newId'
  | 'write'
  | 'note'
  | 'log'
> & {
  /** Who answers, where no run says it. */
  readonly connection?: Connection;
};

/** Share of the window that the text for the summarised part may take, and its most, in characters. */
const textShare = 0.3;
const longestText = 60_000;
const listedShare = 0.4;
/** Answers without any text that are taken before it is done without a summary. */
const emptyAnswers = 2;

interface Summary {
  readonly by: 'model' | 'ratchet';
  readonly text: string;
  readonly usage?: Usage;
}

/**
 * Compacts up to `plan.uptoSeq`. Cut in the middle, it has changed nothing and is done again.
 * A wish of the user that fails is recorded and costs nothing else.
 * @throws the signal's reason; RatchetError (storage); ModelError or RequestParked when the same request may have its
 * summary later
 */
export async function compactHistory(
  run: CompactionContext,
  prompt: Prompt,
  limits: ContextLimits,
  plan: { readonly uptoSeq: number; readonly tokens: number },
  trigger: CompactionTrigger,
): Promise<void> {
  const { state, thread } = run;
  const { uptoSeq, tokens } = plan;
  let compactionId = openCompaction(thread.conversation)?.compactionId;
  if (compactionId === undefined) {
    compactionId = run.newId();
    const asked = run.connection && { connection: run.connection };
    await run.write({ type: 'compaction_started', compactionId, trigger, tokensBefore: tokens, ...asked });
  }
  const conversation = [...thread.conversation];
  const characters = Math.min(longestText, Math.floor(limits.window * textShare));
  let failed: RunError | undefined;
  let summary: Summary;
  try {
    summary = await askForSummary(run, prompt, limits, plan, compactionId);
  } catch (caught) {
    // A wish of the user is not put off: who wants it can ask again.
    const error = caught instanceof RequestParked && trigger === 'user' ? caught.cause : caught;
    if (!(error instanceof ModelError)) throw error;
    failed = recordedError(error);
    if (trigger === 'user') {
      run.log(`The session was not compacted (${error.code})`, error);
      await run.write({ type: 'compaction_failed', compactionId, error: failed });
      return;
    }
    // The server or the network has a problem: the run fails with it, and the next one asks again.
    if (!isHopeless(error)) throw error;
    run.log(`No summary could be made (${error.code})`, error);
    summary = { by: 'ratchet', text: listedSteps(conversation, uptoSeq, Math.floor(characters * listedShare)) };
  }
  const text = compactedText(
    {
      by: summary.by,
      summary: summary.text,
      conversation,
      uptoSeq,
      tasks: state.tasks,
      artifacts: [...state.artifacts.values()],
    },
    characters,
  );
  const edits = historyEdits(conversation);
  const kept = conversation.filter(({ seq }) => seq > uptoSeq);
  await run.write(...(failed ? [{ type: 'compaction_failed', compactionId, error: failed } as const] : []), {
    type: 'history_compacted',
    compactionId,
    by: summary.by,
    uptoSeq,
    summary: summary.text,
    text,
    steps: stepsUpTo(conversation, uptoSeq),
    tokensBefore: tokens,
    tokensAfter: promptTokens(prompt) + estimateTokens(text) + tokensOf(kept, edits),
    ...(summary.usage && { usage: summary.usage }),
  });
}

/** @throws ModelError when there is none to be had, or the signal's reason */
async function askForSummary(
  run: CompactionContext,
  prompt: Prompt,
  limits: ContextLimits,
  plan: { readonly uptoSeq: number; readonly tokens: number },
  compactionId: string,
): Promise<Summary> {
  const healing = { thinkingDropped: false };
  for (let empty = 0; empty < emptyAnswers;) {
    const part = summarisedPart(run, limits, plan);
    if (!part) throw noSummary('it is too long to be summarised by this model');
    let message: CompletedMessage;
    try {
      message = await answerTo(run, buildRequest([...part, ask], prompt, run.settings), compactionId);
    } catch (error) {
      if (error instanceof ModelError && (await healHistory(run, error, compactionId, part, healing))) continue;
      throw error;
    }
    empty += 1;
    const text = message.stopReason === 'refusal' ? undefined : summaryIn(message.content);
    if (text !== undefined) return { by: 'model', text, usage: message.usage };
  }
  throw noSummary('the model gave none');
}

/**
 * The whole conversation, so that what is sent begins as the next request would and the prompt cache is still good. When
 * that is over the window: only the part that is summarised.
 */
function summarisedPart(
  run: CompactionContext,
  limits: ContextLimits,
  { uptoSeq, tokens }: { readonly uptoSeq: number; readonly tokens: number },
): readonly ConversationEvent[] | undefined {
  const { conversation } = run.thread;
  const room = limits.window - Math.min(limits.maxTokens, limits.window / 2) - estimateTokens(summaryRequest);
  if (tokens <= room) return [...conversation];
  const kept = tokensOf(
    conversation.filter(({ seq }) => seq > uptoSeq),
    historyEdits(conversation),
  );
  // The kept part is estimated, rather too high: half of it is gone for certain.
  if (tokens - kept / 2 > room) return undefined;
  return conversation.filter(({ seq, type }) => seq <= uptoSeq || isEdit(type));
}

/** What ends a request for a summary. Of the records, none has it. */
const ask: EventOf<'user_message_added'> = {
  seq: Number.MAX_SAFE_INTEGER,
  at: 0,
  type: 'user_message_added',
  messageId: '',
  text: summaryRequest,
  origin: 'ratchet',
};

/** No later try of the same request would bring a summary. */
function isHopeless({ code }: ModelError): boolean {
  return hopeless.has(code);
}
const hopeless: ReadonlySet<string> = new Set([
  'no_summary',
  'prompt_too_long',
  'request_too_large',
  'invalid_request',
  'thinking_refused',
]);

/** Records about how the conversation is sent, which hold wherever they stand. */
function isEdit(type: ConversationEvent['type']): boolean {
  switch (type) {
    case 'thinking_dropped':
    case 'history_healed':
    case 'results_trimmed':
    case 'history_compacted':
      return true;
    case 'user_message_added':
    case 'assistant_message_completed':
    case 'assistant_message_cut':
    case 'step_finished':
    case 'relaunch_prepared':
    case 'compaction_started':
    case 'compaction_failed':
      return false;
  }
}

/** One answer, asked for again as the retry policy says. Nothing of it is shown: its record is the compaction. */
async function answerTo(run: CompactionContext, request: ModelRequest, requestId: string): Promise<CompletedMessage> {
  const failing = new FailingTime(run.clock);
  for (let attempt = 1; ; attempt++) {
    failing.attemptBegins();
    try {
      return await run.model.stream(request, { signal: run.signal, onDelta: () => undefined });
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      run.log(`The request for a summary failed (${error.code})`, error);
      await waitForRetry(run, { requestId, error, recorded: recordedError(error), attempt, failing });
    }
  }
}

function noSummary(why: string): ModelError {
  return new ModelError({
    kind: 'terminal',
    code: 'no_summary',
    message: `The conversation could not be summarised: ${why}.`,
  });
}
