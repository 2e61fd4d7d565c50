// What "Allow always" shows of a call that waits: the choices in words, or why there is none.
import { unreachable } from '../core/errors.ts';
import { proposeRules } from '../core/approval/proposals.ts';
import type { ApprovalRule, Asked } from '../core/approval/rules.ts';
import { quoted } from '../core/approval/shellCommand.ts';
import type { AlwaysView, RuleWords } from '../protocol/view.ts';

/** Undefined where a rule cannot speak of the call at all. */
export function alwaysView(asked: Asked | undefined): AlwaysView | undefined {
  if (!asked) return undefined;
  const proposal = proposeRules(asked);
  if (proposal.kind === 'none') {
    return { choices: [], none: `It cannot be allowed always: ${proposal.why}. You are asked each time.` };
  }
  return { choices: proposal.choices.map(({ key, rules }) => ({ key, rules: rules.map(ruleWords) })) };
}

/** A rule as people read it. */
export function ruleWords(rule: ApprovalRule): RuleWords {
  switch (rule.kind) {
    case 'program':
      return { code: rule.words.map(quoted).join(' '), after: 'with any arguments' };
    case 'exact':
      return { code: rule.command, after: 'exactly so' };
    case 'edits':
      if (rule.path === '.') return { before: 'edits anywhere in this folder' };
      return { before: rule.path.endsWith('/') ? 'edits below' : 'edits of', code: rule.path };
    case 'tool':
      return {
        before: 'the tool',
        code: rule.tool,
        after: `${rule.provider === undefined ? '' : `of ${rule.provider} `}with any input, until it changes`,
      };
    default:
      return unreachable(rule);
  }
}
