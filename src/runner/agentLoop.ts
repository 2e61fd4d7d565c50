// The agent loop: ask the model, record the answer, run the steps it asks for, until it asks for none.
// It knows no session list and no editor; how a run ends is decided by whoever launched it.
import { isStorageFailure } from '../core/errors.ts';
import type { AssistantBlock, ToolUseBlock } from '../core/messages.ts';
import { buildRequest } from '../core/requestBuilder.ts';
import type { Prompt } from '../core/sessionState.ts';
import { inOrder } from './callOrder.ts';
import { cutReasonOf, recordCutAnswer } from './cutAnswer.ts';
import { healHistory, recordedError } from './healHistory.ts';
import { contextFull, keepInWindow, windowInWords } from './keepInWindow.ts';
import { ModelError, type CompletedMessage } from './ports.ts';
import { FailingTime, waitForRetry } from './retryWait.ts';
import type { RunContext } from './runContext.ts';
import { RunFailed } from './runFailed.ts';
import { finish, runStep } from './runStep.ts';

const cutAnswersInARow = 3;
const pausesInARow = 20;
const goOnText = 'Go on exactly where it stopped; write long files in smaller pieces.';

/**
 * Runs to the model's own end.
 * @throws RunFailed, ModelError, RequestParked, RatchetError (storage) or the signal's reason
 */
export async function runAgentLoop(run: RunContext): Promise<void> {
  for (let cutAnswers = 0, pauses = 0, isFull = false; ;) {
    run.signal.throwIfAborted();
    await run.deliverQueue();
    const message = await nextAnswer(run);
    const calls = message.content.filter(isToolUse);
    switch (message.stopReason) {
      case 'tool_use':
        cutAnswers = 0;
        pauses = 0;
        isFull = false;
        await inOrder(run, calls, (each, call) => {
          each.signal.throwIfAborted();
          return runStep(each, call);
        });
        if (calls.length === 0)
          throw new RunFailed('empty_tool_use', 'The model asked for a tool without naming one. Retry the run.');
        break;
      case 'pause_turn':
        pauses += 1;
        if (pauses > pausesInARow)
          throw new RunFailed('paused', 'The model paused its answer again and again without going on. Retry the run.');
        break;
      case 'max_tokens': {
        cutAnswers += 1;
        if (cutAnswers > cutAnswersInARow) {
          throw new RunFailed(
            'max_tokens',
            'The answer reached the output limit several times in a row. Ask for smaller steps, or raise ratchet.maxOutputTokens.',
          );
        }
        await goOnAfterCut(run, calls, 'the output limit');
        break;
      }
      case 'end_turn':
      case 'stop_sequence':
        // What was said meanwhile is the next turn of the same run.
        if (run.agentId !== undefined || run.state.queue.length === 0) return;
        break;
      case 'refusal':
        throw new RunFailed('refusal', 'The model declined to answer. Rephrase the request and send it again.');
      case 'model_context_window_exceeded':
        if (isFull || run.settings.contextWindow === undefined) throw contextFull();
        isFull = true;
        await goOnAfterCut(run, calls, 'the end of the context window');
        await keepInWindow(run, promptOf(run), { trigger: 'window_full' });
        break;
      default:
        throw new RunFailed(
          'unexpected_stop',
          `The model stopped for a reason that is not known here (${message.stopReason}). Retry the run.`,
        );
    }
  }
}

/** Closes the calls of an answer that was cut, and asks the model to go on. */
async function goOnAfterCut(run: RunContext, calls: readonly ToolUseBlock[], where: string): Promise<void> {
  for (const call of calls) {
    await finish(run, call.id, {
      outcome: 'not_started',
      content: `Not run: the answer was cut at ${where}. Ask again.`,
    });
  }
  const text = `Your answer was cut at ${where}. ${goOnText}`;
  await run.write({ type: 'user_message_added', messageId: run.newId(), text, origin: 'ratchet' });
}

function promptOf(run: RunContext): Prompt {
  if (!run.thread.prompt) throw new RunFailed('internal', 'The session has no prompt. Start a new session.');
  return run.thread.prompt;
}

/** One answer, recorded. Answers that break off are asked for again as the retry policy says. */
async function nextAnswer(run: RunContext): Promise<CompletedMessage> {
  const prompt = promptOf(run);
  const healing = { thinkingDropped: false };
  let madeRoom = false;
  const failing = new FailingTime(run.clock);
  await keepInWindow(run, prompt, run.takeCompactionWish() ? { trigger: 'user' } : undefined);
  for (let attempt = 1; ; attempt++) {
    const request = buildRequest(run.thread.conversation, prompt, run.settings);
    const requestId = run.newId();
    await run.note({ type: 'request_started', requestId, runId: run.runId, attempt });
    failing.attemptBegins();
    try {
      const message = await run.model.stream(request, {
        signal: run.signal,
        onDelta: (delta) => {
          run.onDelta(requestId, delta);
          if (delta.kind === 'tool') run.tools.get(delta.name)?.expect?.(run);
        },
      });
      const content = withOwnIds(run, message.content);
      await run.write({
        type: 'assistant_message_completed',
        messageId: run.newId(),
        requestId,
        model: run.settings.model,
        content,
        stopReason: message.stopReason,
        usage: message.usage,
      });
      return { ...message, content };
    } catch (error) {
      if (run.signal.aborted) {
        await recordCutAnswer(run, requestId, cutReasonOf(run.signal.reason));
        throw run.signal.reason;
      }
      if (!(error instanceof ModelError)) {
        // Where the answer itself could not be written, nothing can.
        if (!isStorageFailure(error)) await recordCutAnswer(run, requestId, 'failed');
        throw error;
      }
      run.log(`Request failed (${error.code})`, error);
      // What is sent then is another request, with attempts of its own.
      if (await healHistory(run, error, requestId, run.thread.conversation, healing)) {
        attempt = 0;
        continue;
      }
      if (isTooLong(error) && !madeRoom && run.settings.contextWindow !== undefined) {
        madeRoom = true;
        attempt = 0;
        await run.note({ type: 'request_failed', requestId, error: recordedError(error) });
        await keepInWindow(run, prompt, { trigger: 'window_full', ...windowInWords(error.said) });
        continue;
      }
      await waitForRetry(run, {
        requestId,
        error,
        recorded: recordedError(error),
        attempt,
        failing,
        onGivenUp: () => recordCutAnswer(run, requestId, 'failed'),
      });
    }
  }
}

/** Some servers number their calls anew in each answer. A step is known by the id of its call, so a used one is replaced. */
function withOwnIds(run: RunContext, content: readonly AssistantBlock[]): AssistantBlock[] {
  return content.map((block) => {
    if (!isToolUse(block)) return block;
    const id = run.callIds.has(block.id) ? `call_${run.newId()}` : block.id;
    run.callIds.add(id);
    return id === block.id ? block : { ...block, id };
  });
}

/** The server would not take a request of this length. */
function isTooLong({ code }: ModelError): boolean {
  return code === 'prompt_too_long' || code === 'request_too_large';
}

function isToolUse(block: AssistantBlock): block is ToolUseBlock {
  return block.type === 'tool_use';
}
