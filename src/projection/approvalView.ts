// What "Allow always" shows of a call that waits: the choices in words, or why there is none.
import { unreachable } from '../core/errors.ts';
import { proposeRules } from '../core/approval/proposals.ts';
import type { ApprovalRule, Asked } from '../core/approval/rules.ts';
import { anyArguments } from '../core/approval/programs.ts';
import { quoted } from '../core/approval/shellCommand.ts';
import type { AlwaysView, RuleWords } from '../protocol/view.ts';

const safeArguments = 'with safe arguments';
const safeMeans = 'Safe: known to load no code and to stay in this folder. Others are still asked about.';

/** Undefined where a rule cannot speak of the call at all. */
export function alwaysView(asked: Asked | undefined): AlwaysView | undefined {
  if (!asked) return undefined;
  const proposal = proposeRules(asked);
  if (proposal.kind === 'none') {
    return { choices: [], none: `It cannot be allowed always: ${proposal.why}. You are asked each time.` };
  }
  const choices = proposal.choices.map(({ key, rules }) => ({ key, rules: rules.map(ruleWords) }));
  const hasSafe = choices.some(({ rules }) => rules.some(({ after }) => after === safeArguments));
  return { choices, ...(hasSafe && { note: safeMeans }) };
}

/** A rule as people read it. */
export function ruleWords(rule: ApprovalRule): RuleWords {
  switch (rule.kind) {
    case 'program':
      return { code: rule.words.map(quoted).join(' '), after: argumentWords(rule.words) };
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

function argumentWords(words: readonly string[]): string {
  const usable = anyArguments(words);
  switch (usable.kind) {
    case 'open':
      return usable.isScript ? 'with numbers for its options' : safeArguments;
    case 'exactly':
      return 'exactly so';
    case 'never':
      return 'allows nothing any more: write the exact command instead';
  }
}
