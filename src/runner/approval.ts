// Whether a call may be made: by the mode, by a rule of the folder, or by the user, with the question and the answer
// on record. Nothing of the call has happened until this says so; a call that ran in the sandbox may ask once more.
import { changedTool, coveredBy, takesOpenGit, type Asked, type ShellSyntax } from '../core/approval/rules.ts';
import type { ApprovalMode, NewEvent } from '../core/events.ts';
import { answerFor, type Shown } from '../core/givenAnswers.ts';
import type { ToolUseBlock } from '../core/messages.ts';
import type { Tool, ToolEffect, ToolPlan } from './ports.ts';
import type { ApprovalAnswer, RunContext } from './runContext.ts';
import { stepEnd } from './stepEnd.ts';

/**
 * Whether a call of this kind has to be allowed by the user first, when no rule covers it and no sandbox confines it.
 * @param why set when what it changes runs or instructs by itself: that is no ordinary edit
 */
export function needsApproval(effect: ToolEffect, mode: ApprovalMode, why?: string): boolean {
  switch (effect) {
    case 'read':
    case 'tasks':
      return false;
    case 'edit':
      return mode === 'ask' || (mode !== 'allowAll' && why !== undefined);
    case 'command':
      return mode !== 'allowAll';
  }
}

export type Permission =
  /** Nobody has to be asked: by the mode, by the rules that `allowedBy` names, or since the user was asked in the run before. */
  | { readonly kind: 'free'; readonly allowedBy?: string; readonly confined?: true }
  /** It was asked and allowed, by the user or by rules that were made meanwhile: time has passed. */
  | { readonly kind: 'answered'; readonly allowedBy?: string; readonly confined?: true }
  | { readonly kind: 'denied' };

/**
 * Gets a planned call allowed or denied; a denial is the recorded end of the step.
 * @throws the reason of the run's signal when the run ends while the question is open
 */
export async function askPermission(
  run: RunContext,
  tool: Tool,
  call: ToolUseBlock,
  plan: ToolPlan,
): Promise<Permission> {
  if (plan.changesNothing) return { kind: 'free' };
  const free = answerWithoutUser(run, tool, plan) ?? (await answerBefore(run, call, plan));
  const answer = free ?? (await askUser(run, tool, call, plan));
  if (answer.decision === 'deny') return { kind: 'denied' };
  const { allowedBy, confined } = answer;
  return {
    kind: free ? 'free' : 'answered',
    ...(allowedBy !== undefined && { allowedBy }),
    ...(confined && { confined }),
  };
}

/** Without a sandbox the mode that relies on one asks about everything. */
function modeOf(run: RunContext): ApprovalMode {
  const mode = run.approvalMode();
  return mode === 'sandbox' && run.sandbox?.look.kind !== 'ready' ? 'ask' : mode;
}

/** The mode and the rules as they are at this moment. Undefined when the user has to be asked. */
function answerWithoutUser(run: RunContext, tool: Tool, plan: ToolPlan): ApprovalAnswer | undefined {
  const mode = modeOf(run);
  if (!needsApproval(tool.effect, mode, plan.why)) return { decision: 'allow' };
  const asked = askedOf(plan, run.approvalRules.syntax);
  const allowedBy = asked && coveredBy(asked, run.approvalRules.list());
  if (asked && allowedBy !== undefined) {
    if (!confinesRules(run, asked) || asked.kind !== 'command') return { decision: 'allow', allowedBy };
    if (plan.confined) return { decision: 'allow', allowedBy, confined: true };
  }
  return mode === 'sandbox' && plan.confined ? { decision: 'allow', confined: true } : undefined;
}

/** In the mode that confines, what earlier commands left in the folder must not act outside by way of a rule for git. */
function confinesRules(run: RunContext, asked: Asked | undefined): boolean {
  const { sandbox } = run;
  if (sandbox?.look.kind !== 'ready') return false;
  if (sandbox.alsoForRules()) return true;
  return run.approvalMode() === 'sandbox' && asked !== undefined && takesOpenGit(asked, run.approvalRules.list());
}

/** What the user answered to this very question in a run that was cut before the call had its end. */
async function answerBefore(run: RunContext, call: ToolUseBlock, plan: ToolPlan): Promise<ApprovalAnswer | undefined> {
  const before = answerFor(run.state.steps.get(call.id), shownOf(run, plan));
  if (!before) return undefined;
  const { decision, reason } = before;
  const answer = { decision, ...(reason !== undefined && { reason }) };
  // The end of the call was to be written with the answer, and only its beginning came to the disk.
  if (decision === 'deny') await run.write(...denied(call.id, plan, answer));
  return answer;
}

function shownOf(run: RunContext, plan: ToolPlan): Shown {
  // Where what rules allow is confined too, none can be made that lets a command out.
  const speaks = askedOf(plan, run.approvalRules.syntax);
  const asked = plan.outside && confinesRules(run, speaks) ? undefined : speaks;
  const look = run.sandbox?.look;
  const without = run.approvalMode() === 'sandbox' && look?.kind === 'none' ? look.why : undefined;
  const note = plan.first?.words ?? plan.outside?.why ?? without ?? changedTool(asked, run.approvalRules.list());
  return { preview: plan.preview, ...(note !== undefined && { note }), ...(asked && { asked }) };
}

function denied(stepId: string, { outside }: ToolPlan, { reason }: ApprovalAnswer): readonly NewEvent[] {
  const said = reason === undefined ? '' : ` and said: ${reason}`;
  if (outside?.inside) {
    const { inside } = outside;
    const content = `${inside.content}\n\nThe user did not allow to run it outside the sandbox${said === '' ? '.' : said}`;
    return stepEnd(stepId, { ...inside, content });
  }
  const content = said === '' ? 'The user denied this call.' : `The user denied this call${said}`;
  return [{ type: 'step_finished', stepId, outcome: 'denied', content, isError: true }];
}

/** What of a plan a rule can speak of: a command, the file that is written, or a tool by its name. */
function askedOf({ intent, asked }: ToolPlan, syntax: ShellSyntax): Asked | undefined {
  switch (intent?.kind) {
    case 'job':
      return { kind: 'command', command: intent.command, syntax };
    case 'file':
      return asked?.kind === 'edit' ? asked : { kind: 'edit', path: intent.path };
    case undefined:
      return asked;
  }
}

/** Asks for one call, with the question and the answer on record. */
async function askUser(run: RunContext, tool: Tool, call: ToolUseBlock, plan: ToolPlan): Promise<ApprovalAnswer> {
  const stepId = call.id;
  const shown = shownOf(run, plan);
  const why = plan.why !== undefined && { why: plan.why };
  const outside = plan.outside && { outside: true as const };
  await run.write({
    ...{ type: 'approval_requested', stepId, runId: run.runId, tool: call.name },
    ...{ ...shown, ...why, ...outside },
  });
  // Mode and rules may be changed while the question is written, and while it waits.
  const answer = await run.askApproval(stepId, run.signal, () => answerWithoutUser(run, tool, plan));
  const { decision, reason, allowedBy, confined } = answer;
  const answered: NewEvent = {
    type: 'approval_answered',
    stepId,
    decision,
    ...(reason !== undefined && { reason }),
    ...(allowedBy !== undefined && { allowedBy }),
    ...(confined && { confined }),
  };
  if (decision === 'allow') {
    await run.write(answered);
    return answer;
  }
  await run.write(answered, ...denied(stepId, plan, answer));
  return answer;
}
