// Answers the tool calls that an earlier run left open, before anything is sent: finished meanwhile, still running,
// never started, or unknown. A resumed run goes on with them in order; a new message only closes them.
import type { EventOf, StepOutcome } from '../core/events.ts';
import type { ToolUseBlock } from '../core/messages.ts';
import type { Thread } from '../core/agents.ts';
import { isForeign, type SessionState } from '../core/sessionState.ts';
import { unknownOutcome } from '../core/requestBuilder.ts';
import { stepTitle } from '../core/stepTitles.ts';
import { inOrder } from './callOrder.ts';
import { execute, finish, recoverStep, runStep } from './runStep.ts';
import type { RunContext } from './runContext.ts';
import type { ToolResult } from './ports.ts';

export interface SettledCall {
  readonly title: string;
  /** What became of it, in words for the model. */
  readonly became: string;
}

/** The calls of the last answer in a conversation that have no result yet, in order. */
export function openCalls(state: SessionState, thread: Thread = state): readonly ToolUseBlock[] {
  const last = lastAnswer(thread);
  if (!last || last.stopReason === 'refusal') return [];
  return last.content
    .filter((block) => block.type === 'tool_use')
    .filter((call) => state.steps.get(call.id)?.status !== 'finished');
}

function lastAnswer(thread: Thread): EventOf<'assistant_message_completed'> | undefined {
  return thread.conversation.findLast((entry) => entry.type === 'assistant_message_completed');
}

/**
 * Records an end for every open call.
 * @param goOn true for a resume: what never started is started, what still runs is waited for
 */
export async function settleCalls(run: RunContext, goOn: boolean): Promise<readonly SettledCall[]> {
  let blocked = false;
  const last = lastAnswer(run.thread);
  // The calls of an answer that was cut may be half of what was meant: they are never started.
  const complete = last?.stopReason === 'tool_use';
  const foreign = last !== undefined && isForeign(run.state, last.seq);
  return inOrder(run, openCalls(run.state, run.thread), async (each, call): Promise<SettledCall> => {
    const { outcome, became } = foreign
      ? await closeForeign(each, call)
      : await settle(each, call, goOn && complete, blocked);
    blocked ||= outcome === 'cut' || outcome === 'cancelled' || outcome === 'timed_out';
    const title = stepTitle(call.name, call.input, 'running');
    return { title: `${title.verb} ${title.subject}`, became };
  });
}

interface Settled {
  readonly outcome: StepOutcome;
  readonly became: string;
}

async function settle(run: RunContext, call: ToolUseBlock, goOn: boolean, blocked: boolean): Promise<Settled> {
  const step = run.state.steps.get(call.id);
  const started = step?.status === 'running';
  if (blocked && !started) {
    return close(
      run,
      call,
      'Not started: an earlier call of the same answer was cut. Ask again if it is still needed.',
    );
  }
  if (!started) {
    if (!goOn)
      return close(run, call, 'Not started: the run was cut before this call began. Ask again if it is still needed.');
    const outcome = await runStep(run, call);
    return { outcome, became: `had not started; it ran now (${outcome})` };
  }
  const recovery = await recoverStep(run, run.tools.get(call.name), step);
  switch (recovery.kind) {
    case 'settled':
      return {
        outcome: await finish(run, call.id, recovery.result),
        became: recovery.result.note ?? becameWords(recovery.result),
      };
    case 'rerun': {
      if (!goOn) return close(run, call, 'Cut before it took effect. Ask again if it is still needed.');
      const outcome = await runStep(run, call);
      return { outcome, became: `had been cut before it took effect; it ran again (${outcome})` };
    }
    case 'continues': {
      if (!goOn) {
        const content =
          'Cut while it was running. The command still runs in the background; check on it before you start it again.';
        return { outcome: await finish(run, call.id, { outcome: 'cut', content }), became: content };
      }
      await run.note({ type: 'step_continued', stepId: call.id, runId: run.runId });
      const result = await execute(run, call.name, () => recovery.follow());
      return {
        outcome: await finish(run, call.id, result, run.clock.now() - step.startedAt),
        became: `had kept running; ${becameWords(result)}`,
      };
    }
    case 'goesOn': {
      if (goOn) await run.note({ type: 'step_continued', stepId: call.id, runId: run.runId });
      const result = await execute(run, call.name, () => (goOn ? recovery.follow() : recovery.giveUp()));
      return {
        outcome: await finish(run, call.id, result, run.clock.now() - step.startedAt),
        became: goOn ? `had been cut and went on where it was; ${becameWords(result)}` : result.content,
      };
    }
  }
}

/** A call that was made elsewhere, perhaps by nobody: it is not begun here, and nothing of it is looked for. */
async function closeForeign(run: RunContext, call: ToolUseBlock): Promise<Settled> {
  if (run.state.steps.get(call.id)?.status === 'running')
    return { outcome: await finish(run, call.id, { outcome: 'cut', content: unknownOutcome }), became: unknownOutcome };
  return close(
    run,
    call,
    'Not started: this call was made before the session was imported. Ask again if it is needed.',
  );
}

async function close(run: RunContext, call: ToolUseBlock, content: string): Promise<Settled> {
  return { outcome: await finish(run, call.id, { outcome: 'not_started', content }), became: content };
}

function becameWords(result: ToolResult): string {
  switch (result.outcome) {
    case 'succeeded':
      return 'finished, its result is above';
    case 'failed':
      return 'ended with an error, its result is above';
    case 'cancelled':
      return 'was stopped';
    case 'timed_out':
      return 'was ended by the time limit';
    case 'not_started':
      return 'was never started';
    case 'cut':
      return 'outcome unknown; check before doing it again';
  }
}
