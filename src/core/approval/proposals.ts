// What "Allow always" offers for a call that waits: the rules that would cover it, the usual ones first.
import { anyArguments } from './programs.ts';
import { argumentOf, coveredBy, ruleText, type ApprovalRule, type Asked } from './rules.ts';
import { parseCommand, plainText, printCommand, type SimpleCommand } from './shellCommand.ts';

export interface RuleChoice {
  /** Names the choice: the texts of its rules. */
  readonly key: string;
  /** All of them are stored together. */
  readonly rules: readonly ApprovalRule[];
}

export type RuleProposal =
  | { readonly kind: 'choices'; readonly choices: readonly RuleChoice[] }
  /** `why` completes "It cannot be allowed always: …". */
  | { readonly kind: 'none'; readonly why: string };

/** The rules that can be made of a call. Each choice covers the call. */
export function proposeRules(asked: Asked): RuleProposal {
  if (asked.kind === 'edit') return chosen(asked, editRules(asked.path));
  if (asked.kind === 'tool') return chosen(asked, [[asked]]);
  if (asked.syntax === 'other') {
    return chosen(asked, [[{ kind: 'exact', syntax: 'other', command: asked.command }]]);
  }
  const parsed = parseCommand(asked.command);
  if (parsed.kind === 'unclear') return { kind: 'none', why: parsed.why };
  const { commands } = parsed.line;
  const open = commands.map(programRule).filter((rule) => rule !== undefined);
  const exact: ApprovalRule = { kind: 'exact', syntax: 'posix', command: printCommand(parsed.line) };
  return chosen(asked, [...(open.length === commands.length ? [open] : []), [exact]]);
}

/** The rule for a program with what is safe behind it that covers this command, where such a rule is usual. */
function programRule(command: SimpleCommand): ApprovalRule | undefined {
  const words = command.words.map(plainText);
  const leading = words.slice(0, words.includes(undefined) ? words.indexOf(undefined) : words.length);
  const texts = leading.filter((word) => word !== undefined);
  const usable = anyArguments(texts);
  if (usable.kind !== 'open' || texts.length < usable.fixed) return undefined;
  const takesAfter = (length: number): boolean => usable.takes(command.words.slice(length).map(argumentOf));
  if (!usable.isScript) {
    return takesAfter(usable.fixed) ? { kind: 'program', words: texts.slice(0, usable.fixed) } : undefined;
  }
  // Of a script all is fixed but the numbers at the end; without any, the exact command says the same.
  for (let length = usable.fixed; length < texts.length; length += 1) {
    if (takesAfter(length)) return { kind: 'program', words: texts.slice(0, length) };
  }
  return undefined;
}

function editRules(path: string): readonly (readonly ApprovalRule[])[] {
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '.';
  return [[{ kind: 'edits', path }], [{ kind: 'edits', path: parent }]];
}

/** Only what really covers the call is offered: a choice that would ask again next time is none. */
function chosen(asked: Asked, sets: readonly (readonly ApprovalRule[])[]): RuleProposal {
  const choices = sets
    .filter((rules) => coveredBy(asked, rules) !== undefined)
    .map((rules) => {
      const distinct = [...new Map(rules.map((rule) => [ruleText(rule), rule])).values()];
      return { key: distinct.map(ruleText).join(', '), rules: distinct };
    });
  return choices.length > 0 ? { kind: 'choices', choices } : { kind: 'none', why: 'no rule would cover it' };
}
