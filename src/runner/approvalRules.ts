// The approval rules of a folder as the sessions change them: what is shown is what is stored, and a question that a
// new rule covers is answered by it.
import { RatchetError } from '../core/errors.ts';
import { proposeRules } from '../core/approval/proposals.ts';
import type { ApprovalRule, ShellSyntax } from '../core/approval/rules.ts';
import type { LiveSession } from './liveSession.ts';

/** Where rules are kept: on this machine, for one workspace, out of reach of what a repository brings along. */
export interface ApprovalRuleStore {
  /** How the shell of this machine reads commands. */
  readonly syntax: ShellSyntax;
  /** The rules of a folder, oldest first. */
  list(folderUri: string): readonly ApprovalRule[];
  /** Adds those that are not there yet; resolves when they are kept. */
  add(folderUri: string, rules: readonly ApprovalRule[]): Promise<void>;
  remove(folderUri: string, rule: ApprovalRule): Promise<void>;
}

/**
 * The rules that a waiting question was shown to make. Read from the question again, not taken from the panel.
 * @throws RatchetError `not_found` when it does not wait any more, or offers no such choice
 */
export function offeredRules(session: LiveSession, stepId: string, key: string): readonly ApprovalRule[] {
  const step = session.state.steps.get(stepId);
  if (step?.status !== 'waiting' || !session.waitingApprovals.includes(stepId)) {
    throw new RatchetError('not_found', 'This request is not waiting for an answer any more.');
  }
  const proposal = step.asked && proposeRules(step.asked);
  const choice = proposal?.kind === 'choices' ? proposal.choices.find((each) => each.key === key) : undefined;
  if (!choice) throw new RatchetError('not_found', 'This rule is not offered for the request. Allow it once instead.');
  return choice.rules;
}
