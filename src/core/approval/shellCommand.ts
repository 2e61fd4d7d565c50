// What a command line for a POSIX shell consists of, as far as that is certain: simple commands, joined by `&&`, `||`,
// `|`, `;` and line ends. Everything whose meaning depends on more than its text (substitutions, control structures,
// functions, here-documents, background commands) is refused, not guessed at: what is refused is asked about.
// Must never know which command may be run.
import { NotClear, tokens, type Redirection, type Token, type Word } from './shellTokens.ts';

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** One program with its arguments. Without words it is only assignments or redirections. */
export interface SimpleCommand {
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}

export type Connector = '&&' | '||' | '|' | ';';

export interface CommandLine {
  /** At least one. */
  readonly commands: readonly SimpleCommand[];
  /** What stands between them: one less than there are commands. */
  readonly connectors: readonly Connector[];
}

export type ParsedCommand =
  | { readonly kind: 'line'; readonly line: CommandLine }
  /** `why` completes "It cannot be allowed always: …". */
  | { readonly kind: 'unclear'; readonly why: string };

const reserved: ReadonlySet<string> = new Set(
  'if then elif else fi do done case esac while until for select function in time coproc ! { } [[ ]]'.split(' '),
);

/** Parses a command line, or says why it is not certain what it does. Never throws. */
export function parseCommand(text: string): ParsedCommand {
  try {
    return { kind: 'line', line: lineOf(tokens(text)) };
  } catch (error) {
    if (!(error instanceof NotClear)) throw error;
    return { kind: 'unclear', why: error.message };
  }
}

function lineOf(all: readonly Token[]): CommandLine {
  const commands: SimpleCommand[] = [];
  const connectors: Connector[] = [];
  let current: Token[] = [];
  const close = (): void => {
    commands.push(commandOf(current));
    current = [];
  };
  for (const token of all) {
    if (token.kind === 'newline') {
      // After an operator, and between lines, a line end says nothing.
      if (current.length === 0) continue;
      close();
      connectors.push(';');
    } else if (token.kind === 'operator') {
      if (current.length === 0) throw new NotClear('a command is missing beside an operator');
      close();
      connectors.push(token.operator);
    } else {
      current.push(token);
    }
  }
  if (current.length > 0) close();
  else if (connectors.at(-1) === ';') connectors.pop();
  if (commands.length === 0) throw new NotClear('there is no command in it');
  if (connectors.length !== commands.length - 1) throw new NotClear('a command is missing beside an operator');
  return { commands, connectors };
}

function commandOf(parts: readonly Token[]): SimpleCommand {
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  for (const part of parts) {
    if (part.kind === 'redirection') redirections.push(part.redirection);
    if (part.kind !== 'word') continue;
    if (words.length === 0 && part.assigns) assignments.push(part.assigns);
    else words.push(part.word);
  }
  const program = words[0];
  if (program) assertProgram(program);
  return { assignments, words, redirections };
}

function assertProgram(word: Word): void {
  const name = plainText(word);
  if (name === undefined || name === '') throw new NotClear('the name of a program in it is not plain text');
  if (reserved.has(name)) throw new NotClear(`"${name}" is a part of a control structure`);
  // Letters of other alphabets look like those of well-known programs.
  if (!/^[\x21-\x7e]+$/.test(name)) throw new NotClear('the name of a program in it has unusual characters');
  if (/^[A-Za-z_]\w*(\[.*\])?\+?=/.test(name)) throw new NotClear('it is not certain what it assigns');
}

/** The text that a word stands for, or undefined when the shell makes it while it runs. */
export function plainText(word: Word): string | undefined {
  if (word.length === 0) return '';
  const [only, ...more] = word;
  return only?.kind === 'text' && more.length === 0 ? only.text : undefined;
}

/** The same command line in one canonical spelling. Parsing it gives the same line again. */
export function printCommand({ commands, connectors }: CommandLine): string {
  return commands
    .map((command, index) => {
      const before = index === 0 ? '' : connectors[index - 1] === ';' ? '; ' : ` ${connectors[index - 1] ?? ';'} `;
      return before + printSimple(command);
    })
    .join('');
}

/** One of the commands, in its canonical spelling. */
export function printSimple({ assignments, words, redirections }: SimpleCommand): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=${value.length === 0 ? '' : printWord(value)}`),
    ...words.map(printWord),
    ...redirections.map(printRedirection),
  ].join(' ');
}

function printRedirection({ fd, operator, target }: Redirection): string {
  const usual = operator === '<' ? 0 : 1;
  return `${fd === usual ? '' : String(fd)}${operator}${quoted(target)}`;
}

function printWord(word: Word): string {
  if (word.length === 0) return "''";
  return word
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return quoted(part.text);
        case 'pattern':
          return part.text;
        case 'variable': {
          const value = part.name === '?' ? '$?' : `\${${part.name}}`;
          return part.quoted ? `"${value}"` : value;
        }
      }
    })
    .join('');
}

/** Plain where nothing in it means anything to a shell, else in single quotes. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
