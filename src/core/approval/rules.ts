// Approval rules: what the user allowed always in a folder, and whether that covers what is asked for. A command is
// matched by what it parses to, never by the beginning of its text; in doubt nothing covers it and it is asked about.
// Must never know where rules are kept.
import { z } from 'zod';
import { unreachable } from '../errors.ts';
import type { Argument } from './programs/argumentTable.ts';
import { anyArguments, changesShell } from './programs.ts';
import { runsOrInstructs } from './runningFiles.ts';
import { parseCommand, plainText, printCommand, printSimple, quoted, type SimpleCommand } from './shellCommand.ts';
import type { Redirection, Word } from './shellTokens.ts';

export const shellSyntaxes = ['posix', 'other'] as const;
/** How commands are read where they run: parsed as for a POSIX shell, or not at all. */
export type ShellSyntax = (typeof shellSyntaxes)[number];

/** Which tool goes by a name: who brings it, where the editor says so, and a hash of what it says of itself. */
const editorToolShape = {
  provider: z.string().optional(),
  /** Of description and input schema. Absent in rules and questions of versions before: such a rule covers nothing. */
  sha256: z.string().optional(),
};

export const approvalRuleSchema = z.discriminatedUnion('kind', [
  /** A program with these leading words, and what is known to be harmless behind them: see `programs.ts`. */
  z.object({ kind: z.literal('program'), words: z.array(z.string()).min(1) }),
  /** This command line in its canonical spelling; where commands are not parsed, this very text. */
  z.object({ kind: z.literal('exact'), syntax: z.enum(shellSyntaxes), command: z.string().min(1) }),
  /**
   * Writes and edits of this file, or of any file below this folder, then with `/` at its end. Relative to the
   * workspace folder; `.` is all of it.
   */
  z.object({ kind: z.literal('edits'), path: z.string().min(1) }),
  /** Calls of this tool of the editor, whatever their input, as long as it is the tool that was allowed. */
  z.object({ kind: z.literal('tool'), tool: z.string().min(1), ...editorToolShape }),
]);
export type ApprovalRule = Readonly<z.infer<typeof approvalRuleSchema>>;

export const askedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), command: z.string(), syntax: z.enum(shellSyntaxes) }),
  /** `name`: another name of the file, by which it runs or instructs by itself. */
  z.object({ kind: z.literal('edit'), path: z.string(), name: z.string().optional() }),
  z.object({ kind: z.literal('tool'), tool: z.string(), ...editorToolShape }),
]);
/** What a call would do, as far as a rule can speak of it. The path is the real one, relative to the folder. */
export type Asked = Readonly<z.infer<typeof askedSchema>>;

/** Stands at the end of a rule's text for "and such arguments as are safe". */
export const anyMark = '…';

/** A rule in one line. */
export function ruleText(rule: ApprovalRule): string {
  switch (rule.kind) {
    case 'program': {
      const words = rule.words.map(quoted).join(' ');
      return anyArguments(rule.words).kind === 'exactly' ? words : `${words} ${anyMark}`;
    }
    case 'exact':
      return rule.command;
    case 'edits':
      if (rule.path === '.') return 'edits in this folder';
      return `edits ${rule.path.endsWith('/') ? 'below' : 'of'} ${rule.path}`;
    case 'tool':
      return rule.provider === undefined ? `tool ${rule.tool}` : `tool ${rule.tool} of ${rule.provider}`;
    default:
      return unreachable(rule);
  }
}

export function isSameRule(a: ApprovalRule, b: ApprovalRule): boolean {
  if (a.kind === 'tool' && b.kind === 'tool' && a.sha256 !== b.sha256) return false;
  return a.kind === b.kind && ruleText(a) === ruleText(b);
}

/** The text of the rule, or of the rules, that cover all of what is asked for; undefined when it has to be asked. */
export function coveredBy(asked: Asked, rules: readonly ApprovalRule[]): string | undefined {
  switch (asked.kind) {
    case 'edit': {
      const { path, name } = asked;
      const rule = rules.find(
        (each) =>
          each.kind === 'edits' &&
          // What a file is by its other name, a rule for the folder that it lies in does not know of.
          ((path === each.path && !isOutside(path)) || coversPath(each.path, name ?? path)),
      );
      return rule && ruleText(rule);
    }
    case 'tool': {
      const rule = rules.find((each) => each.kind === 'tool' && each.tool === asked.tool && isSameTool(each, asked));
      return rule && ruleText(rule);
    }
    case 'command':
      return asked.syntax === 'posix' ? commandCoveredBy(asked.command, rules) : sameText(asked.command, rules);
    default:
      return unreachable(asked);
  }
}

/**
 * Whether it takes a rule for git with open arguments to cover this: git obeys the settings of any repository below the
 * folder that it comes upon, and a confined command may have made one.
 */
export function takesOpenGit(asked: Asked, rules: readonly ApprovalRule[]): boolean {
  const others = rules.filter((rule) => rule.kind !== 'program' || rule.words[0] !== 'git');
  return coveredBy(asked, others) === undefined && coveredBy(asked, rules) !== undefined;
}

type ToolIdentity = Pick<Extract<Asked, { kind: 'tool' }>, 'provider' | 'sha256'>;

function isSameTool(one: ToolIdentity, other: ToolIdentity): boolean {
  return one.sha256 !== undefined && one.sha256 === other.sha256 && one.provider === other.provider;
}

/** Why a tool is asked about although its name was allowed always, as a sentence; undefined where it was not. */
export function changedTool(asked: Asked | undefined, rules: readonly ApprovalRule[]): string | undefined {
  if (asked?.kind !== 'tool') return undefined;
  const same = rules.filter((rule) => rule.kind === 'tool' && rule.tool === asked.tool);
  const rule = same.at(-1);
  if (rule?.kind !== 'tool' || coveredBy(asked, same) !== undefined) return undefined;
  if (rule.sha256 === undefined)
    return 'You allowed it always before a rule said which tool it is for: look at it again';
  return rule.provider === asked.provider
    ? 'You allowed it always, and what it says of itself has changed since'
    : `You allowed a tool of this name always, from ${rule.provider ?? 'an unknown provider'}; this one is from ${asked.provider ?? 'an unknown provider'}`;
}

function sameText(command: string, rules: readonly ApprovalRule[]): string | undefined {
  const rule = rules.find((each) => each.kind === 'exact' && each.syntax === 'other' && each.command === command);
  return rule && ruleText(rule);
}

function commandCoveredBy(command: string, rules: readonly ApprovalRule[]): string | undefined {
  const parsed = parseCommand(command);
  if (parsed.kind === 'unclear') return undefined;
  const { commands, connectors } = parsed.line;
  const whole = printCommand(parsed.line);
  const own = rules.filter((rule) => rule.kind === 'program' || rule.kind === 'exact');
  const exact = own.find((rule) => rule.kind === 'exact' && rule.syntax === 'posix' && rule.command === whole);
  if (exact) return ruleText(exact);
  const found = commands.map((each, index) =>
    own.find((rule) =>
      rule.kind === 'program'
        ? coversArguments(rule.words, each, connectors[index - 1] === '|')
        : rule.syntax === 'posix' &&
          // A program that is given input by a pipe may do what the input says: that was not in the rule.
          (index === 0 || connectors[index - 1] !== '|') &&
          standsAlone(each) &&
          rule.command === printSimple(each),
    ),
  );
  const texts = found.map((rule) => rule && ruleText(rule));
  return texts.includes(undefined) ? undefined : [...new Set(texts)].join(', ');
}

/** Whether a program rule covers one command: the words, nothing before them, no file that is written. */
function coversArguments(fixed: readonly string[], command: SimpleCommand, isPiped: boolean): boolean {
  const { assignments, redirections, words } = command;
  if (assignments.length > 0 || !redirections.every(isHarmless) || words.length < fixed.length) return false;
  if (!fixed.every((word, index) => plainText(words[index] ?? []) === word)) return false;
  const usable = anyArguments(fixed);
  switch (usable.kind) {
    case 'never':
      return false;
    case 'exactly':
      return !isPiped && words.length === fixed.length;
    case 'open':
      // What is piped into a program that reads programs is one.
      if (fixed.length < usable.fixed || (isPiped && !usable.readsPipe)) return false;
      return usable.takes(words.slice(fixed.length).map(argumentOf));
  }
}

/** The text of a word, as far as it is certain; undefined for one that a shell could make anything of. */
export function argumentOf(word: Word): Argument | undefined {
  const plain = plainText(word);
  if (plain !== undefined) return { text: plain };
  const [first] = word;
  // The exit code is a number; any other variable could hold anything.
  if (word.some((part) => part.kind === 'variable' && part.name !== '?')) return undefined;
  const text = word.map((part) => (part.kind === 'variable' ? '0' : part.text)).join('');
  if (!word.some((part) => part.kind === 'pattern')) return { text };
  // Inside of a word, as in HEAD~2, it says nothing to a shell; bash takes `a=~` and `a:~` for the home folder.
  const isTilde = word.every((part) => part.kind !== 'pattern' || /^~+$/.test(part.text));
  if (isTilde && !/(?:^|[=:])~/.test(text)) return { text };
  // A glob becomes only what begins as it does: no option, and no other folder.
  if (first?.kind !== 'text' || first.text.startsWith('-') || text.includes('~')) return undefined;
  return { text, isGlob: true };
}

function isHarmless({ operator, target }: Redirection): boolean {
  return operator === '>&' || target === '/dev/null';
}

/** Changes nothing for the commands beside it, and they change nothing in what it says. */
function standsAlone({ assignments, words }: SimpleCommand): boolean {
  const texts = words.map(plainText);
  return assignments.length === 0 && words.length > 0 && !texts.includes(undefined) && !changesShell(texts[0] ?? '');
}

/** An edit rule for a folder does not reach what runs or instructs by itself; that takes a rule that names it. */
function coversPath(rule: string, path: string): boolean {
  if (isOutside(path)) return false;
  if (path === rule) return true;
  const inside = rule === '.' ? path : path.startsWith(rule) && rule.endsWith('/') ? path.slice(rule.length) : '';
  if (inside === '') return false;
  if (!runsOrInstructs(path)) return true;
  // A rule for a folder such as `.vscode/` names what it is for.
  return rule !== '.' && runsOrInstructs(`${rule}file`) !== undefined && !runsOrInstructs(inside);
}

function isOutside(path: string): boolean {
  return /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).some((part) => part === '..' || part === '');
}

export type RuleDraft =
  { readonly ok: true; readonly rule: ApprovalRule } | { readonly ok: false; readonly why: string };

/**
 * A rule for commands from what a person wrote: a command, exactly, or with `…` (or `...`) at its end also with
 * the arguments that are known to be safe. `why` is a sentence for people.
 */
export function commandRule(written: string, syntax: ShellSyntax): RuleDraft {
  const text = written.trim();
  if (text === '') return { ok: false, why: 'Write a command, such as npm test …' };
  if (syntax === 'other') return { ok: true, rule: { kind: 'exact', syntax, command: text } };
  const open = /^(.*\S)\s+(?:…|\.\.\.)$/s.exec(text)?.[1];
  const parsed = parseCommand(open ?? text);
  if (parsed.kind === 'unclear') return { ok: false, why: `No rule can be made of this: ${parsed.why}.` };
  if (open === undefined) return { ok: true, rule: { kind: 'exact', syntax, command: printCommand(parsed.line) } };
  const [command, ...more] = parsed.line.commands;
  if (!command || more.length > 0) return { ok: false, why: '"…" can only follow one command.' };
  if (command.assignments.length > 0 || command.redirections.length > 0)
    return { ok: false, why: '"…" cannot follow a variable or a redirection. Leave it out.' };
  const words = command.words.map(plainText).filter((word) => word !== undefined);
  if (words.length !== command.words.length)
    return { ok: false, why: 'The words before "…" have to be plain text, without variables and wildcards.' };
  return programRule(words);
}

function programRule(words: readonly string[]): RuleDraft {
  const usable = anyArguments(words);
  if (usable.kind === 'never')
    return {
      ok: false,
      why: `With other arguments this could run anything or change what is out of reach. Write the exact command, without "${anyMark}".`,
    };
  if (usable.kind === 'exactly')
    return {
      ok: false,
      why: `It is not known which arguments of this program are safe. Write the exact command, without "${anyMark}".`,
    };
  if (words.length < usable.fixed) {
    return { ok: false, why: `Name more of the command before "${anyMark}".` };
  }
  return { ok: true, rule: { kind: 'program', words: [...words] } };
}

/** A rule for edits from a path that a person wrote, relative to the folder. */
export function editsRule(written: string): RuleDraft {
  const path = written
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\.\/(?=.)/, '');
  if (written.trim() === '')
    return { ok: false, why: 'Write a path of this folder, such as src/; a dot means all of it.' };
  if (path === '.' || path === './') return { ok: true, rule: { kind: 'edits', path: '.' } };
  const parts = path.replace(/\/$/, '').split('/');
  if (isOutside(parts.join('/')) || parts.includes('.') || /\p{C}/u.test(path))
    return { ok: false, why: 'The path has to lie in this folder, such as src/ or docs/guide.md.' };
  if (parts.some((part) => part.toLowerCase() === '.git'))
    return { ok: false, why: 'Files in .git are never edited; git commands change them.' };
  return { ok: true, rule: { kind: 'edits', path } };
}
