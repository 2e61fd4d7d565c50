// Whether a call may be made: by the mode, by a rule of the folder, or by the user, with the question and the answer
// on record. Nothing of the call has happened until this says so.
import { changedTool, coveredBy, type Asked, type ShellSyntax } from '../core/approval/rules.ts';
import type { ApprovalMode, NewEvent } from '../core/events.ts';
import { answerFor, type Shown } from '../core/givenAnswers.ts';
import type { ToolUseBlock } from '../core/messages.ts';
import type { Tool, ToolEffect, ToolPlan } from './ports.ts';
import type { ApprovalAnswer, RunContext } from './runContext.ts';

/** Whether a call of this kind has to be allowed by the user first, when no rule covers it. */
export function needsApproval(effect: ToolEffect, mode: ApprovalMode): boolean {
  switch (effect) {
    case 'read':
    case 'tasks':
      return false;
    case 'edit':
      return mode === 'ask';
    case 'command':
      return mode !== 'allowAll';
  }
}

export type Permission =
  /** Nobody has to be asked: by the mode, by the rules that `allowedBy` names, or since the user was asked in the run before. */
  | { readonly kind: 'free'; readonly allowedBy?: string }
  /** It was asked and allowed, by the user or by rules that were made meanwhile: time has passed. */
  | { readonly kind: 'answered'; readonly allowedBy?: string }
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
  const { allowedBy } = answer;
  return { kind: free ? 'free' : 'answered', ...(allowedBy !== undefined && { allowedBy }) };
}

/** The mode and the rules as they are at this moment. Undefined when the user has to be asked. */
function answerWithoutUser(run: RunContext, tool: Tool, plan: ToolPlan): ApprovalAnswer | undefined {
  if (!needsApproval(tool.effect, run.approvalMode())) return { decision: 'allow' };
  const asked = askedOf(plan, run.approvalRules.syntax);
  const allowedBy = asked && coveredBy(asked, run.approvalRules.list());
  return allowedBy === undefined ? undefined : { decision: 'allow', allowedBy };
}

/** What the user answered to this very question in a run that was cut before the call had its end. */
async function answerBefore(run: RunContext, call: ToolUseBlock, plan: ToolPlan): Promise<ApprovalAnswer | undefined> {
  const before = answerFor(run.state.steps.get(call.id), shownOf(run, plan));
  if (!before) return undefined;
  const { decision, reason } = before;
  const answer = { decision, ...(reason !== undefined && { reason }) };
  // The end of the call was to be written with the answer, and only its beginning came to the disk.
  if (decision === 'deny') await run.write(denied(call.id, answer));
  return answer;
}

function shownOf(run: RunContext, plan: ToolPlan): Shown {
  const asked = askedOf(plan, run.approvalRules.syntax);
  const note = plan.first?.words ?? changedTool(asked, run.approvalRules.list());
  return { preview: plan.preview, ...(note !== undefined && { note }), ...(asked && { asked }) };
}

function denied(stepId: string, { reason }: ApprovalAnswer): NewEvent {
  const content = reason === undefined ? 'The user denied this call.' : `The user denied this call and said: ${reason}`;
  return { type: 'step_finished', stepId, outcome: 'denied', content, isError: true };
}

/** What of a plan a rule can speak of: a command, the file that is written, or a tool by its name. */
function askedOf({ intent, asked }: ToolPlan, syntax: ShellSyntax): Asked | undefined {
  switch (intent?.kind) {
    case 'job':
      return { kind: 'command', command: intent.command, syntax };
    case 'file':
      return { kind: 'edit', path: intent.path };
    case undefined:
      return asked;
  }
}

/** Asks for one call, with the question and the answer on record. */
async function askUser(run: RunContext, tool: Tool, call: ToolUseBlock, plan: ToolPlan): Promise<ApprovalAnswer> {
  const stepId = call.id;
  const shown = shownOf(run, plan);
  await run.write({ type: 'approval_requested', stepId, runId: run.runId, tool: call.name, ...shown });
  // Mode and rules may be changed while the question is written, and while it waits.
  const answer = await run.askApproval(stepId, run.signal, () => answerWithoutUser(run, tool, plan));
  const { decision, reason, allowedBy } = answer;
  const answered: NewEvent = {
    type: 'approval_answered',
    stepId,
    decision,
    ...(reason !== undefined && { reason }),
    ...(allowedBy !== undefined && { allowedBy }),
  };
  if (decision === 'allow') {
    await run.write(answered);
    return answer;
  }
  await run.write(answered, denied(stepId, answer));
  return answer;
}
