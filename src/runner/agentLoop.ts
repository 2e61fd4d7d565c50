// The agent loop: ask the model, record the answer, run the steps it asks for, until it asks for none.
// It knows no session list and no editor; how a run ends is decided by whoever launched it.
import { messageOf } from '../core/errors.ts';
import type { RunError } from '../core/events.ts';
import type { AssistantBlock, ToolUseBlock } from '../core/messages.ts';
import { buildRequest } from '../core/requestBuilder.ts';
import { retryDelay } from '../core/retryPolicy.ts';
import { headOf } from '../core/wellFormed.ts';
import { ModelError, type CompletedMessage } from './ports.ts';
import type { RunContext } from './runContext.ts';
import { finish, runStep } from './runStep.ts';

const cutAnswersInARow = 3;
const pausesInARow = 20;
const goOnText =
  'Your answer was cut at the output limit. Go on exactly where it stopped; write long files in smaller pieces.';

/** The model ended the run in a way that is not a success. `code` and `message` go into the trace. */
export class RunFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'RunFailed';
    this.code = code;
  }
}

/**
 * Runs to the model's own end.
 * @throws RunFailed, ModelError, RatchetError (storage) or the signal's reason
 */
export async function runAgentLoop(run: RunContext): Promise<void> {
  for (let cutAnswers = 0, pauses = 0; ;) {
    run.signal.throwIfAborted();
    const message = await nextAnswer(run);
    const calls = message.content.filter(isToolUse);
    switch (message.stopReason) {
      case 'tool_use':
        cutAnswers = 0;
        pauses = 0;
        for (const call of calls) {
          run.signal.throwIfAborted();
          await runStep(run, call);
        }
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
        for (const call of calls) {
          await finish(run, call.id, {
            outcome: 'not_started',
            content: 'Not run: the answer was cut at the output limit. Ask again.',
          });
        }
        await run.write({ type: 'user_message_added', messageId: run.newId(), text: goOnText, origin: 'ratchet' });
        break;
      }
      case 'end_turn':
      case 'stop_sequence':
        return;
      case 'refusal':
        throw new RunFailed('refusal', 'The model declined to answer. Rephrase the request and send it again.');
      case 'model_context_window_exceeded':
        throw new RunFailed(
          'context_full',
          'The conversation no longer fits into the model. Start a new session for what is left.',
        );
      default:
        throw new RunFailed(
          'unexpected_stop',
          `The model stopped for a reason that is not known here (${message.stopReason}). Retry the run.`,
        );
    }
  }
}

/** One answer, recorded. Answers that break off are asked for again as the retry policy says. */
async function nextAnswer(run: RunContext): Promise<CompletedMessage> {
  const prompt = run.state.prompt;
  if (!prompt) throw new RunFailed('internal', 'The session has no prompt. Start a new session.');
  let dropped = false;
  for (let attempt = 1; ; attempt++) {
    const request = buildRequest(run.state.conversation, prompt, run.settings);
    const requestId = run.newId();
    await run.note({ type: 'request_started', requestId, runId: run.runId, attempt });
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
        const text = run.streamedText(requestId);
        if (text !== '') {
          await run
            .note({ type: 'assistant_message_cut', messageId: run.newId(), requestId, text })
            .catch((noteError: unknown) => {
              run.log('The cut answer could not be recorded', noteError);
            });
        }
        throw run.signal.reason;
      }
      if (!(error instanceof ModelError)) throw error;
      run.log(`Request failed (${error.code})`, error);
      if (error.code === 'thinking_refused' && !dropped) {
        dropped = true;
        await run.write(
          { type: 'request_failed', requestId, error: recordedError(error) },
          { type: 'thinking_dropped', requestId },
        );
        continue;
      }
      const delay = retryDelay({
        kind: error.kind,
        status: error.status,
        code: error.code,
        retryAfterMs: error.retryAfterMs,
        attempt,
      });
      await run.note({
        type: 'request_failed',
        requestId,
        error: recordedError(error),
        ...(delay !== undefined && { retryInMs: delay }),
      });
      if (delay === undefined) throw error;
      await run.clock.delay(delay, run.signal);
    }
  }
}

/** Some servers number their calls anew in each answer. A step is known by the id of its call, so a used one is replaced. */
function withOwnIds(run: RunContext, content: readonly AssistantBlock[]): AssistantBlock[] {
  const used = new Set<string>();
  return content.map((block) => {
    if (!isToolUse(block)) return block;
    const isNew = !used.has(block.id) && !run.state.steps.has(block.id);
    used.add(block.id);
    return isNew ? block : { ...block, id: `call_${run.newId()}` };
  });
}

/** What is recorded of a failed request: the words for people, and the server's own. */
export function recordedError(error: ModelError): RunError {
  return {
    code: error.code,
    message: error.message,
    ...(error.cause !== undefined && { detail: headOf(messageOf(error.cause), 2_000) }),
  };
}

function isToolUse(block: AssistantBlock): block is ToolUseBlock {
  return block.type === 'tool_use';
}
