// The commands that the input takes: their names, what each says of itself, and in which state it makes sense. Pure;
// what they do is done by whoever does it for the buttons and the palette.
import type { SessionStateName } from './events.ts';
import { offeredAction } from './launchPlan.ts';

export const slashCommandNames = ['resume', 'retry', 'compact', 'model', 'new', 'export'] as const;
export type SlashCommandName = (typeof slashCommandNames)[number];

export interface SlashCommand {
  readonly name: SlashCommandName;
  /** One line. */
  readonly description: string;
  /** What may follow it; nothing when absent. */
  readonly argument?: 'model';
  /** Why it makes no sense now, and what does. Absent when it can be used. */
  readonly unavailable?: string;
}

export interface SlashFacts {
  /** Of the open session; absent when none is open. */
  readonly state?: SessionStateName;
  readonly hasWork: boolean;
  /** Why the open session cannot be driven from here. */
  readonly readOnly?: string;
  /** Whether any listed session can be resumed, for when none is open. */
  readonly othersResumable: boolean;
  /** The script of the demo has no models. */
  readonly isDemo: boolean;
}

/** All commands, in the order in which they are offered. */
export function slashCommands(facts: SlashFacts): readonly SlashCommand[] {
  return [
    described('resume', 'Go on where the session was cut', whyNotResume(facts)),
    described('retry', 'Try what failed again', whyNotRetry(facts)),
    described('compact', 'Summarise the beginning', whyNotCompact(facts)),
    { ...described('model', 'Choose the model', whyNotModel(facts)), argument: 'model' },
    described('new', 'Begin a new session', undefined),
    described('export', 'Save the trace of this session', facts.state ? undefined : 'Open a session first.'),
  ];
}

function described(name: SlashCommandName, description: string, unavailable: string | undefined): SlashCommand {
  return { name, description, ...(unavailable !== undefined && { unavailable }) };
}

function whyNotResume({ state, hasWork, readOnly, othersResumable }: SlashFacts): string | undefined {
  if (readOnly !== undefined) return readOnly;
  if (state === undefined) return othersResumable ? undefined : 'No session in the open folders can be resumed.';
  if (state === 'running') return 'This session is already running.';
  if (state === 'created' || !hasWork) return 'There is nothing to resume yet. Send a message first.';
  return offeredAction(state) ? undefined : 'Nothing was cut. Send a message to go on.';
}

function whyNotRetry({ state, hasWork, readOnly }: SlashFacts): string | undefined {
  if (readOnly !== undefined) return readOnly;
  if (state === 'failed' && hasWork) return undefined;
  return state === undefined ? 'Open a session that failed first.' : 'The last run did not fail.';
}

function whyNotCompact({ state, hasWork, readOnly }: SlashFacts): string | undefined {
  if (readOnly !== undefined) return readOnly;
  if (state === undefined) return 'Open a session first.';
  return hasWork ? undefined : 'There is nothing to compact yet.';
}

function whyNotModel({ readOnly, isDemo }: SlashFacts): string | undefined {
  return readOnly ?? (isDemo ? 'The offline demo is a script: it has no models to choose from.' : undefined);
}

export type ParsedSlash =
  | { readonly kind: 'command'; readonly name: SlashCommandName; readonly argument: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** What a text that begins with `/` and a word asks for; undefined when it is ordinary text, a path among it. */
export function parseSlash(text: string): ParsedSlash | undefined {
  const match = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text);
  if (!match) return undefined;
  const [, word = '', rest = ''] = match;
  const name = slashCommandNames.find((each) => each === word.toLowerCase());
  if (!name)
    return { kind: 'refused', reason: `There is no command /${word}. To send it as text, begin with a space.` };
  const argument = rest.trim();
  if (argument !== '' && name !== 'model')
    return { kind: 'refused', reason: `/${name} takes nothing after it. To send this as text, begin with a space.` };
  if (/\s/.test(argument))
    return { kind: 'refused', reason: 'A model has no spaces in its name: /model claude-opus-5-5' };
  return { kind: 'command', name, argument };
}
