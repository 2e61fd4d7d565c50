// What is said where nothing answers, or where another connection answers than before; with the ways out. Pure.
import {
  demoConnection,
  isSameConnection,
  mayAnswer,
  usualHost,
  type Answers,
  type Connection,
  type NoConnection,
} from './connection.ts';
import { unreachable } from './errors.ts';

/** What helps; each is a command of the editor. */
export type WayOut = 'setApiKey' | 'useEditorModels' | 'leaveDemo' | 'openSettings';

export interface NoAnswer {
  /** One short sentence, without a full stop. */
  readonly title: string;
  /** Why, as sentences. */
  readonly text: string;
  /** What to do, as a sentence: the ways in words. */
  readonly help: string;
  /** The best first. */
  readonly ways: readonly WayOut[];
}

export function noAnswer(reason: NoConnection, answers: Answers): NoAnswer {
  switch (reason) {
    case 'no_key':
      return {
        title: 'No model is set up',
        text: 'There is no API key yet.',
        help: mayAnswer(demoConnection, answers)
          ? 'Set one, use a model of the editor, or choose the offline demo.'
          : 'Set one, or use a model of the editor.',
        ways: ['setApiKey', 'useEditorModels', 'openSettings'],
      };
    case 'demo_stays_out':
      return {
        title: 'No model is set up',
        text: whose(answers),
        help: 'Set an API key, use a model of the editor, or set the address of a server in ratchet.anthropic.baseUrl.',
        ways: ['setApiKey', 'useEditorModels', 'openSettings'],
      };
    case 'demo_chosen':
      return {
        title: 'The offline demo is chosen',
        text: whose(answers),
        help: 'Leave the demo (the setting ratchet.provider), set an API key, or use a model of the editor.',
        ways: ['leaveDemo', 'setApiKey', 'useEditorModels'],
      };
    default:
      return unreachable(reason);
  }
}

/** In one piece, as the error of somebody who wanted an answer. */
export function noAnswerMessage(reason: NoConnection, answers: Answers): string {
  const { title, text, help } = noAnswer(reason, answers);
  return `${title}. ${text} Nothing was sent and nothing runs. ${help}`;
}

function whose({ by, last }: Answers): string {
  const rest = 'the offline demo (a script) goes on only with sessions that it began.';
  if (by === 'elsewhere') return `This session was imported, and ${rest}`;
  const name = last && last.provider !== demoConnection.provider ? capital(connectionName(last)) : 'A model';
  return `${name} answered this session, and ${rest}`;
}

/** "the Anthropic API", "localhost:11434", "the editor's models (copilot)", "the offline demo (a script)". */
export function connectionName({ provider, host }: Connection): string {
  switch (provider) {
    case 'demo':
      return 'the offline demo (a script)';
    case 'editor':
      return host === undefined ? 'a model of the editor' : `a model of the editor (${host})`;
    case 'anthropic':
      if (host === undefined) return 'a server';
      return host === usualHost ? 'the Anthropic API' : `the server ${host}`;
    default:
      return host === undefined ? provider : `${provider} (${host})`;
  }
}

/** What is said when another connection answers than before; undefined when it is the same, or the first. */
export function changeText(before: Connection | undefined, now: Connection, when: 'now' | 'next'): string | undefined {
  if (!before || isSameConnection(before, now)) return undefined;
  const [from, to] = [connectionName(before), connectionName(now)];
  return when === 'now'
    ? `Answered by ${from} until now; from here on by ${to}.`
    : `Answered by ${from} until now. What you send next, with the conversation so far, goes to ${to}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
