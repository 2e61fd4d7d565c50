// What the input offers while something is written: where in the text it is, the lines of the list, and the text once
// one was taken. Pure; the list itself is drawn by components/CompletionList.tsx.
import { unreachable } from '../src/core/errors.ts';
import { mentionText } from '../src/core/mentions.ts';
import type { SlashCommand } from '../src/core/slashCommands.ts';
import type { Suggestion } from '../src/protocol/composer.ts';

/** The word under the caret that can be completed. */
export interface Span {
  readonly kind: 'mention' | 'command' | 'model';
  /** What was written of it until the caret, without the `@` or `/`. */
  readonly query: string;
  /** What a completion replaces, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface CompletionItem {
  readonly key: string;
  readonly icon: string;
  /** Drawn as a path: its folders give way before its name. */
  readonly isPath?: boolean;
  readonly label: string;
  readonly detail?: string;
  /** Why it does nothing now. It can be taken all the same where it is a mention. */
  readonly unavailable?: string;
  /** What is written in place of the span. */
  readonly insert: string;
  /** Tab goes into it instead of taking it. */
  readonly isFolder?: boolean;
  /** The mention that was chosen, to be told from one that was typed. */
  readonly mention?: string;
  /** Taking it is all there is to it: it is sent at once. */
  readonly isComplete?: boolean;
}

const mentionBefore = /(?:^|[\s([{'"`])@(?:"([^"\n]*)|([^\s"]*))$/;

/** The span at the caret, if what stands there can be completed. */
export function spanAt(text: string, caret: number): Span | undefined {
  const before = text.slice(0, caret);
  const rest = /^[^\s"]*/.exec(text.slice(caret))?.[0].length ?? 0;
  const command = /^\/([\w-]*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', start: 0, end: caret + rest };
  const model = /^\/model[ \t]+(\S*)$/i.exec(before);
  if (model) {
    const query = model[1] ?? '';
    return { kind: 'model', query, start: caret - query.length, end: caret + rest };
  }
  const mention = mentionBefore.exec(before);
  if (!mention) return undefined;
  const query = mention[1] ?? mention[2] ?? '';
  const isQuoted = mention[1] !== undefined;
  const closing = isQuoted && text[caret + rest] === '"' ? 1 : 0;
  return { kind: 'mention', query, start: caret - query.length - (isQuoted ? 2 : 1), end: caret + rest + closing };
}

const suggestionIcons: Readonly<Record<Suggestion['kind'], string>> = {
  file: 'file',
  folder: 'folder',
  selection: 'list-selection',
  problems: 'bug',
  terminal: 'terminal',
};

export function suggestionIcon(kind: Suggestion['kind']): string {
  return suggestionIcons[kind];
}

export function mentionItems(suggestions: readonly Suggestion[]): readonly CompletionItem[] {
  return suggestions.map(({ kind, name, detail, unavailable }) => ({
    key: `${kind} ${name}`,
    icon: suggestionIcon(kind),
    isPath: kind === 'file' || kind === 'folder',
    label: name,
    ...(detail !== undefined && { detail }),
    ...(unavailable !== undefined && { unavailable }),
    insert: mentionText(name),
    isFolder: kind === 'folder',
    mention: name,
  }));
}

/** The items that have the typed letters in their order: none that is taken blindly is of another word. */
export function fittingItems(items: readonly CompletionItem[], typed: string): readonly CompletionItem[] {
  const letters = Array.from(typed.toLowerCase());
  return items.filter(({ label }) => {
    const name = label.toLowerCase();
    let from = 0;
    return letters.every((letter) => {
      const at = name.indexOf(letter, from);
      from = at + letter.length;
      return at >= 0;
    });
  });
}

export function commandItems(commands: readonly SlashCommand[], query: string): readonly CompletionItem[] {
  const typed = query.toLowerCase();
  return commands
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, description, argument, unavailable }) => ({
      key: name,
      icon: commandIcons[name],
      label: `/${name}`,
      detail: description,
      ...(unavailable !== undefined && { unavailable }),
      insert: `/${name}`,
      isComplete: argument === undefined,
    }));
}

const commandIcons: Readonly<Record<SlashCommand['name'], string>> = {
  resume: 'debug-continue',
  retry: 'refresh',
  compact: 'fold',
  model: 'sparkle',
  new: 'add',
  export: 'export',
};

export function modelItems(
  models: readonly string[],
  query: string,
  current: string | undefined,
): readonly CompletionItem[] {
  const typed = query.toLowerCase();
  // The one that holds stands first: Enter at once changes nothing.
  return [...new Set([...(current === undefined ? [] : [current]), ...models])]
    .filter((model) => model.toLowerCase().includes(typed))
    .map((model) => ({
      key: model,
      icon: model === current ? 'check' : 'blank',
      label: model,
      ...(model === current && { detail: 'now' }),
      insert: model,
      isComplete: true,
    }));
}

/** Words for a list without lines. */
export function nothingFound({ kind, query }: Span): string {
  switch (kind) {
    case 'mention':
      return `No file or folder fits “${query}”.`;
    case 'command':
      return `There is no command /${query}.`;
    case 'model':
      return 'No model of the list; Enter takes the name as it is.';
    default:
      return unreachable(kind);
  }
}

export interface Edited {
  readonly text: string;
  readonly caret: number;
}

/** The text with an item in place of the span. @param goesOn more is typed directly behind it: no space follows */
export function withItem(text: string, span: Span, item: CompletionItem, goesOn = false): Edited {
  const after = text.slice(span.end);
  // A quoted name is left open, so that the next letters are part of it.
  const inserted = goesOn ? item.insert.replace(/"$/, '') : item.insert;
  const space = goesOn ? '' : ' ';
  const head = `${text.slice(0, span.start)}${inserted}${space}`;
  const tail = space !== '' && /^\s/.test(after) ? after.slice(/^[ \t]/.test(after) ? 1 : 0) : after;
  return { text: head + tail, caret: head.length };
}

/** The text with mentions at the caret, apart from the words around it. */
export function withMentions(text: string, caret: number, names: readonly string[]): Edited {
  const before = text.slice(0, caret);
  const head = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}${names.map(mentionText).join(' ')} `;
  return { text: head + text.slice(caret).replace(/^[ \t]/, ''), caret: head.length };
}
