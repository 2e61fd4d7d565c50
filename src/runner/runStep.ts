// One step, from the model's request to its result: plan, permission, record, effect, record.
// The order is the contract: `step_started` is on disk before the tool does anything, `step_finished` before the model is told.
import { messageOf } from '../core/errors.ts';
import type { StepIntent, StepOutcome } from '../core/events.ts';
import type { ToolUseBlock } from '../core/messages.ts';
import type { FinishedStep, Step } from '../core/sessionState.ts';
import { askPermission } from './approval.ts';
import { ToolInputError, type Recovery, type Tool, type ToolContext, type ToolPlan, type ToolResult } from './ports.ts';
import type { RunContext } from './runContext.ts';
import { stepEnd } from './stepEnd.ts';
import { RunStopped } from './runStopped.ts';

/**
 * Runs one call to its recorded end and returns the outcome.
 * @param cut what is left to be done of a call that was cut before it took effect
 * @throws RunStopped when the run ends and the step stays open (its command goes on, or the host ends)
 */
export async function runStep(run: RunContext, call: ToolUseBlock, cut?: ToolPlan): Promise<StepOutcome> {
  const tool = run.tools.get(call.name);
  if (!tool)
    return finish(
      run,
      call.id,
      failure(`There is no tool named "${call.name}". Use one of: ${[...run.tools.keys()].join(', ')}.`),
    );
  if (cut) return runAllowed(run, tool, call, cut);
  const recorded = await recall(run, tool, call);
  if (recorded) return finish(run, call.id, recorded);
  return runPlanned(run, tool, call);
}

/** Times that a call is planned again after what it does first: an editor in which someone types could ask for ever. */
const firstLimit = 3;

/** From the plan to the recorded end. A call that has something to do first is planned again after that. */
async function runPlanned(run: RunContext, tool: Tool, call: ToolUseBlock): Promise<StepOutcome> {
  const fromInput = (): Promise<ToolPlan> => tool.plan(call.input, toolContext(run, call.id));
  let plan = await prepare(run, call, fromInput);
  let allowed: { readonly plan: ToolPlan; readonly by?: string; readonly confined?: true } | undefined;
  let startedAt: number | undefined;
  let mustStart = true;
  for (let firsts = 0; ;) {
    if (!('preview' in plan)) return finish(run, call.id, plan);
    const next: ToolPlan = plan;
    const covering = allowed && isCovered(next, allowed.plan) ? allowed : undefined;
    const permission = covering ? undefined : await askPermission(run, tool, call, next);
    if (permission?.kind === 'denied') return 'denied';
    if (permission?.kind === 'answered') {
      const { allowedBy, confined } = permission;
      allowed = { plan: next, ...(allowedBy !== undefined && { by: allowedBy }), ...(confined && { confined }) };
      mustStart = true;
      // The workspace may have changed while the question was open: what was not shown is not allowed.
      plan = await prepare(run, call, next.again ?? fromInput);
      continue;
    }
    if (startedAt === undefined) run.signal.throwIfAborted();
    startedAt ??= run.clock.now();
    const isConfined = covering?.confined ?? permission?.confined;
    const chosen = isConfined ? next.confined : next;
    if (!chosen) return finish(run, call.id, failure('There is no sandbox for this any more. Try again.'));
    if (mustStart) await recordStart(run, call, chosen.intent, covering?.by ?? permission?.allowedBy);
    if (!next.first) {
      const result = await execute(run, call.name, () => chosen.execute());
      return finishOrLeaveSandbox(run, call, result, run.clock.now() - startedAt);
    }
    firsts += 1;
    if (firsts > firstLimit)
      return finish(run, call.id, failure('This kept changing while it was prepared. Try again.'));
    plan = await prepare(run, call, next.first.run);
    // What was done first may have changed what the call is about, and with it what has to be on record before it.
    mustStart = 'preview' in plan && !isSameIntent(plan.intent, next.intent);
  }
}

/**
 * Records the end of a call; where the sandbox refused something, asks first whether it is to be done outside. Each of the two
 * has its own start on record, and the job of the first says what became of it: neither is done twice.
 */
export async function finishOrLeaveSandbox(
  run: RunContext,
  call: ToolUseBlock,
  result: ToolResult,
  durationMs?: number,
): Promise<StepOutcome> {
  const tool = run.tools.get(call.name);
  if (!result.outside || !tool) return finish(run, call.id, result, durationMs);
  return runAllowed(run, tool, call, result.outside);
}

/** Does what a plan says once it is allowed. It is not planned again: a command is the same whenever it is allowed. */
async function runAllowed(run: RunContext, tool: Tool, call: ToolUseBlock, plan: ToolPlan): Promise<StepOutcome> {
  const permission = await askPermission(run, tool, call, plan);
  if (permission.kind === 'denied') return plan.outside?.inside?.outcome ?? 'denied';
  run.signal.throwIfAborted();
  const startedAt = run.clock.now();
  await recordStart(run, call, plan.intent, permission.allowedBy);
  const result = await execute(run, call.name, () => plan.execute());
  return finish(run, call.id, result, run.clock.now() - startedAt);
}

/** Whether the user has allowed exactly this. What was to be done first may be done by now. */
function isCovered(plan: ToolPlan, allowed: ToolPlan): boolean {
  if (plan.preview !== allowed.preview || (plan.first && plan.first.words !== allowed.first?.words)) return false;
  // Two edits that look the same may be of two files, when a link was changed meanwhile.
  return plan.intent?.kind !== 'file' || allowed.intent?.kind !== 'file' || plan.intent.path === allowed.intent.path;
}

function isSameIntent(a: StepIntent | undefined, b: StepIntent | undefined): boolean {
  if (a?.kind !== 'file' || b?.kind !== 'file') return a === b;
  return a.path === b.path && a.beforeSha256 === b.beforeSha256 && a.afterSha256 === b.afterSha256;
}

async function recordStart(
  run: RunContext,
  call: ToolUseBlock,
  intent: StepIntent | undefined,
  allowedBy: string | undefined,
): Promise<void> {
  await run.write({
    type: 'step_started',
    stepId: call.id,
    runId: run.runId,
    tool: call.name,
    input: call.input,
    ...(intent && { intent }),
    ...(allowedBy !== undefined && { allowedBy }),
  });
}

/** The plan of a call, or the failure that the model is told. */
async function prepare(
  run: RunContext,
  call: ToolUseBlock,
  plan: () => Promise<ToolPlan>,
): Promise<ToolPlan | ToolResult> {
  try {
    return await run.patiently(plan);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof ToolInputError)) run.log(`Tool ${call.name} could not be prepared`, error);
    return failure(messageOf(error));
  }
}

/** The recorded result that stands for a call, in a resumed run. A look that fails costs nothing: the call is run. */
async function recall(run: RunContext, tool: Tool, call: ToolUseBlock): Promise<ToolResult | undefined> {
  if (!run.resumed || !tool.recall) return undefined;
  const context = toolContext(run, call.id);
  try {
    return await tool.recall(call.input, context, finishedSteps(run));
  } catch (error) {
    run.signal.throwIfAborted();
    run.log(`Step ${call.id} could not be compared with what was done before`, error);
    return undefined;
  }
}

/** What became of a step that an earlier run left open. A tool that cannot tell is answered honestly. */
export async function recoverStep(run: RunContext, tool: Tool | undefined, step: Step): Promise<Recovery> {
  const unknown = (why: string): Recovery => ({
    kind: 'settled',
    result: {
      outcome: 'cut',
      content: `Interrupted. The outcome of this call is unknown${why}. Check before you do it again.`,
    },
  });
  if (!tool) return unknown(': its tool is not there any more');
  try {
    return await run.patiently(() => tool.recover(step, toolContext(run, step.id)));
  } catch (error) {
    run.signal.throwIfAborted();
    run.log(`Step ${step.id} could not be looked up`, error);
    return unknown(`: ${messageOf(error)}`);
  }
}

/** Runs what a tool does; anything that it throws becomes the step's failure, except a stop that leaves it open. */
export async function execute(run: RunContext, tool: string, effect: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run.patiently(effect);
  } catch (error) {
    // What a delegation did until now is recorded: whatever cuts it leaves it open, and a resume goes on inside.
    if (run.tools.get(tool)?.delegates === true && !(error instanceof ToolInputError)) throw error;
    if (error instanceof RunStopped) {
      if (error.kind === 'shutdown' || error.kind === 'user_keep_command') throw error;
      const outcome = error.kind === 'user' ? 'cancelled' : 'timed_out';
      return {
        outcome,
        content:
          outcome === 'cancelled' ? 'Stopped by the user before it finished.' : 'Ended by the time limit of the run.',
      };
    }
    if (!(error instanceof ToolInputError)) run.log(`Tool ${tool} failed`, error);
    return failure(messageOf(error));
  }
}

/** Records the end of a step, with what it changed, in one piece. */
export async function finish(
  run: RunContext,
  stepId: string,
  result: ToolResult,
  durationMs?: number,
): Promise<StepOutcome> {
  await run.write(...stepEnd(stepId, result, durationMs));
  return result.outcome;
}

function failure(content: string): ToolResult {
  return { outcome: 'failed', content };
}

/** Of all conversations of the session, oldest first. */
function finishedSteps(run: RunContext): readonly FinishedStep[] {
  return [...run.state.steps.values()].filter((step) => step.status === 'finished');
}

function toolContext(run: RunContext, stepId: string): ToolContext {
  return {
    sessionId: run.sessionId,
    stepId,
    folder: run.folder,
    storage: run.storage,
    tasks: run.state.tasks,
    done: () => finishedSteps(run).filter(({ agentId }) => agentId === run.agentId),
    signal: run.signal,
    ...(run.sandbox?.look.kind === 'ready' && { confinement: run.sandbox.look.confinement }),
    showOutput: (lines) => {
      run.onLiveOutput(stepId, lines);
    },
    log: (message, error) => {
      run.log(message, error);
    },
  };
}
